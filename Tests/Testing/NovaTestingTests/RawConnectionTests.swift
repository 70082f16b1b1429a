import NovaTestSupport
import NovaTesting
import Testing

@Suite(.hangLimit) struct RawConnectionTests {
  /// A client may send its next request before a slow response has ended.
  @Test(arguments: [true, false]) func aRequestDuringAPauseIsReadLater(drips: Bool) throws {
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("a")
      if drips {
        try connection.drip(Array(repeating: UInt8(ascii: "b"), count: 100), every: .milliseconds(1))
      } else {
        // Until the next request is there.
        for _ in 0..<100 where connection.isClosed(within: .milliseconds(1)) { return }
      }
      try connection.write(try connection.readRequest()?.requestLine ?? "nothing")
    }
    defer { server.stop() }
    let socket = try RawSocket.connected(to: server.port, bufferSize: nil)
    try socket.write(Array("GET /first HTTP/1.1\r\n\r\n".utf8))
    var received = socket.read()
    try socket.write(Array("GET /second HTTP/1.1\r\n\r\n".utf8))
    while case let more = socket.read(), !more.isEmpty { received += more }
    #expect(String(decoding: received, as: UTF8.self).hasSuffix("GET /second HTTP/1.1"))
  }
}
