import NovaCore
import NovaFeed
import NovaFixtures
import NovaMock
import NovaMockWorlds
import NovaTestSupport
import Testing

/// Feeds and suggestions of a backend that holds a world.
@Suite struct WorldFeedTests {
  /// Scores are the backend's own; what they are made of, and what is in a feed at all, is the world's.
  @Test(arguments: WorldSession.sizes) func feeds(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for user in 0..<size.users {
      let id = world.userID(at: user)
      var posts: [String: FeedPost] = [:]
      var cursor = ""
      repeat {
        let page = try session.call(FeedRPC.getFeed, GetFeedRequest(userId: id, limit: 100, cursor: cursor))
        for post in page.posts { posts[post.id] = post }
        cursor = page.nextCursor
      } while !cursor.isEmpty
      for expected in world.feed(ofUserAt: user, limit: 1000) {
        var post = posts[expected.id]
        post?.rankingScore = expected.rankingScore
        #expect(post == expected)
      }
      let suggested = try session.call(
        FeedRPC.getRecommendedCreators, GetRecommendedCreatorsRequest(userId: id, limit: 100))
      let following = Set(world.following(ofUserAt: user).map(world.userID))
      #expect(suggested.creators.allSatisfy { !following.contains($0.id) && $0.id != id })
    }
  }
}
