import NovaHTTP
import NovaTestSupport
import Testing

@Suite(.hangLimit) struct CurlTransportCancellationTests {
  @Test func aThousandCallsInFlightEndAtOnceAndTheTransportStaysHealthy() async throws {
    try await withTransport(to: { connection in
      while let request = try connection.readRequest() {
        if request.requestLine.contains("/hang") { connection.hang() } else { try connection.respond() }
      }
    }) { transport, server in
      let url = server.url("/hang")
      let tasks = (0..<1000).map { _ in Task { try await transport.send(.post(url, body: [1])) } }
      // 64 of them run, and the others are queued.
      await server.waitForRequests(64)
      for task in tasks { task.cancel() }
      for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
      for _ in 0..<10 { try await #expect(transport.send(.post(server.url())).status == 200) }
    }
  }

  @Test func aCallOfACancelledTaskSendsNothing() async throws {
    try await withTransport(to: { try $0.respondToAll() }) { transport, server in
      let url = server.url()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try await transport.send(.post(url))
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(server.connectionCount == 0)
    }
  }

  @Test func cancellingWhenItIsOverDoesNothing() async throws {
    try await withTransport(to: { try $0.respondToAll() }) { transport, server in
      let url = server.url()
      let task = Task { try await transport.send(.get(url)) }
      try await #expect(task.value.status == 200)
      task.cancel()
      try await #expect(transport.send(.get(url)).status == 200)
    }
  }

  /// Cancels at every moment from before the call until after it. Every call must end, with a response or an error.
  @Test func cancellingAtAnyMomentEndsTheCallOnce() async throws {
    try await withTransport(.init(connections: ConnectionLimits(maximumTransfers: 4)), to: { try $0.respondToAll() }) {
      transport, server in
      let url = server.url()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<600 {
          group.addTask {
            let task = Task { try await transport.send(.get(url)) }
            for _ in 0..<(index % 40) { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success(let response): #expect(response.status == 200)
            case .failure(let error): #expect(error is CancellationError)
            }
          }
        }
      }
      try await #expect(transport.send(.get(url)).status == 200)
    }
  }

  @Test func shutdownEndsWhatRunsAndWhatWaits() async throws {
    try await withTransport(
      .init(connections: ConnectionLimits(maximumTransfers: 4)),
      to: { connection in
        _ = try connection.readRequest()
        connection.hang()
      }
    ) { transport, server in
      let url = server.url()
      let tasks = (0..<20).map { _ in Task { try await transport.send(.post(url)) } }
      await server.waitForRequests(4)
      // When a later call has timed out, all earlier calls have been submitted, too.
      let late = TransferLimits(totalTimeout: .milliseconds(20))
      #expect(await failure(of: transport, .get(url, limits: late))?.kind == .totalTimeout)
      await transport.shutdown()
      var left = 0
      for task in tasks {
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.kind == .shutDown)
        if error?.requestMayHaveLeft == true { left += 1 }
      }
      #expect(left == 4)
      let error = await failure(of: transport, .get(url))
      #expect(error?.kind == .shutDown)
      #expect(error?.requestMayHaveLeft == false)
      await transport.shutdown()
    }
  }

  @Test func shutdownOfATransportThatSentNothingReturns() async throws {
    let transport = CurlTransport()
    await transport.shutdown()
    #expect(await failure(of: transport, .get("http://127.0.0.1:1/"))?.kind == .shutDown)
  }

  @Test func droppingTheTransportEndsItsThread() async throws {
    try await withRawServer({ try $0.respondToAll() }) { server in
      var transport: CurlTransport? = CurlTransport()
      let loop = try #require(transport?.loop)
      try await #expect(transport?.send(.get(server.url())).status == 200)
      transport = nil
      await loop.waitUntilEnded()
    }
  }

  @Test func aTransportLivesAsLongAsItsCalls() async throws {
    try await withRawServer({ try $0.respondToAll() }) { server in
      for _ in 0..<50 { try await #expect(CurlTransport().send(.get(server.url())).status == 200) }
    }
  }

  @Test func manyTransportsComeAndGo() async throws {
    try await withRawServer({ try $0.respondToAll() }) { server in
      let url = server.url()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<30 {
          group.addTask {
            let transport = CurlTransport()
            try await #expect(transport.send(.get(url)).status == 200)
            await transport.shutdown()
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
