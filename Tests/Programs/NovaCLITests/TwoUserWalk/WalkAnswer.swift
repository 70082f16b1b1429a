import NovaCore
import NovaTestSupport
import NovaTesting

/// An answer of a walk's gateway.
struct WalkAnswer: Sendable {
  var status = 200
  var headers: [String] = []
  var body: [UInt8] = []
  /// Whether the body has no length, and ends with the connection.
  var isStream = false

  static func json(_ value: JSONValue, status: Int = 200) -> WalkAnswer {
    WalkAnswer(status: status, headers: ["Content-Type: application/json"], body: value.jsonUTF8)
  }

  /// A failure with a code of gRPC.
  static func failure(_ status: Int, code: Int, _ message: String) -> WalkAnswer {
    json(.members(("code", .number(String(code))), ("message", .string(message))), status: status)
  }

  /// A file, or the part that a request asks for if it has the same `ETag`.
  static func file(_ bytes: [UInt8], of request: WalkRequest, headers: [String]) -> WalkAnswer {
    let etag = headers.first { $0.hasPrefix("ETag: ") }?.dropFirst(6)
    let first = request.raw.header("Range").flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    guard let first, first < bytes.count, request.raw.header("If-Range").map({ $0 == etag ?? "" }) ?? true else {
      if let known = request.raw.header("If-None-Match"), known == etag ?? "" {
        return WalkAnswer(status: 304, headers: headers)
      }
      return WalkAnswer(headers: headers, body: bytes)
    }
    let range = "Content-Range: bytes \(first)-\(bytes.count - 1)/\(bytes.count)"
    return WalkAnswer(status: 206, headers: headers + [range], body: Array(bytes[first...]))
  }

  func write(to connection: RawConnection) throws {
    guard isStream else { return try connection.respond(line, headers: headers, body: body) }
    try connection.write("HTTP/1.1 \(line)\r\n\(headers.map { "\($0)\r\n" }.joined())Connection: close\r\n\r\n")
    try connection.write(body)
  }

  /// Writes the head and half of the body.
  func writeHalf(to connection: RawConnection) throws {
    let head = ["HTTP/1.1 \(line)"] + headers + ["Content-Length: \(body.count)"]
    try connection.write(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body.prefix(body.count / 2))
  }

  private var line: String { "\(status) \(status < 300 ? "OK" : status < 400 ? "Elsewhere" : "Refused")" }
}
