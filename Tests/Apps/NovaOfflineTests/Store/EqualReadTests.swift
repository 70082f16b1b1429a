import NovaCore
import NovaGraph
import NovaMock
import NovaOffline
import NovaTestSupport
import NovaTesting
import Testing

/// A transport that keeps its answers until it is told to return them.
private final class HeldTransport: HTTPTransport {
  private struct State {
    var isOpen = false
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let mock: MockTransport
  private let state = Locked(State())

  init(_ backend: MockBackend) { mock = MockTransport(backend) }

  var count: Int { state.withLock { $0.count } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        state.count += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    return try await mock.send(request)
  }
}

@Suite struct EqualReadTests {
  private let world = OfflineWorld()
  private let rpc = GraphRPC.getFollowers

  private func client(_ transport: HeldTransport, in folder: TemporaryFolder) throws -> APIClient {
    let user = try world.newUser("ada")
    let store = OfflineStore(directory: folder.path, clock: world.clock)
    return try APIClient.test(
      transport, tokens: StoredToken(AccessToken(user.token)), store: store, clock: world.clock)
  }

  @Test func makesOneRequestForEqualReads() async throws {
    let folder = try TemporaryFolder()
    let transport = HeldTransport(world.mock.backend)
    let client = try client(transport, in: folder)
    let rpc = rpc
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask {
          // Two different requests, fifty times each.
          let request = GetFollowersRequest(userId: "user-\(number % 2)", limit: 5)
          return try await client.respond(rpc, request, options: CallOptions(cache: .networkOnly)).value.totalCount
        }
      }
      while transport.count < 2 { await Task.yield() }
      for _ in 0..<1000 { await Task.yield() }
      transport.open()
      for try await total in group { #expect(total == 0) }
    }
    #expect(transport.count < 20, "\(transport.count) requests for 2 different reads")
  }

  @Test func takesTheStoredAnswerOfASlowGateway() async throws {
    let folder = try TemporaryFolder()
    let transport = HeldTransport(world.mock.backend)
    let client = try client(transport, in: folder)
    let request = GetFollowersRequest(userId: "user-1", limit: 5)
    transport.open()
    _ = try await client.respond(rpc, request)
    let slow = HeldTransport(world.mock.backend)
    let user = try world.newUser("bob")
    let store = OfflineStore(directory: folder.path, clock: world.clock)
    let tokens = StoredToken(try AccessToken(user.token))
    let other = try APIClient.test(slow, tokens: tokens, store: store, clock: world.clock)
    slow.open()
    _ = try await other.respond(rpc, request)
    await store.end()
    let held = HeldTransport(world.mock.backend)
    let again = OfflineStore(directory: folder.path, clock: world.clock)
    let third = try APIClient.test(held, tokens: tokens, store: again, clock: world.clock)
    let (rpc, clock) = (rpc, world.clock)
    async let answer = third.respond(rpc, request, options: CallOptions(cache: .networkFirst(timeout: .seconds(2))))
    while held.count == 0 { await Task.yield() }
    // The call itself waits, too, for its deadline.
    while clock.sleeperCount == 0 { await Task.yield() }
    let ticking = Task {
      while !Task.isCancelled {
        clock.advance(by: .milliseconds(500))
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    guard case .cache = try await answer.source else {
      Issue.record("the stored answer was not taken")
      return
    }
    ticking.cancel()
    held.open()
  }
}
