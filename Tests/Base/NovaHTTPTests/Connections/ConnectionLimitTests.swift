import Foundation
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaHTTP

/// The limits for concurrent transfers, streams, and connections. docs/configuration.md and docs/troubleshooting.md quote
/// the message.
@Suite(.hangLimit) struct ConnectionLimitTests {
  /// `/stream` starts a response that does not end. Every other path has a short response.
  private static func serve(_ connection: RawConnection) throws {
    while let request = try connection.readRequest() {
      guard request.requestLine.contains("/stream") else {
        try connection.respond(body: [1])
        continue
      }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
      connection.hang()
    }
  }

  private func stream(_ server: RawServer, limits: TransferLimits = .init()) -> HTTPRequest {
    var request = HTTPRequest.get(server.url("/stream"), limits: limits)
    request.streamsResponse = true
    request.isOpenEnded = true
    return request
  }

  private func openStreams(
    _ count: Int, over transport: CurlTransport, to server: RawServer
  ) async throws -> [HTTPResponse] {
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for _ in 0..<count { group.addTask { try await transport.send(stream(server)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func makeCalls(_ count: Int, over transport: CurlTransport, to server: RawServer) async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count { group.addTask { try await transport.send(.get(server.url())).status } }
      for try await status in group { #expect(status == 200) }
    }
  }

  @Test func openStreamsKeepNoCallWaiting() async throws {
    let limits = ConnectionLimits(maximumTransfers: 4, maximumStreams: 200)
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      let streams = try await openStreams(200, over: transport, to: server)
      try await makeCalls(40, over: transport, to: server)
      #expect(streams.count == 200 && server.openConnectionCount <= 204)
      withExtendedLifetime(streams) {}
    }
  }

  /// libcurl counts connections in use among those that it keeps.
  @Test func openStreamsDoNotCostTheConnectionsOfCalls() async throws {
    let limits = ConnectionLimits(maximumTransfers: 2)
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      let streams = try await openStreams(10, over: transport, to: server)
      for _ in 0..<20 { try await makeCalls(1, over: transport, to: server) }
      #expect(server.connectionCount == 11)
      withExtendedLifetime(streams) {}
    }
  }

  @Test func oneStreamTooManyWaitsAndThenFails() async throws {
    let limits = ConnectionLimits(maximumStreams: 3, queueTimeout: .milliseconds(50))
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      let streams = try await openStreams(3, over: transport, to: server)
      let endless = TransferLimits(totalTimeout: .seconds(Int64.max))
      let error = await failure(of: transport, stream(server, limits: endless))
      #expect(error?.kind == .totalTimeout && error?.requestMayHaveLeft == false)
      #expect(
        error?.message
          == "the stream waited for its turn for longer than 50 ms: the maximum number of open streams is 3; "
          + "end some, or raise limits.max_streams")
      try await makeCalls(1, over: transport, to: server)
      withExtendedLifetime(streams) {}
    }
  }

  /// A stream's own limits do not end its time in the queue.
  @Test func aStreamWaitsFor10Seconds() async throws {
    let time = AddedTime()
    var options = CurlTransport.Options(connections: ConnectionLimits(maximumStreams: 1))
    options.addedTime = time
    try await withTransport(options, to: Self.serve) { transport, server in
      let first = try await openStreams(1, over: transport, to: server)
      let endless = TransferLimits(idleTimeout: .seconds(3600), totalTimeout: .seconds(Int64.max))
      let second = Task { try await transport.send(stream(server, limits: endless)) }
      // It is in the queue once a call that was sent later has its response, which may take several calls.
      while !second.isCancelled {
        try await makeCalls(1, over: transport, to: server)
        time.advance(by: .seconds(11))
        try await makeCalls(1, over: transport, to: server)
        if await isOver(second) { break }
      }
      let error = await #expect(throws: TransportError.self) { try await second.value }
      #expect(error?.message.hasPrefix("the stream waited for its turn for longer than 10 s: ") == true)
      withExtendedLifetime(first) {}
    }
  }

  private func isOver(_ task: Task<HTTPResponse, any Error>) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await task.value) == nil }
      group.addTask { (try? await Task.sleep(for: .milliseconds(100))) == nil }
      let isOver = await group.next() ?? false
      group.cancelAll()
      return isOver
    }
  }

  @Test func aStreamThatEndsMakesRoom() async throws {
    let limits = ConnectionLimits(maximumStreams: 1, queueTimeout: .seconds(60))
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      var first: [HTTPResponse] = try await openStreams(1, over: transport, to: server)
      let second = Task { try await transport.send(stream(server)).status }
      #expect(first.first?.status == 200)
      // Its body is dropped unread.
      first = []
      #expect(try await second.value == 200)
    }
  }

  @Test func aCancelledWaitEndsAtOnce() async throws {
    let limits = ConnectionLimits(maximumTransfers: 1, maximumStreams: 1, queueTimeout: .seconds(300))
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      let streams = try await openStreams(1, over: transport, to: server)
      for _ in 0..<20 {
        let waiting = Task { try await transport.send(stream(server)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
      }
      try await makeCalls(3, over: transport, to: server)
      #expect(server.requests.count == 4)
      withExtendedLifetime(streams) {}
    }
  }

  @Test func shutdownEndsOpenAndWaitingStreams() async throws {
    let limits = ConnectionLimits(maximumStreams: 20)
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      let streams = try await openStreams(20, over: transport, to: server)
      let waiting = Task { try await transport.send(stream(server)) }
      try await makeCalls(1, over: transport, to: server)
      await transport.shutdown()
      for stream in streams {
        let error = await #expect(throws: TransportError.self) { try await stream.body.collect(upTo: 1 << 20) }
        #expect(error?.kind == .shutDown)
      }
      let error = await #expect(throws: TransportError.self) { try await waiting.value }
      #expect(error?.kind == .shutDown && error?.requestMayHaveLeft == false)
    }
  }

  @Test func aCallWaitsNoLongerThanTheQueueTimeout() async throws {
    let limits = ConnectionLimits(maximumTransfers: 1, queueTimeout: .milliseconds(50))
    try await withTransport(
      .init(connections: limits),
      to: { connection in
        _ = try connection.readRequest()
        connection.hang()
      }
    ) { transport, server in
      let first = Task { try await transport.send(.get(server.url())) }
      await server.waitForRequests(1)
      let error = await failure(of: transport, .get(server.url()))
      #expect(error?.kind == .totalTimeout && error?.requestMayHaveLeft == false)
      #expect(
        error?.message
          == "the request waited for its turn for longer than 50 ms: the maximum number of transfers is 1; "
          + "raise limits.max_transfers")
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
    }
  }

  @Test func onlySomeConnectionsAreKept() async throws {
    let limits = ConnectionLimits(maximumTransfers: 8, maximumKeptConnections: 1)
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      try await makeCalls(50, over: transport, to: server)
      while server.openConnectionCount > 1 { try await Task.sleep(for: .milliseconds(10)) }
      try await makeCalls(1, over: transport, to: server)
    }
  }

  @Test(arguments: [
    (
      ConnectionLimits(maximumConnections: 1), "the maximum number of connections is 1 (limits.max_connections)"
    ),
    (
      ConnectionLimits(maximumConnectionsPerHost: 1),
      "the maximum number of connections is 1 to one host (limits.max_connections_per_host)"
    ),
  ])
  func aLimitOfConnectionsIsNamed(limits: ConnectionLimits, advice: String) async throws {
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      let streams = try await openStreams(1, over: transport, to: server)
      let brief = TransferLimits(totalTimeout: .milliseconds(50))
      let error = await failure(of: transport, .get(server.url(), limits: brief))
      #expect(error?.kind == .totalTimeout)
      #expect(error?.requestMayHaveLeft == false)
      #expect(
        error?.message == "127.0.0.1:\(server.port) did not finish the response within 50 ms: \(advice)")
      withExtendedLifetime(streams) {}
      #expect(server.connectionCount == 1)
    }
  }

  @Test func limitsBelowOneAreOne() async throws {
    let limits = ConnectionLimits(
      maximumTransfers: 0, maximumStreams: -1, maximumConnections: -5, maximumConnectionsPerHost: 0,
      maximumKeptConnections: .min)
    try await withTransport(.init(connections: limits), to: Self.serve) { transport, server in
      try await makeCalls(5, over: transport, to: server)
      #expect(server.connectionCount == 1)
    }
  }

  #if os(Linux)
    @Test func tooManyOpenFilesAreNamed() async {
      await #expect(processExitsWith: .success) {
        try await withRawServer({ try ConnectionLimitTests.serve($0) }) { server in
          let transport = CurlTransport()
          // The connection, its thread, and everything that is loaded late.
          _ = try await transport.send(.get(server.url()))
          var files: [Int32] = []
          var limit = rlimit(rlim_cur: 64, rlim_max: 64)
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          while case let file = open("/dev/null", O_RDONLY), file >= 0 { files.append(file) }
          let port = server.port == 1 ? 2 : 1
          let failed = await #expect(throws: TransportError.self) {
            try await transport.send(.get("http://127.0.0.1:\(port)/"))
          }
          let message = failed?.message ?? ""
          try #require(
            message
              == "no connection to 127.0.0.1:\(port): Too many open files; raise the process's limit of open files "
              + "(ulimit -n), or lower limits.max_streams", "\(message)")
          for file in files { close(file) }
        }
      }
    }
  #endif
}
