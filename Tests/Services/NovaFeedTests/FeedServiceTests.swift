import NovaCore
import NovaFeed
import NovaMock
import NovaTestSupport
import Testing

/// The feed service against the mock backend and its sample user.
@Suite struct FeedServiceTests {
  private let id = "mock-user-id"
  private let feed: FeedService

  init() throws { feed = FeedService(client: try APIClient.test(MockTransport(MockBackend()), token: nil)) }

  @Test func pagesFollowOneAnother() async throws {
    let first = try await feed.getFeed(userId: id, limit: 5, algorithm: .chronological)
    #expect(first.posts.count == 5 && first.hasMore && !first.nextCursor.isEmpty)
    let second = try await feed.getFeed(userId: id, limit: 5, cursor: first.nextCursor, algorithm: .chronological)
    #expect(Set(first.posts.map(\.id)).isDisjoint(with: second.posts.map(\.id)))
    let times = (first.posts + second.posts).map(\.createdAt)
    #expect(times == times.sorted(by: >))
    let error = await apiError { try await feed.getFeed(userId: id, cursor: "garbage") }
    #expect(error?.code == .invalidArgument && error?.rpc == "feed.GetFeed")
  }

  @Test(arguments: [FeedAlgorithm.chronological, .v2, .hybrid])
  func theFeedComesOnce(algorithm: FeedAlgorithm) async throws {
    var ids: [String] = []
    for try await post in feed.feed(of: id, algorithm: algorithm, pageSize: 30, maximumCount: 100) {
      ids.append(post.id)
    }
    #expect(ids.count == 100 && Set(ids).count == 100)
    let page = try await feed.getFeed(userId: id, limit: 100, algorithm: algorithm)
    #expect(page.posts.map(\.id) == ids)
  }

  @Test func anEmptyFeedEndsAtOnce() async throws {
    for try await post in feed.feed(of: "nobody") { Issue.record("\(post)") }
    let error = await apiError { try await feed.getFeed(userId: "nobody", algorithm: FeedAlgorithm(rawValue: "x")) }
    #expect(error?.code == .invalidArgument)
  }

  @Test func postsAreRanked() async throws {
    let posts = (1...3).map { RankablePost(id: "p\($0)", authorId: "a", content: "x", likeCount: $0 * 100) }
    let context = RankingContext(blockedUsers: [])
    let ranked = try await feed.rankPosts(userId: id, posts: posts, context: context)
    #expect(Set(ranked.map(\.id)) == ["p1", "p2", "p3"])
    #expect(ranked.map(\.score) == ranked.map(\.score).sorted(by: >))
    #expect(try await feed.rankPosts(userId: id, posts: []).isEmpty)
  }

  @Test func creatorsAreRecommended() async throws {
    let creators = try await feed.getRecommendedCreators(userId: id, limit: 5)
    #expect(creators.count == 5 && creators.allSatisfy { !$0.reason.isEmpty && $0.id != id })
    #expect(try await feed.getRecommendedCreators(userId: "nobody").isEmpty)
  }

  @Test func theCacheIsInvalidated() async throws {
    try await feed.invalidateFeedCache(userId: id, eventType: "follow")
    let error = await apiError { try await feed.invalidateFeedCache(userId: "") }
    #expect(error?.code == .invalidArgument && error?.httpStatus == nil)
  }
}

/// What real backends send and the mock does not.
@Suite struct FeedAnswerTests {
  private func service(_ body: String) throws -> FeedService {
    FeedService(client: try APIClient.test(RecordingTransport(body)))
  }

  @Test(arguments: [
    #"{"posts":[{"id":"p","user_id":"u","created_at":1704164645,"ranking_score":0.5,"like_count":7}]}"#,
    #"{"posts":[{"id":"p","userId":"u","createdAt":"1704164645","rankingScore":"0.5","likeCount":"7"}]}"#,
    #"{"posts":[{"id":"p","userId":"u","createdAt":"2024-01-02T03:04:05Z","rankingScore":5e-1,"likeCount":7.0}]}"#,
    #"{"posts":[{"id":"p","user_id":"u","created_at":"2024-01-02 03:04:05","ranking_score":0.5,"likeCount":7}]}"#,
  ])
  func postsAreReadInEveryForm(body: String) async throws {
    let page = try await service(body).getFeed(userId: "u")
    #expect(
      page.posts == [
        FeedPost(id: "p", userId: "u", createdAt: 1_704_164_645, rankingScore: 0.5, likeCount: 7)
      ])
    #expect(!page.hasMore && page.nextCursor.isEmpty)
  }

  @Test func emptyAnswersAreEmptyLists() async throws {
    let feed = try service("{}")
    #expect(try await feed.getFeed(userId: "u") == GetFeedResponse())
    #expect(try await feed.rankPosts(userId: "u", posts: [RankablePost(id: "p")]).isEmpty)
    #expect(try await feed.getRecommendedCreators(userId: "u").isEmpty)
    let error = await apiError { try await feed.invalidateFeedCache(userId: "u") }
    #expect(error?.code == .failedPrecondition)
  }

  /// Servers end a feed without a cursor, or with one and `has_more` false or absent.
  @Test(arguments: ["", #","next_cursor":"""#, #","nextCursor":"c9""#, #","next_cursor":"c9","has_more":false"#])
  func aFeedEnds(end: String) async throws {
    let transport = RecordingTransport { number, _ in
      let rest = number < 2 ? #","next_cursor":"c\#(number)","has_more":true"# : end
      let body = #"{"posts":[{"id":"\#(number)"}]\#(rest)}"#
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let feed = FeedService(client: try APIClient.test(transport))
    var ids: [String] = []
    for try await post in feed.feed(of: "u") { ids.append(post.id) }
    #expect(ids == ["0", "1", "2"])
    let bodies = transport.requests.map { String(decoding: $0.body.inMemory, as: UTF8.self) }
    #expect(bodies.map { $0.contains(#""cursor":"c"#) } == [false, true, true])
  }

  /// Servers can leave it to the cursor whether there is more.
  @Test func aCursorLeadsOnWithoutAFlag() async throws {
    let transport = RecordingTransport { number, _ in
      let cursor = number < 3 ? "c\(number)" : ""
      let body = #"{"posts":[{"id":"\#(number)"}],"next_cursor":"\#(cursor)"}"#
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
    let feed = FeedService(client: try APIClient.test(transport))
    var ids: [String] = []
    for try await post in feed.feed(of: "u") { ids.append(post.id) }
    #expect(ids == ["0", "1", "2", "3"])
    let page = try await service(#"{"posts":[{"id":"p"}],"next_cursor":"c"}"#).getFeed(userId: "u")
    #expect(page.hasMore && page.nextCursor == "c")
    #expect(try await service(#"{"posts":[],"next_cursor":"c"}"#).getFeed(userId: "u").hasMore == false)
  }

  @Test func aStandstillIsAnError() async throws {
    let feed = try service(#"{"posts":[{"id":"p"}],"next_cursor":"same","has_more":true}"#)
    await #expect(throws: APIError.self) { for try await _ in feed.feed(of: "u") {} }
  }
}
