import NovaCore
import NovaEvents
import NovaMock
import NovaSDK
import NovaSupport
import NovaTestSupport
import Testing

@testable import NovaViewModels

/// Events during a load are shown, even if the load has read older content.
@Suite(.hangLimit) @MainActor struct EventsDuringLoadsTests {
  private let backend = MockBackend()
  private let gate = Gate()
  private let others: NovaClient
  private let nova: NovaClient
  private let model: UserProfileViewModel
  private let stranger = "a-stranger"

  init() {
    others = .mock(backend)
    nova = NovaClient(configuration: .builtIn, transport: MockTransport(backend)) { [gate] in
      $0.middlewares = [gate]
      $0.resilience = Resilience(retry: .standard(attempts: 1))
    }
    model = UserProfileViewModel(
      currentUserId: "user-0001", graph: nova.graph, social: nova.social, content: nova.content, media: nova.media,
      users: nova.users, events: nova.events)
    model.follow(live: true)
  }

  @Test func anEventThatTheLoadHasNotSeenShows() async throws {
    let count = try await others.users.getUserProfile(userId: "mock-user-id").followerCount
    gate.hold("/posts/author")
    let loading = Task { await model.loadUserProfile(userId: "mock-user-id") }
    // The profile has been read, but the posts have not.
    try await waitUntil { gate.passed("/profile") && gate.isHolding }
    let received = nova.events.subscribe(topics: [.user("mock-user-id")])
    try await received.begin()
    try await others.graph.followUser(followerId: stranger, followeeId: "mock-user-id")
    var updates = received.makeAsyncIterator()
    _ = try await updates.next()
    // The model receives the event over the same connection.
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    await loading.value
    try await waitUntil { @MainActor in model.userProfile?.followerCount == count + 1 }
    #expect(model.followerIds.first == stranger)
  }

  @Test func aLateBeginningLoadsAgain() async throws {
    let count = try await others.users.getUserProfile(userId: "mock-user-id").followerCount
    gate.fail("/events/list")
    await model.loadUserProfile(userId: "mock-user-id")
    #expect(model.userProfile?.followerCount == count && model.errorMessage == nil)
    // No subscription has begun yet.
    try await others.graph.followUser(followerId: stranger, followeeId: "mock-user-id")
    gate.open()
    try await waitUntil { @MainActor in model.userProfile?.followerCount == count + 1 }
  }
}

/// Holds back or fails the requests of one path.
private final class Gate: Middleware {
  private struct State {
    var path: String?
    var fails = false
    var passed: Set<String> = []
    var held: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  var isHolding: Bool { state.withLock { !$0.held.isEmpty } }

  func passed(_ path: String) -> Bool { state.withLock { $0.passed.contains { $0.hasSuffix(path) } } }
  func hold(_ path: String) { state.withLock { ($0.path, $0.fails) = (path, false) } }
  func fail(_ path: String) { state.withLock { ($0.path, $0.fails) = (path, true) } }

  func open() {
    let held = state.withLock { state in
      defer { (state.path, state.held) = (nil, []) }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    let path = request.url.path
    let (isHeld, fails) = state.withLock { state in
      let isMeant = state.path.map { path.hasSuffix($0) } ?? false
      return (isMeant && !state.fails, isMeant && state.fails)
    }
    if fails { throw APIError(.unavailable, "not now") }
    if isHeld {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if state.path != nil { state.held.append(continuation) }
          return state.path == nil
        }
        if isOpen { continuation.resume() }
      }
    }
    let response = try await next(request)
    state.withLock { _ = $0.passed.insert(path) }
    return response
  }
}
