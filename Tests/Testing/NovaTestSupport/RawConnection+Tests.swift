package import NovaTesting

// What only tests do with the connections of a raw server.

extension RawConnection {
  /// Reads a body in chunks, after a head, to its end.
  package func readChunkedBody() throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let size = Int(String(decoding: try takeLine(), as: UTF8.self), radix: 16)
      guard let size else { throw RawServerError("a chunk has no size") }
      body += try take(size)
      guard try take(2) == Array("\r\n".utf8) else { throw RawServerError("a chunk does not end") }
      if size == 0 { return body }
    }
  }

  /// Takes a line without its end.
  private func takeLine() throws -> [UInt8] {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") { line += try take(1) }
    return Array(line.dropLast(2))
  }

  /// Waits for the bytes after the last request, whatever they are; empty at the end.
  package func readBytes() -> [UInt8] {
    let bytes = takeBuffered()
    return bytes.isEmpty ? socket.read() : bytes
  }

  /// Writes a complete response with a length.
  package func respond(_ status: String = "200 OK", headers: [String] = [], body: [UInt8] = []) throws {
    let head = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)"]
    try write(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  /// Answers every request in the same way until the client closes.
  package func respondToAll(
    _ status: String = "200 OK", headers: [String] = [], body: [UInt8] = []
  ) throws {
    while try readRequest() != nil { try respond(status, headers: headers, body: body) }
  }

  /// Ends both directions, also while the script waits for the client.
  package func cut() { socket.cut() }
}

/// Runs `body` against a server with `script`, and stops the server afterwards.
package func withRawServer<Result: Sendable>(
  _ script: @escaping RawServer.Script, _ body: (RawServer) async throws -> Result
) async throws -> Result {
  let server = try RawServer(script)
  defer { server.stop() }
  return try await body(server)
}
