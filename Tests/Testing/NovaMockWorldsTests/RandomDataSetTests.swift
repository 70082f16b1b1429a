import NovaContent
import NovaGraph
import NovaMock
import NovaMockWorlds
import NovaSocial
import NovaTestSupport
import Testing

@Suite struct RandomDataSetTests {
  @Test func sizesAreExact() throws {
    let caller = MockCaller(
      dataSet: .random(users: 60, followsPerUser: 20, postsPerUser: 3, likesPerPost: 4, commentsPerPost: 2))
    var (followers, likes, comments) = (0, Int64(0), Int64(0))
    for number in 1...60 {
      let id = "user-\(number)"
      let following = try caller.following(of: id)
      #expect(following.totalCount == 20 && Set(following.userIds).count == 20 && !following.userIds.contains(id))
      followers += try caller.followerCount(of: id)
      let posts = try caller.call(ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: id))
      #expect(posts.totalCount == 3)
      #expect(posts.posts.map(\.createdAt) == posts.posts.map(\.createdAt).sorted(by: >))
      let ids = posts.posts.map(\.id)
      let stats = try caller.call(SocialRPC.batchGetPostStats, BatchGetPostStatsRequest(postIds: ids)).stats
      for post in stats.values { (likes, comments) = (likes + post.likeCount, comments + post.commentCount) }
    }
    #expect(followers == 60 * 20)
    #expect(comments == 360)
    #expect(likes > 500 && likes <= 720, "\(likes)")
    let (first, last) = (try caller.followerCount(of: "user-1"), try caller.followerCount(of: "user-60"))
    #expect(first > 2 * last, "\(first) \(last)")
  }

  @Test func theFirstUserIsAsPopularAsDocumented() throws {
    let caller = MockCaller(dataSet: .random(users: 2_000, followsPerUser: 50, postsPerUser: 0))
    // 1 - (1 - 2000^-⅓)^50 of the users.
    #expect((1_930...1_999).contains(try caller.followerCount(of: "user-1")))
    #expect((5...40).contains(try caller.followerCount(of: "user-2000")))
  }

  @Test func likesAndCommentsAreLaterThanTheirPosts() throws {
    let caller = MockCaller(dataSet: .random(users: 30, followsPerUser: 5, postsPerUser: 6))
    var (likes, replies) = (0, 0)
    for number in 1...180 {
      let id = "post-\(number)"
      let post = try #require(try caller.call(ContentRPC.getPost, GetPostRequest(postId: id)).post)
      let times = try caller.likes(of: id).map(\.createdAt)
      #expect(times.allSatisfy { $0 > post.createdAt })
      #expect(times == times.sorted(by: >))
      likes += times.count
      let comments = try caller.call(
        SocialRPC.getComments, GetCommentsRequest(postId: id, limit: 100, order: "asc")
      ).comments
      let byID = Dictionary(uniqueKeysWithValues: comments.map { ($0.id, $0) })
      #expect(comments.allSatisfy { $0.createdAt > post.createdAt })
      for reply in comments where !reply.parentCommentId.isEmpty {
        #expect(try #require(byID[reply.parentCommentId]).createdAt < reply.createdAt)
        replies += 1
      }
    }
    #expect(likes > 1_000 && replies > 50, "\(likes) \(replies)")
  }

  @Test(arguments: [(0, 5, 5), (1, 5, 0), (2, 99, 1), (10, 9, 1), (5, -1, -1)])
  func extremeSizesAreBuilt(users: Int, follows: Int, posts: Int) throws {
    let caller = MockCaller(dataSet: .random(users: users, followsPerUser: follows, postsPerUser: posts))
    #expect(try caller.following(of: "user-1").totalCount == min(max(0, follows), max(0, users - 1)))
  }

  @Test func theSeedDecidesEverything() throws {
    func likes(_ seed: UInt64) throws -> [[Like]] {
      let caller = MockCaller(seed: seed, dataSet: .random(users: 50))
      return try (1...20).map { try caller.likes(of: "post-\($0)") }
    }
    #expect(try likes(3) == likes(3))
    #expect(try likes(3) != likes(4))
  }
}

extension MockCaller {
  fileprivate func following(of user: String) throws -> GetFollowingResponse {
    try call(GraphRPC.getFollowing, GetFollowingRequest(userId: user, limit: 1000))
  }

  fileprivate func followerCount(of user: String) throws -> Int {
    try call(GraphRPC.getFollowers, GetFollowersRequest(userId: user)).totalCount
  }

  fileprivate func likes(of post: String) throws -> [Like] {
    try call(SocialRPC.getPostLikes, GetPostLikesRequest(postId: post)).likes
  }
}
