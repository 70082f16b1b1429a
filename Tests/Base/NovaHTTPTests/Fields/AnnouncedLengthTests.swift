import NovaHTTP
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// The end of a body, according to `Content-Length`.
@Suite(.hangLimit) struct AnnouncedLengthTests {
  static let values: [([String], AnnouncedLength)] = [
    ([], .unknown), (["0"], .bytes(0)), (["5"], .bytes(5)), (["005"], .bytes(5)), (["5, 5"], .bytes(5)),
    (["5 ,5"], .bytes(5)), (["5", "5"], .bytes(5)), (["5", "6"], .invalid("5, 6")), (["5, 6"], .invalid("5, 6")),
    (["5,"], .invalid("5,")), ([""], .invalid("")), (["-5"], .invalid("-5")), (["+5"], .invalid("+5")),
    (["0x3e8"], .invalid("0x3e8")), (["5 5"], .invalid("5 5")), (["5;"], .invalid("5;")), (["5.0"], .invalid("5.0")),
    (["1e3"], .invalid("1e3")), (["٣"], .invalid("٣")),
    (["99999999999999999999999"], .invalid("99999999999999999999999")),
    (["9223372036854775807"], .bytes(.max)), (["9223372036854775808"], .invalid("9223372036854775808")),
  ]

  @Test(arguments: 0..<values.count) func onlyDigitsAreALength(_ number: Int) {
    let (values, expected) = Self.values[number]
    var headers = HTTPHeaders(values.map { HTTPHeaders.Field(name: "content-length", value: $0) })
    #expect(AnnouncedLength(headers) == expected, "\(values)")
    #expect(headers.contentLength == expected.count)
    headers["Transfer-Encoding"] = "chunked"
    #expect(AnnouncedLength(headers) == .unknown)
  }

  static let heads: [(String, isRefused: Bool)] = [
    ("200 OK\r\nContent-Length: 99999999999999999999999", true), ("200 OK\r\nContent-Length: 0x3e8", true),
    ("200 OK\r\ncontent-length: 5abc", true), ("200 OK\r\nContent-Length: 5\r\nContent-Length: 4", true),
    ("200 OK\r\nContent-Length: 5\r\nX-A: b\r\nCONTENT-LENGTH: 05, 6", true), ("203 OK\r\nContent-Length: 5 5", true),
    ("302 Found\r\nLocation: /x\r\nContent-Length: 0x5", true), ("200 OK\r\nContent-Length: 5\r\n 5", true),
    ("200 OK\r\nContent-Length: 5", false), ("200 OK\r\nContent-Length: 5, 5", false),
    ("200 OK\r\nContent-Length: 5\r\nContent-Length: 5", false), ("200 OK", false),
    // A failure is reported, whatever its length.
    ("404 Not Found\r\nContent-Length: 5x", false),
  ]

  @Test(arguments: 0..<heads.count, [false, true]) func aBodyWithoutKnownEndIsRefused(_ number: Int, streams: Bool)
    async throws
  {
    let (head, isRefused) = Self.heads[number]
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 \(head)\r\nConnection: close\r\n\r\nhello")
    }) { transport, server in
      var request = HTTPRequest.get(server.url())
      request.streamsResponse = streams
      guard isRefused else {
        let response = try await transport.send(request)
        #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8), "\(head)")
        return
      }
      let error = await failure(of: transport, request)
      #expect(error?.kind == .malformedResponse, "\(head): \(error as Any)")
      #expect(error?.message.contains("has an invalid Content-Length") == true, "\(head): \(error as Any)")
    }
  }

  /// Without a body, nothing can be truncated.
  @Test(arguments: ["204 No Content", "304 Not Modified"]) func aHeadAloneNeedsNoLength(_ status: String) async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 \(status)\r\nContent-Length: 5x\r\nConnection: close\r\n\r\n")
    }) { transport, server in
      let response = try await transport.send(.get(server.url()))
      #expect(response.body.inMemory.isEmpty)
    }
  }

  @Test func chunksNeedNoLength() async throws {
    try await withTransport(to: { connection in
      _ = try connection.readRequest()
      try connection.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 7x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
    }) { transport, server in
      let response = try await transport.send(.get(server.url()))
      #expect(response.body.inMemory == Array("hello".utf8))
    }
  }
}
