import NovaHTTP
import NovaTestSupport
import Testing

/// Transfers that their callers run themselves, because calls come one at a time and the server responds at once.
@Suite(.hangLimit) struct CallerRunsTests {
  private static let options = {
    var options = CurlTransport.Options()
    // So that no transfer is too slow, even on a busy machine.
    options.quickTransferTime = .seconds(600)
    return options
  }()

  /// Calls `body` when the caller will run the next transfer.
  private func withLentEngine(
    _ body: (CurlTransport, RawServer) async throws -> Void
  ) async throws {
    try await withTransport(
      Self.options,
      to: { connection in
        while let request = try connection.readRequest() {
          if request.requestLine.contains("/hang") { connection.hang() } else { try connection.respond() }
        }
      }
    ) { transport, server in
      for _ in 0..<20 { try await #expect(transport.send(.post(server.url(), body: [1])).status == 200) }
      try await body(transport, server)
    }
  }

  @Test func oneCallAtATimeAndManyAtOnceFollowEachOther() async throws {
    try await withLentEngine { transport, server in
      let url = server.url()
      for _ in 0..<5 {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<100 { group.addTask { try await transport.send(.post(url, body: [1])).status } }
          for try await status in group { #expect(status == 200) }
        }
        for _ in 0..<20 { try await #expect(transport.send(.post(url, body: [1])).status == 200) }
      }
    }
  }

  @Test func aSlowResponseIsLeftToTheThreadAndKeepsNobodyWaiting() async throws {
    try await withLentEngine { transport, server in
      let url = server.url()
      let slow = Task { [hang = server.url("/hang")] in try await transport.send(.post(hang, body: [1])) }
      for _ in 0..<20 { try await #expect(transport.send(.post(url, body: [1])).status == 200) }
      slow.cancel()
      await #expect(throws: CancellationError.self) { try await slow.value }
      try await #expect(transport.send(.post(url, body: [1])).status == 200)
    }
  }

  @Test func cancellingEndsIt() async throws {
    for _ in 0..<20 {
      try await withLentEngine { transport, server in
        let task = Task { [hang = server.url("/hang")] in try await transport.send(.post(hang, body: [1])) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await #expect(transport.send(.post(server.url(), body: [1])).status == 200)
      }
    }
  }

  @Test func shutdownEndsIt() async throws {
    for _ in 0..<20 {
      try await withLentEngine { transport, server in
        let task = Task { [hang = server.url("/hang")] in try await transport.send(.post(hang, body: [1])) }
        await Task.yield()
        await transport.shutdown()
        await #expect(throws: TransportError.self) { try await task.value }
        #expect(await failure(of: transport, .post(server.url()))?.kind == .shutDown)
      }
    }
  }

  @Test func theThreadEndsWithTheTransportThoughTheEngineIsNotItsOwn() async throws {
    try await withRawServer({ try $0.respondToAll() }) { server in
      var transport: CurlTransport? = CurlTransport(options: Self.options)
      let loop = try #require(transport?.loop)
      for _ in 0..<20 { _ = try await transport?.send(.post(server.url(), body: [1])) }
      transport = nil
      await loop.waitUntilEnded()
    }
  }
}
