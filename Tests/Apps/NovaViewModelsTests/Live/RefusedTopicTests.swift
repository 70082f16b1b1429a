import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaSDK
import NovaSocial
import NovaTestSupport
import Testing

@testable import NovaViewModels

/// If the gateway refuses topics, only their own updates are missing.
@Suite(.hangLimit) @MainActor struct RefusedTopicTests {
  /// A mock backend that refuses the events of some posts, such as posts that only followers may see.
  private final class RefusingBackend: HTTPTransport {
    let refused = Locked<Set<String>>([])
    let refusals = Locked(0)
    private let base: MockTransport

    init(_ backend: MockBackend) { base = MockTransport(backend) }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let refused = refused.withLock { $0 }
      let text =
        request.url.path.contains("/events/")
        ? (request.url.query ?? "").replacing("%3A", with: ":")
          + String(decoding: request.body.bytes ?? [], as: UTF8.self)
        : ""
      // IDs end with a quotation mark in lists, and with a separator in queries.
      guard refused.contains(where: { text.contains("\($0)\"") || "\(text)&".contains("\($0)&") }) else {
        return try await base.send(request)
      }
      refusals.withLock { $0 += 1 }
      return HTTPResponse(
        status: 403, headers: ["Content-Type": "application/json"], body: Array(#"{"code":7,"message":"private"}"#.utf8)
      )
    }

    func shutdown() async { await base.shutdown() }
  }

  private let backend: RefusingBackend
  private let nova: NovaClient
  private let model: UserProfileViewModel

  init() {
    backend = RefusingBackend(MockBackend())
    nova = NovaClient(configuration: .builtIn, transport: backend)
    model = UserProfileViewModel(
      currentUserId: "user-0001", graph: nova.graph, social: nova.social, content: nova.content, media: nova.media,
      users: nova.users, events: nova.events)
  }

  private func becomes(_ isSo: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<1000 {
      if try await isSo() { return true }
      try? await ContinuousClock().sleep(for: .milliseconds(10))
    }
    return false
  }

  /// The profile and every allowed post are live.
  private func expectLive(_ posts: [Post], refused: Set<String>) async throws {
    for post in posts where !refused.contains(post.id) {
      let user = "user-0\(900 + Int.random(in: 0..<90))"
      let count = try #require(model.likeCount(post.id))
      let isLiked = try await nova.social.checkUserLiked(postId: post.id, userId: user)
      if isLiked {
        try await nova.social.deleteLike(postId: post.id, userId: user)
      } else {
        try await nova.social.createLike(postId: post.id, userId: user)
      }
      #expect(await becomes { model.likeCount(post.id) == count + (isLiked ? -1 : 1) }, "\(post.id) is not live")
    }
    let followers = try #require(model.userProfile?.followerCount)
    _ = try await nova.graph.createFollow(
      CreateFollowRequest(followerId: "user-0999", followeeId: "mock-user-id"))
    #expect(await becomes { model.userProfile?.followerCount == followers + 1 })
  }

  @Test(arguments: [[0], [3], [1, 2, 7]]) func aRefusedPostCostsOnlyItsOwnUpdates(_ indices: [Int]) async throws {
    let posts = try await nova.content.getPostsByAuthor(authorId: "mock-user-id", status: .published, limit: 20).posts
    let refused = Set(indices.filter { $0 < posts.count }.map { posts[$0].id })
    backend.refused.withLock { $0 = Set(refused.map { "post:\($0)" }) }
    model.follow(live: true)
    await model.loadUserProfile(userId: "mock-user-id")
    await model.waitForLikes()
    #expect(model.errorMessage == nil)
    #expect(await becomes { nova.events.state == .live })
    try await expectLive(Array(posts.prefix(8)), refused: refused)
    // The refused topic is not requested repeatedly.
    let refusals = backend.refusals.withLock { $0 }
    await model.loadContent(for: .posts)
    await model.waitForLikes()
    #expect(backend.refusals.withLock { $0 } == refusals)
  }

  /// A topic is refused later, because the author makes the post private.
  @Test func aPostThatIsRefusedLaterCostsOnlyItsOwn() async throws {
    model.follow(live: true)
    await model.loadUserProfile(userId: "mock-user-id")
    await model.waitForLikes()
    #expect(await becomes { nova.events.state == .live })
    let posts = model.posts
    let refused = try #require(posts.dropFirst(2).first?.id)
    backend.refused.withLock { $0 = ["post:\(refused)"] }
    // Following another topic opens another connection.
    _ = try await nova.content.createPost(creatorId: "mock-user-id", content: "news")
    #expect(await becomes { model.posts.first?.content == "news" })
    await model.waitForLikes()
    #expect(await becomes { backend.refusals.withLock { $0 } > 0 && nova.events.state == .live })
    try await expectLive(Array(posts.prefix(5)), refused: [refused])
  }

  @Test func aGatewayThatRefusesEverythingIsNotAskedForEachTopic() async throws {
    backend.refused.withLock { $0 = ["post:", "user:mock-user-id"] }
    backend.refused.withLock { refused in
      for number in 0..<3000 { refused.insert("post:post-\(number)") }
    }
    model.follow(live: true)
    await model.loadUserProfile(userId: "mock-user-id")
    await model.waitForLikes()
    #expect(model.errorMessage == nil && !model.posts.isEmpty)
    #expect(backend.refusals.withLock { $0 } < 150)
  }
}
