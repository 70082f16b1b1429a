import NovaSDK
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// Lists that follow what happens: after each change, the list is what the backend lists.
@Suite struct LiveListTests {
  @Test func followersComeAndGo() async throws {
    let nova = NovaClient.mock(MockBackend(dataSet: .empty))
    for number in 1...4 { try await nova.graph.followUser(followerId: "f\(number)", followeeId: "ada") }
    var states = nova.graph.liveFollowers(of: "ada", limit: 3).makeAsyncIterator()
    #expect(try await states.next() == ["f4", "f3", "f2"])

    try await nova.graph.followUser(followerId: "f5", followeeId: "ada")
    #expect(try await states.next() == ["f5", "f4", "f3"])
    // Follows by the user do not change who follows the user.
    try await nova.graph.followUser(followerId: "ada", followeeId: "f4")
    // Another one moves up, which only the backend knows.
    try await nova.graph.unfollowUser(followerId: "f4", followeeId: "ada")
    #expect(try await states.next() == ["f5", "f3", "f2"])
  }

  @Test func commentsComeChangeAndGo() async throws {
    let nova = NovaClient.mock()
    let post = try await nova.content.createPost(creatorId: "mock-user-id", content: "Morning walk").id
    var states = nova.social.liveComments(on: post).makeAsyncIterator()
    #expect(try await states.next() == [])

    let first = try await nova.social.createComment(postId: post, userId: "mock-user-id", content: "First")
    #expect(try await states.next()?.map(\.content) == ["First"])
    _ = try await nova.social.createComment(
      postId: post, userId: "mock-user-id", content: "Reply", parentCommentId: first.id)
    #expect(try await states.next()?.map(\.parentCommentId) == [first.id, ""])
    // Likes change no comment.
    try await nova.social.createLike(postId: post, userId: "mock-user-id")
    _ = try await nova.social.updateComment(commentId: first.id, userId: "mock-user-id", content: "Edited")
    #expect(try await states.next()?.map(\.content) == ["Reply", "Edited"])
    let second = try await nova.social.createComment(postId: post, userId: "mock-user-id", content: "Second")
    #expect(try await states.next()?.count == 3)
    // Its replies go with it, each with an event.
    try await nova.social.deleteComment(commentId: first.id, userId: "mock-user-id")
    #expect(try await states.next()?.count == 2)
    #expect(try await states.next() == [second])
  }

  @Test func feedShowsNewPostsAndWhatHappensToThem() async throws {
    let nova = NovaClient.mock(MockBackend(dataSet: .empty))
    try await nova.graph.followUser(followerId: "reader", followeeId: "ada")
    var states = nova.feed.liveFeed(of: "reader", limit: 5, algorithm: .chronological).makeAsyncIterator()
    #expect(try await states.next() == [])

    let post = try await nova.content.createPost(creatorId: "ada", content: "Morning walk").id
    #expect(try await states.next()?.map(\.id) == [post])
    // The topic of the post was not known when the list was read first.
    try await nova.social.createLike(postId: post, userId: "reader")
    #expect(try await states.next()?.map(\.likeCount) == [1])
    _ = try await nova.content.updatePost(postId: post, content: "Evening walk")
    #expect(try await states.next()?.map(\.content) == ["Evening walk"])

    _ = try await nova.content.createPost(creatorId: "bob", content: "Seen only by those who follow bob")
    try await nova.graph.followUser(followerId: "reader", followeeId: "bob")
    #expect(try await states.next()?.count == 2)
    try await nova.content.deletePost(postId: post, deletedById: "ada")
    let last = try await states.next()
    #expect(try await last == nova.feed.getFeed(userId: "reader", limit: 5, algorithm: .chronological).posts)
  }

  @Test func eachIterationHasItsOwnSubscription() async throws {
    let nova = NovaClient.mock(MockBackend(dataSet: .empty))
    let list = nova.graph.liveFollowers(of: "ada")
    var (first, second) = (list.makeAsyncIterator(), list.makeAsyncIterator())
    #expect(try await first.next() == [])
    try await nova.graph.followUser(followerId: "f1", followeeId: "ada")
    #expect(try await first.next() == ["f1"])
    #expect(try await second.next() == ["f1"])
    await nova.events.disconnect()
    #expect(try await first.next() == nil)
    #expect(try await second.next() == nil)
  }

  /// What happens while the list is read comes as events, too, although the list has it.
  @Test(arguments: 0..<40) func changesWhileReadingAreAppliedTwice(seed: Int) async throws {
    let backend = MockBackend(dataSet: .empty)
    let others = NovaClient.mock(backend)
    let changes = ChangesWhileReading(seed: UInt64(seed), others)
    let nova = NovaClient(configuration: .builtIn, transport: MockTransport(backend)) { $0.middlewares = [changes] }
    var states = nova.graph.liveFollowers(of: "ada", limit: 4).makeAsyncIterator()
    var state = try await states.next() ?? []
    changes.end()
    // The first mark can be read; behind the second, all events before it were applied.
    for mark in ["mark 1", "mark 2"] {
      try await others.graph.followUser(followerId: mark, followeeId: "ada")
      while state.first != mark { state = try #require(try await states.next()) }
    }
    #expect(try await state == others.graph.getFollowers(userId: "ada", limit: 4).userIds)
  }

  @Test(arguments: [0, -1, 99]) func limitsAreChecked(limit: Int) async throws {
    var states = NovaClient.mock().feed.liveFeed(of: "mock-user-id", limit: limit).makeAsyncIterator()
    let error = await #expect(throws: APIError.self) { try await states.next() }
    #expect(error?.message == "a live list shows 1 to 98 items, got limit \(limit)")
    #expect(try await states.next() == nil)
  }
}

/// Lets users follow ada, and no longer follow her, before the list of her followers is read.
private final class ChangesWhileReading: Middleware {
  private struct State {
    var random: SeededGenerator
    var isActive = true
  }

  private let nova: NovaClient
  private let state: Locked<State>

  init(seed: UInt64, _ nova: NovaClient) {
    self.nova = nova
    state = Locked(State(random: SeededGenerator(seed: seed)))
  }

  func end() { state.withLock { $0.isActive = false } }

  func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    guard request.url.path.hasSuffix("/followers") else { return try await next(request) }
    for _ in 1...12 {
      let (user, follows) = state.withLock { state in
        ("f\(state.random.next(below: 6))", state.isActive ? !state.random.one(in: 3) : nil)
      }
      switch follows {
      case true?: try await nova.graph.followUser(followerId: user, followeeId: "ada")
      case false?: try await nova.graph.unfollowUser(followerId: user, followeeId: "ada")
      case nil: break
      }
    }
    return try await next(request)
  }
}
