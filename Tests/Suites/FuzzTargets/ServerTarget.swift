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
    require(whole == cut, "other answers to the same bytes in pieces:\n\(whole.prefix(3000))\n---\n\(cut.prefix(3000))")
    require(whole.isEmpty || whole.hasPrefix("HTTP/1.1 "), "an answer that is not HTTP: \(whole.prefix(3000))")
  }

  /// The answers, without the field that depends on whether the input ends before or after the last one.
  private static func answers(to pieces: [[UInt8]]) -> String {
    let bytes = waiting { await serve(pieces) }
    return String(decoding: bytes, as: UTF8.self).replacing("Connection: close\r\n", with: "")
  }

  /// Answers everything that the pieces ask for, until the server closes the connection. Some answers come from other
  /// threads, so the event loop must be one that they can use.
  private static func serve(_ pieces: [[UInt8]]) async -> [UInt8] {
    let backend = MockBackend(seed: 1, dataSet: .empty) { 1_764_583_200 }
    let origins = (try? [OriginPattern("http://localhost:*")]) ?? []
    let application = Application(
      backend: backend, admin: AdminAPI(backend),
      policy: RequestPolicy(isLoopback: true, allowedHosts: [], allowedOrigins: origins), log: nil)
    let loop = NIOAsyncTestingEventLoop()
    let channel = NIOAsyncTestingChannel(loop: loop)
    do {
      try await loop.executeInContext {
        try MockServer.prepare(
          channel, for: application, limits: ConnectionLimits(), lease: MemoryLease(MemoryBudget()))
      }
      try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
    } catch {
      fatalError("no pipeline: \(error)")
    }
    for piece in pieces where channel.isActive {
      // Errors that nobody handled; the server has closed the connection or will answer.
      _ = try? await channel.writeInbound(ByteBuffer(bytes: piece))
      await loop.run()
    }
    try? await loop.executeInContext { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    // A server that never closes it is found by libFuzzer's own limit of time.
    while channel.isActive {
      await loop.run()
      await Task.yield()
    }
    var answers: [UInt8] = []
    while let buffer = try? await channel.readOutbound(as: ByteBuffer.self) { answers += buffer.readableBytesView }
    _ = try? await channel.finish(acceptAlreadyClosed: true)
    return answers
  }

  private static func contains(_ bytes: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    guard bytes.count >= word.count else { return false }
    return (0...(bytes.count - word.count)).contains { start in
      bytes[start..<(start + word.count)].elementsEqual(word) { $0 | 0x20 == $1 }
    }
  }
}
