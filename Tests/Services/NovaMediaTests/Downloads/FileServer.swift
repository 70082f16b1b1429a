import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting

@testable import NovaMedia

/// A server with one file. It supports ranges, and misbehaves as specified.
struct FileServer: Sendable {
  /// How the server misbehaves in a request, counted from 0.
  struct Behavior: Sendable {
    var file: [UInt8]
    var etag: String? = "\"v1\""
    var headers: [String] = ["Content-Type: video/mp4"]
    /// Whether it supports ranges.
    var hasRanges = true
    /// Whether it sends a range although `If-Range` does not match.
    var ignoresIfRange = false
    /// The status line instead of 200 and 206. The response then has no body.
    var status: String?
    /// The position in the body where the connection is reset; nil for none.
    var resetsAfter: Int?
    /// Replaces the correct value.
    var contentRange: String?
    /// Replaces the correct value; empty for none, so that the end of the connection ends the body.
    var contentLength: String?
    /// The longest part of the file in one response.
    var longestPart: Int?
    /// Whether the body is chunked, so that its length is not announced.
    var isChunked = false
    /// Bytes after the last one, in a chunked body.
    var extra = 0
    var changesBody: (@Sendable ([UInt8]) -> [UInt8])?
  }

  static func script(_ behavior: @escaping @Sendable (_ number: Int) -> Behavior) -> RawServer.Script {
    let count = Locked(0)
    return { connection in
      while let request = try connection.readRequest() {
        let number = count.withLock { count in
          count += 1
          return count - 1
        }
        guard try answer(request, as: behavior(number), on: connection) else { return }
      }
    }
  }

  /// Returns whether the connection continues.
  private static func answer(_ request: RawRequest, as behavior: Behavior, on connection: RawConnection) throws -> Bool
  {
    if let status = behavior.status {
      try connection.respond(status, headers: behavior.headers)
      return true
    }
    let file = behavior.file
    let range = behavior.hasRanges ? start(request, behavior) : nil
    if let range, range >= file.count {
      try connection.respond("416 Range Not Satisfiable", headers: ["Content-Range: bytes */\(file.count)"])
      return true
    }
    let start = range ?? 0
    let end = range == nil ? file.count : min(file.count, start + (behavior.longestPart ?? file.count))
    var body = Array(file[start..<end])
    body = behavior.changesBody?(body) ?? body
    var head = "HTTP/1.1 \(range == nil ? "200 OK" : "206 Partial Content")\r\n"
    if let etag = behavior.etag { head += "ETag: \(etag)\r\n" }
    for header in behavior.headers { head += header + "\r\n" }
    if range != nil {
      head += "Content-Range: \(behavior.contentRange ?? "bytes \(start)-\(end - 1)/\(file.count)")\r\n"
    }
    let isChunked = behavior.isChunked || behavior.extra > 0
    if isChunked {
      head += "Transfer-Encoding: chunked\r\n"
      body += [UInt8](repeating: 0, count: behavior.extra)
    } else if behavior.contentLength != "" {
      head += "Content-Length: \(behavior.contentLength ?? "\(body.count)")\r\n"
    }
    try connection.write(head + "\r\n")
    if isChunked {
      try connection.write("\(String(body.count, radix: 16))\r\n")
      if let limit = behavior.resetsAfter, limit < body.count {
        try connection.write(Array(body[..<limit]))
        return false
      }
      try connection.write(body)
      try connection.write("\r\n0\r\n\r\n")
      return true
    }
    guard let limit = behavior.resetsAfter, limit < body.count else {
      try connection.write(body)
      return behavior.contentLength == nil
    }
    try connection.write(Array(body[..<limit]))
    return false
  }

  private static func start(_ request: RawRequest, _ behavior: Behavior) -> Int? {
    guard let range = request.header("Range"), range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
    let validator =
      behavior.etag ?? behavior.headers.first { $0.hasPrefix("Last-Modified: ") }.map { String($0.dropFirst(15)) }
    if let expected = request.header("If-Range"), expected != validator, !behavior.ignoresIfRange { return nil }
    return Int(range.dropFirst(6).dropLast())
  }
}

/// Runs `body` with a service whose gateway is a raw server. Waits take no time.
@discardableResult
func withMedia<Result: Sendable>(
  _ script: @escaping RawServer.Script, resilience: Resilience = Resilience(),
  options: CallOptions = CallOptions(),
  _ body: (MediaService, RawServer) async throws -> Result
) async throws -> Result {
  try await withTransport(to: script) { transport, server in
    let client = try APIClient.test(
      transport, baseURL: server.url(""), resilience: resilience, clock: ManualClock(autoAdvances: true))
    return try await body(MediaService(client: client, options: options), server)
  }
}

/// Bytes that differ at every position.
func someBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
