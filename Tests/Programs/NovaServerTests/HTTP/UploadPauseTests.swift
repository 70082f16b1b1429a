import NIOCore
import NIOEmbedded
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Uploads on a line with limited bandwidth, on clocks whose time passes only when they are told to: slow is not late.
@Suite(.hangLimit) struct UploadPauseTests {
  private static let file = [UInt8](repeating: UInt8(ascii: "A"), count: 40_000)
  /// At 10 bytes a second, the whole file takes over an hour. Clients may pause for a minute.
  private static let head = """
    PUT /api/v1/media/upload/upload-1/bytes HTTP/1.1\r
    Host: 127.0.0.1\r
    Content-Length: \(file.count)\r
    Content-Range: bytes 0-\(file.count - 1)/\(file.count)\r
    Connection: close\r
    \r

    """

  /// The server's side of a connection to a backend that has begun an upload.
  private struct Connection {
    let backend = MockBackend(dataSet: .empty)
    let clock = ManualClock()
    let loop = NIOAsyncTestingEventLoop()
    let channel: NIOAsyncTestingChannel
    private let budget = MemoryBudget(allowance: 0)

    init() async throws {
      channel = NIOAsyncTestingChannel(loop: loop)
      let start = #"{"user_id":"u","file_name":"a.txt","file_size":\#(file.count),"content_type":"text/plain"}"#
      let response = backend.respond(
        to: HTTPRequest(method: .post, url: "/api/v1/media/upload/start", body: Array(start.utf8)))
      try #require(response.status == 200)
      backend.faults = try Faults(["bandwidth up 10B/s"])
      let application = Application(
        backend: backend, admin: nil, policy: RequestPolicy(isLoopback: true, allowedHosts: [], allowedOrigins: []),
        log: nil, clock: clock)
      let (channel, budget) = (channel, budget)
      try await loop.executeInContext {
        try MockServer.prepare(channel, for: application, limits: ConnectionLimits(), lease: MemoryLease(budget))
      }
      try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
    }

    /// Bytes arrive. Returns when they are written, and the pause has begun.
    func receive(_ bytes: [UInt8]) async throws {
      try await channel.writeInbound(ByteBuffer(bytes: bytes))
      try await waitUntil { budget.heldBytes == 0 }
    }

    func isOpen(afterSeconds seconds: Int64) async -> Bool {
      clock.advance(by: .seconds(seconds))
      await loop.advanceTime(by: .seconds(seconds))
      return channel.isActive
    }

    func answer() async throws -> String {
      var text = ""
      while channel.isActive {
        await loop.run()
        await Task.yield()
      }
      while let buffer = try await channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
      return text
    }
  }

  @Test func aPauseOfTheServerIsNoDelayOfTheClient() async throws {
    let connection = try await Connection()
    try await connection.receive(Array(Self.head.utf8) + Self.file)
    for step in 1...36 {
      #expect(await connection.isOpen(afterSeconds: 100), "closed after \(step * 100) of 4,000 seconds")
    }
    // The rest of the pause, and less than the client may then take.
    _ = await connection.isOpen(afterSeconds: 440)
    let answer = try await connection.answer()
    #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
  }

  @Test func aClientThatSendsNothingAfterAPauseIsLate() async throws {
    let connection = try await Connection()
    try await connection.receive(Array(Self.head.utf8) + Self.file.prefix(20_000))
    #expect(await connection.isOpen(afterSeconds: 2040))
    #expect(await !connection.isOpen(afterSeconds: 30))
  }
}
