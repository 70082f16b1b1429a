#if Server
  import NIOHTTP1
  import NovaCore
  import NovaMock

  /// Checks whether the headers of a request show where its body ends, and expect only what the server can do. A body
  /// whose end the server misjudges could hide another request (RFC 9112, sections 6.1 and 11.2).
  struct HeadCheck {
    private let head: HTTPRequestHead

    init(_ head: HTTPRequestHead) { self.head = head }

    /// The response to a request whose body cannot be read, after which the connection is closed; nil for every other.
    var refusal: NovaCore.HTTPResponse? { (framingProblem ?? unknownExpectation)?.response }

    /// Whether the client waits for `100 Continue` before it sends the body. HTTP/1.0 has no such response.
    var waitsForLeave: Bool { head.version != .http1_0 && !expectations.isEmpty }

    private var framingProblem: MockFailure? {
      guard head.headers.contains(name: "Transfer-Encoding") else { return nil }
      if head.version == .http1_0 { return Self.badFraming("HTTP/1.0 has none; send Content-Length") }
      if head.headers.contains(name: "Content-Length") {
        return Self.badFraming("it excludes Content-Length; send one of them")
      }
      let codings = items("Transfer-Encoding")
      if codings == ["chunked"] { return nil }
      let unknown = codings.filter { $0 != "chunked" }
      if unknown.isEmpty || unknown.count < codings.count && codings.last != "chunked" {
        return Self.badFraming("expected chunked once, as the last coding")
      }
      let names = unknown.joined(separator: ", ").printable(to: 100)
      return MockFailure(
        .unimplemented, "unsupported Transfer-Encoding: \(names); send chunked alone, or Content-Length")
    }

    private static func badFraming(_ reason: String) -> MockFailure { .invalid("invalid Transfer-Encoding: \(reason)") }

    private var unknownExpectation: MockFailure? {
      guard head.version != .http1_0, let other = expectations.first(where: { $0 != "100-continue" }) else {
        return nil
      }
      return MockFailure(
        .invalidArgument,
        "unsupported expectation: \(other.printable(to: 100)); send Expect: 100-continue, or no Expect", httpStatus: 417
      )
    }

    private var expectations: [String] { items("Expect") }

    /// The items of a list in lower case.
    private func items(_ name: String) -> [String] { FieldList.elements(head.headers[name]).map { $0.lowercased() } }
  }
#endif
