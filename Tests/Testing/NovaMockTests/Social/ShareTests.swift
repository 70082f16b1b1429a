import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

@Suite struct ShareTests {
  @Test func everyShareCounts() async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    for (count, type) in ["repost", "story", "dm", ""].enumerated() {
      #expect(try await session.share("a", post, type: type) == Int64(count + 1))
    }
    #expect(try await session.social.getShareCount(GetShareCountRequest(postId: post)).count == 4)
    #expect(try await session.social.checkUserShared(CheckUserSharedRequest(userId: "a", postId: post)).shared)
    #expect(try await !session.social.checkUserShared(CheckUserSharedRequest(userId: "b", postId: post)).shared)
  }

  @Test(arguments: ["fax", "REPOST", " "])
  func otherTypesAreRefused(type: String) async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    #expect(await code { try await session.share("a", post, type: type) } == .invalidArgument)
    #expect(try await session.stats(post) == PostStats())
  }

  @Test func statsCountEverything() async throws {
    let session = try MockSession()
    let post = try await session.post("author")
    for user in ["a", "b", "c"] { try await session.like(user, post) }
    for user in ["a", "b"] { try await session.comment(user, on: post) }
    try await session.share("a", post)
    #expect(try await session.stats(post) == PostStats(likeCount: 3, commentCount: 2, shareCount: 1))
  }
}
