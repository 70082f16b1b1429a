import NovaCore

/// A request that cannot be served, and the status that says so. The connection ends with it.
struct RequestRefusal: Error {
  let status: Int
  let message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// The first line and the header of an HTTP/1 request.
struct RequestHead {
  /// How the body's length is known.
  enum BodyLength: Equatable {
    case exactly(Int)
    case chunked
  }

  let method: String
  let target: String
  let headers: HTTPHeaders
  let bodyLength: BodyLength
  /// Whether another request may follow on the connection.
  let keepsAlive: Bool
  /// Whether the client waits for a word before it sends the body.
  let expectsContinue: Bool

  /// Reads the lines, which are without their ends.
  init(_ lines: [Substring]) throws(RequestRefusal) {
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy(Self.isTokenByte), !words[1].isEmpty,
      words[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw RequestRefusal(400, "this is not an HTTP request") }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw RequestRefusal(words[2].hasPrefix("HTTP/") ? 505 : 400, "only HTTP/1.1 and HTTP/1.0 are spoken here")
    }
    method = String(words[0])
    target = String(words[1])
    headers = try Self.headers(lines.dropFirst())
    bodyLength = try Self.bodyLength(headers)
    let connection = headers.values(for: "Connection").joined(separator: ",").lowercased()
    keepsAlive = words[2] == "HTTP/1.1" && !connection.contains("close")
    expectsContinue = headers["Expect"]?.lowercased() == "100-continue"
  }

  private static func headers(_ lines: ArraySlice<Substring>) throws(RequestRefusal) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
        line[..<colon].utf8.allSatisfy(isTokenByte), !line.utf8.contains(where: { $0 == 0x0D || $0 == 0 })
      else { throw RequestRefusal(400, "a header line is not a name, a colon and a value") }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let end = value.lastIndex { $0 != " " && $0 != "\t" }.map { value.index(after: $0) } ?? value.startIndex
      headers.append(name: String(line[..<colon]), value: String(value[..<end]))
    }
    return headers
  }

  /// Exactly one way of telling the length is allowed: two that differ would make two requests of one.
  private static func bodyLength(_ headers: HTTPHeaders) throws(RequestRefusal) -> BodyLength {
    let lengths = headers.values(for: "Content-Length")
    let codings = headers.values(for: "Transfer-Encoding")
    guard codings.isEmpty || lengths.isEmpty, codings.count <= 1, lengths.count <= 1 else {
      throw RequestRefusal(400, "the length of the body is given more than once")
    }
    if let coding = codings.first {
      guard coding.lowercased() == "chunked" else {
        throw RequestRefusal(501, "the only transfer coding known here is chunked")
      }
      return .chunked
    }
    guard let text = lengths.first else { return .exactly(0) }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text) else {
      throw RequestRefusal(400, "Content-Length is not a number")
    }
    return .exactly(count)
  }

  /// RFC 9110's token characters.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
