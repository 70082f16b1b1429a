#if Server
  import NIOHTTP1
  import NovaCore

  /// Checks whether the headers of a request show where its body ends, and expect only what the server can do. A body that
  /// is read as what it is not could hide another request (RFC 9112, sections 6.1 and 11.2).
  struct HeadCheck {
    private let head: HTTPRequestHead

    init(_ head: HTTPRequestHead) { self.head = head }

    /// The response to a request whose body cannot be read, after which the connection is closed; nil for every other.
    var refusal: NovaCore.HTTPResponse? { framingProblem ?? unknownExpectation }

    /// Whether the client waits for `100 Continue` before it sends the body. HTTP/1.0 has no such response.
    var waitsForLeave: Bool { head.version != .http1_0 && !expectations.isEmpty }

    private var framingProblem: NovaCore.HTTPResponse? {
      guard head.headers.contains(name: "Transfer-Encoding") else { return nil }
      if head.version == .http1_0 { return Self.malformed("HTTP/1.0 has none; send Content-Length") }
      if head.headers.contains(name: "Content-Length") {
        return Self.malformed("it excludes Content-Length; send one of them")
      }
      let codings = items("Transfer-Encoding")
      if codings == ["chunked"] { return nil }
      let unknown = codings.filter { $0 != "chunked" }
      if unknown.isEmpty || unknown.count < codings.count && codings.last != "chunked" {
        return Self.malformed("expected chunked once, as the last coding")
      }
      let names = unknown.joined(separator: ", ").printable(to: 100)
      return Refusal.response(
        status: 501, .unimplemented, "unsupported Transfer-Encoding: \(names); send chunked alone, or Content-Length")
    }

    private static func malformed(_ reason: String) -> NovaCore.HTTPResponse {
      Refusal.response(status: 400, .invalidArgument, "invalid Transfer-Encoding: \(reason)")
    }

    private var unknownExpectation: NovaCore.HTTPResponse? {
      guard head.version != .http1_0, let other = expectations.first(where: { $0 != "100-continue" }) else {
        return nil
      }
      return Refusal.response(
        status: 417, .invalidArgument,
        "unsupported expectation: \(other.printable(to: 100)); send Expect: 100-continue, or no Expect")
    }

    private var expectations: [String] { items("Expect") }

    /// The items of a list in lower case.
    private func items(_ name: String) -> [String] { FieldList.elements(head.headers[name]).map { $0.lowercased() } }
  }
#endif
