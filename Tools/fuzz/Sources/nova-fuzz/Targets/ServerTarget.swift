import NIOCore
import NIOEmbedded
@testable import NovaCore
@testable import NovaMock
@testable import NovaServer

/// The server's pipeline gives the same answers however the bytes of the requests are cut, and each is HTTP.
enum ServerTarget {
  static func check(_ bytes: [UInt8]) {
    // Faults make answers late, and a connection without a socket has no other thread to wait on.
    guard !contains(bytes, "fault") else { return }
    var choices = Choices(bytes)
    let whole = answers(to: [bytes])
    let cut = answers(to: choices.pieces(of: bytes))
    require(whole == cut, "other answers to the same bytes in pieces:\n\(text(whole))\n---\n\(text(cut))")
    require(whole.isEmpty || whole.starts(with: "HTTP/1.1 ".utf8), "an answer that is not HTTP: \(text(whole))")
  }

  private static func answers(to pieces: [[UInt8]]) -> [UInt8] {
    let backend = MockBackend(seed: 1, dataSet: .empty) { 1_764_583_200 }
    let application = Application(
      backend: backend, admin: AdminAPI(backend), policy: RequestPolicy(isLoopback: true, allowedHosts: []), log: nil)
    let channel = EmbeddedChannel()
    mustSucceed("no pipeline") {
      try MockServer.prepare(
        channel, for: application, limits: ConnectionLimits(), lease: MemoryLease(MemoryBudget()))
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    }
    var answers: [UInt8] = []
    func collect() {
      channel.embeddedEventLoop.run()
      while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { answers += buffer.readableBytesView }
    }
    for piece in pieces where channel.isActive {
      // Errors that nobody handled; the server has closed the connection or will answer.
      _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
      collect()
    }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    collect()
    _ = try? channel.finish(acceptAlreadyClosed: true)
    return answers
  }

  private static func contains(_ bytes: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    guard bytes.count >= word.count else { return false }
    return (0...(bytes.count - word.count)).contains { start in
      bytes[start..<(start + word.count)].elementsEqual(word) { $0 | 0x20 == $1 }
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(3000), as: UTF8.self) }
}
