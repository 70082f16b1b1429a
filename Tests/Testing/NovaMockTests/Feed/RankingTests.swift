import NovaCore
import NovaFeed
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@Suite struct RankingTests {
  private let day: Int64 = 86_400

  private func rank(
    _ posts: [RankablePost], _ context: RankingContext?, in session: MockSession
  ) async throws -> [RankedPost] {
    try await session.feed.rankPosts(RankPostsRequest(userId: "me", posts: posts, context: context)).rankedPosts
  }

  @Test func aPostWithoutAnIDIsRefused() async throws {
    let session = try MockSession()
    let error = await #expect(throws: APIError.self) {
      try await rank([RankablePost(id: "a", authorId: "x"), RankablePost(authorId: "x")], nil, in: session)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func everyReasonCounts() async throws {
    let session = try MockSession()
    let old = session.now - 7 * day
    let posts = [
      RankablePost(id: "plain", authorId: "a", content: "x", createdAt: old),
      RankablePost(id: "new", authorId: "a", content: "x", createdAt: session.now),
      RankablePost(id: "popular", authorId: "a", content: "x", createdAt: old, likeCount: 500, shareCount: 200),
      RankablePost(id: "interesting", authorId: "a", content: "More COFFEE and tea", createdAt: old),
      RankablePost(id: "followed", authorId: "friend", content: "x", createdAt: old),
    ]
    let context = RankingContext(userInterests: ["coffee", "Tea", "", "maps"], followedUsers: ["friend"])
    let ranks = try await rank(posts, context, in: session)
    #expect(
      ranks.map { "\($0.id): \($0.reason)" } == [
        "popular: popular", "interesting: about coffee and Tea", "new: new", "followed: from someone you follow",
        "plain: ",
      ])
    #expect(ranks.map(\.score) == ranks.map(\.score).sorted(by: >))
    #expect(ranks.last?.score == 0.75, "6 halves away to 6/8 in seven days")
  }

  @Test func recencyIsRelativeToTheContextsTime() async throws {
    let session = try MockSession()
    let post = [RankablePost(id: "p", authorId: "a", createdAt: 5 * day)]
    #expect(try await rank(post, RankingContext(timestamp: 6 * day), in: session).first?.score == 3)
    #expect(try await rank(post, RankingContext(timestamp: 5 * day), in: session).first?.score == 6)
    #expect(try await rank(post, RankingContext(timestamp: 1), in: session).first?.score == 6, "from the future")
    session.advance(12 * day - session.now)
    #expect(try await rank(post, nil, in: session).first?.score == 0.75, "without a context, from now")
  }

  @Test func blockedAuthorsAreLeftOut() async throws {
    let session = try MockSession()
    try await session.graph.blockUser(blockerId: "me", blockedId: "a")
    try await session.graph.blockUser(blockerId: "b", blockedId: "me")
    try await session.graph.muteUser(muterId: "me", muteeId: "c")
    let posts = ["a", "b", "c", "d", "e"].map { RankablePost(id: "of \($0)", authorId: $0) }
    let ranks = try await rank(posts, RankingContext(blockedUsers: ["d"]), in: session)
    #expect(ranks.map(\.id) == ["of e"])
  }

  @Test func equalPostsKeepTheirOrderAndExtremesAreHandled() async throws {
    let session = try MockSession()
    let posts = (0..<50).map { RankablePost(id: "\($0)", authorId: "a") }
    #expect(try await rank(posts, nil, in: session).map(\.id) == posts.map(\.id))
    let most = Int(UInt32.max)
    let extreme = [
      RankablePost(id: "a", createdAt: .min, likeCount: most, commentCount: most, shareCount: most),
      RankablePost(id: "b", createdAt: .max),
    ]
    let ranks = try await rank(extreme, RankingContext(timestamp: .max), in: session)
    #expect(ranks.map(\.id) == ["a", "b"])
    #expect(ranks.allSatisfy { $0.score.isFinite })
    #expect(try await rank([], nil, in: session) == [])
  }
}
