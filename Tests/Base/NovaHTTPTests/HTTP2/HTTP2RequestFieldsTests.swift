#if GRPC
  import CNovaHTTP2
  @testable import NovaHTTP
  import NovaTestSupport
  import Testing

  /// The head of a request.
  @Suite(.hangLimit) struct HTTP2RequestFieldsTests {
    private func encoded(_ headers: HTTPHeaders, path: String = "/a", userAgent: String = "") throws -> [String] {
      let url = try HTTPURL(parsingService: "grpc://localhost:1").appending(path)
      let request = HTTPRequest(method: .post, url: url, headers: headers, body: [1, 2])
      let encoded = try HTTP2RequestFields(request, userAgent: userAgent)
      return encoded.fields.map { field in
        func text(_ start: UInt32, _ size: UInt32) -> String {
          String(decoding: encoded.text[Int(start)..<Int(start + size)], as: UTF8.self)
        }
        return text(field.name, field.name_size) + "=" + text(field.value, field.value_size)
      }
    }

    @Test(
      arguments: [
        ([:], []), (["Content-Type": "a"], ["content-type=a"]), (["A-b": " c\t"], ["a-b=c"]), (["a": ""], ["a="]),
        (["te": "trailers", "x": "ü"], ["te=trailers", "x=ü"]), (["Content-Length": "2"], ["content-length=2"]),
        (["Connection": "close", "Keep-Alive": "1", "proxy-connection": "x", "b": "c"], ["b=c"]),
      ] as [(HTTPHeaders, [String])]) func fieldsAreInLowerCase(headers: HTTPHeaders, expected: [String]) throws
    {
      #expect(try encoded(headers) == [":method=POST", ":scheme=http", ":path=/a"] + expected)
    }

    @Test func theHostIsTheAuthority() throws {
      #expect(try encoded(["Host": "b"]) == [":method=POST", ":authority=b", ":scheme=http", ":path=/a"])
    }

    @Test func theUserAgentIsTheCallersOrTheTransports() throws {
      #expect(try encoded([:], userAgent: "u").last == "user-agent=u")
      #expect(try encoded(["User-Agent": "v"], userAgent: "u").last == "user-agent=v")
    }

    @Test(arguments: ["", "/", "?a=b", "/?a=b"]) func pathsBeginWithASlash(path: String) throws {
      #expect(try encoded([:], path: path)[2] == ":path=" + (path.hasPrefix("/") ? path : "/\(path)"))
    }

    @Test(
      arguments: [
        ["Transfer-Encoding": "chunked"], ["Upgrade": "a"], ["Expect": "100-continue"], ["TE": "gzip"],
        ["Content-Length": "3"], ["a": "b\r\nc"], ["": "b"], ["a b": "c"],
      ] as [HTTPHeaders]) func invalidFieldsAreRefused(headers: HTTPHeaders) throws
    {
      let error = #expect(throws: TransportError.self) { try encoded(headers) }
      #expect(error?.kind == .invalidHeader && error?.requestMayHaveLeft == false)
    }
  }
#endif
