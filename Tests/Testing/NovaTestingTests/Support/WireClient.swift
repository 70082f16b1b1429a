import NovaCore
import NovaTestSupport
import NovaTesting

/// A client that looks at the bytes.
struct WireClient {
  private let socket: RawSocket

  init(_ server: FaultServer) throws { socket = try RawSocket.connected(to: server.port) }

  func send(_ path: String = "/a", key: String? = nil, closes: Bool = false, body: String = "{}") throws {
    var lines = ["POST \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"]
    if let key { lines.append("Idempotency-Key: \(key)") }
    if closes { lines.append("Connection: close") }
    try socket.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
  }

  /// Reads until the server ends the connection.
  func readToEnd() -> WireAnswer {
    var answer = WireAnswer()
    do {
      while case let bytes = try socket.receive(), !bytes.isEmpty { answer.bytes += bytes }
    } catch {
      answer.wasReset = true
    }
    return answer
  }

  /// Reads until at least `count` bytes have come or the connection ends.
  func read(atLeast count: Int) throws -> WireAnswer {
    var answer = WireAnswer()
    while answer.bytes.count < count {
      let bytes = try socket.receive()
      if bytes.isEmpty { break }
      answer.bytes += bytes
    }
    return answer
  }

  /// One request on a connection of its own.
  static func answer(
    _ server: FaultServer, _ path: String = "/a", key: String? = nil, body: String = "{}"
  ) throws -> WireAnswer {
    let client = try WireClient(server)
    do { try client.send(path, key: key, closes: true, body: body) } catch {
      return WireAnswer(wasReset: true)
    }
    return client.readToEnd()
  }
}

/// What came, and how it ended.
struct WireAnswer {
  var bytes: [UInt8] = []
  var wasReset = false

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var head: String { String(decoding: bytes.prefix(max(0, bodyStart - 4)), as: UTF8.self) }
  var body: String { String(decoding: bytes.dropFirst(bodyStart), as: UTF8.self) }

  /// Where the empty line ends; a search in a text of a megabyte takes seconds in a debug build.
  private var bodyStart: Int {
    var matched = 0
    for (index, byte) in bytes.enumerated() {
      matched = byte == (matched % 2 == 0 ? 13 : 10) ? matched + 1 : byte == 13 ? 1 : 0
      if matched == 4 { return index + 1 }
    }
    return bytes.count
  }
  var status: Int? { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

  func header(_ name: String) -> String? {
    head.split(separator: "\r\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
  }
}
