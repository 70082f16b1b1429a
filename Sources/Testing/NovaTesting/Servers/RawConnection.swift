import NovaCore

/// A raw request.
package struct RawRequest: Sendable {
  /// For example `POST /path HTTP/1.1`.
  package var requestLine: String
  /// The header lines below it.
  package var headerLines: [String]
  /// The body's bytes.
  package var body: [UInt8]

  /// The first value under `name`.
  package func header(_ name: String) -> String? {
    headerLines.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
      String($0.dropFirst(name.count + 1).drop { $0 == " " })
    }
  }
}

/// One connection of a ``RawServer``, for its script to use.
package final class RawConnection: Sendable {
  /// Counts from 1.
  package let number: Int
  package let socket: RawSocket
  private unowned let server: RawServer
  private let buffer = Locked<[UInt8]>([])

  init(_ socket: RawSocket, number: Int, server: RawServer) {
    self.socket = socket
    self.number = number
    self.server = server
  }

  /// Reads the next request with its body, `nil` when the client has closed.
  package func readRequest() throws -> RawRequest? {
    guard let request = try readHead() else { return nil }
    return try readBody(of: request)
  }

  /// Reads the body that belongs to a head.
  package func readBody(of head: RawRequest) throws -> RawRequest {
    var request = head
    let length = max(0, request.header("Content-Length").flatMap { Int($0) } ?? 0)
    request.body = try take(length)
    server.record(request)
    return request
  }

  /// Takes the next bytes, which belong to a body.
  package func take(_ count: Int) throws -> [UInt8] {
    while buffer.withLock({ $0.count }) < count {
      guard receive() else { throw RawServerError("the request's body ended early") }
    }
    return buffer.withLock { bytes in
      defer { bytes.removeFirst(count) }
      return Array(bytes.prefix(count))
    }
  }

  /// Reads a request's head only, `nil` when the client has closed.
  package func readHead() throws -> RawRequest? {
    while true {
      if let head = buffer.withLock({ Self.takeHead(from: &$0) }) { return head }
      let count = buffer.withLock { $0.count }
      guard count < Self.longestHead else { throw RawServerError("the request's head does not end") }
      if !receive() {
        guard count == 0 else { throw RawServerError("the request's head ended early") }
        return nil
      }
    }
  }

  /// Takes the bytes that were read and belong to no request.
  package func takeBuffered() -> [UInt8] {
    buffer.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
  }

  /// Waits for more bytes; false when none will come.
  private func receive() -> Bool {
    let more = socket.read()
    buffer.withLock { $0 += more }
    return !more.isEmpty
  }

  private static let longestHead = 1 << 20

  private static func takeHead(from bytes: inout [UInt8]) -> RawRequest? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
    bytes.removeFirst(end.upperBound)
    return RawRequest(requestLine: lines.first ?? "", headerLines: Array(lines.dropFirst()), body: [])
  }

  /// Writes text as it is.
  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes bytes as they are.
  package func write(_ bytes: [UInt8]) throws { try socket.write(bytes) }

  /// Sends nothing until the client closes or the server stops.
  package func hang() {
    while !socket.read().isEmpty {}
  }

  /// Writes `bytes` one by one with pauses, until the client closes. What the client sends in that time is read later.
  package func drip(_ bytes: [UInt8], every pause: Duration) throws {
    for byte in bytes {
      try write([byte])
      if isClosed(within: pause) { return }
    }
  }

  /// Whether the client closes, or the server stops, within this time. What the client sends in that time is read later.
  package func isClosed(within pause: Duration) -> Bool { socket.isReadable(within: pause) && !receive() }

  /// Reads nothing until the client closes or the server stops.
  package func hangWithoutReading() { socket.waitForEnd() }

  /// Says that nothing more comes, and reads until the client closes or the server stops. Closing with bytes unread would
  /// reset the connection, and the client might lose what was sent before.
  package func finish() {
    socket.endWriting()
    hang()
  }

  /// Closes so that the client sees "connection reset".
  package func reset() { socket.reset() }
}

/// An error in a test helper.
package struct RawServerError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
