import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import Testing

@Suite struct DataSetTests {
  @Test func theGuidesUserHasSomethingForEveryRead() async throws {
    let session = try MockSession(.guide)
    let user = "mock-user-id"
    #expect(try await session.graph.getFollowers(userId: user).totalCount == 3021)
    #expect(try await session.graph.getFollowing(userId: user).totalCount == 1500)
    let posts = try await session.content.getPostsByAuthor(GetPostsByAuthorRequest(authorId: user, limit: 100))
    #expect(posts.totalCount == 245)
    #expect(posts.posts.first?.id == "post-245")
    let bookmarks = try await session.content.getUserBookmarks(GetUserBookmarksRequest(userId: user))
    #expect(bookmarks.total == 37 && bookmarks.posts.count == 37)
    let liked = try await session.social.getUserLikedPosts(GetUserLikedPostsRequest(userId: user))
    #expect(liked.total == 122 && liked.hasMore)
    let stats = try await session.social.batchGetPostStats(
      BatchGetPostStatsRequest(postIds: posts.posts.map(\.id))
    ).stats.values
    #expect(stats.contains { $0.likeCount > 2 && $0.commentCount > 0 && $0.shareCount > 0 })
    let newest = try #require(try await session.stats("post-245"))
    #expect(newest.likeCount > 2 && newest.commentCount > 0)
    #expect(try await session.post("somebody") == "post-1226", "ids go on where the data set ends")
  }

  @Test(arguments: [MockDataSet.guide, .random(users: 30, followsPerUser: 5, postsPerUser: 6)])
  func likesAndCommentsAreLaterThanTheirPosts(dataSet: MockDataSet) async throws {
    let session = try MockSession(dataSet)
    var likes = 0
    var replies = 0
    for number in stride(from: 1, through: 180, by: 3) {
      let id = "post-\(number)"
      let post = try await session.content.getPost(GetPostRequest(postId: id)).post ?? Post()
      let times = try await session.social.getPostLikes(GetPostLikesRequest(postId: id)).likes.map(\.createdAt)
      #expect(times.allSatisfy { $0 > post.createdAt })
      #expect(times == times.sorted(by: >))
      likes += times.count
      let comments = try await session.comments(id, order: "asc")
      let byID = Dictionary(uniqueKeysWithValues: comments.map { ($0.id, $0) })
      #expect(comments.allSatisfy { $0.createdAt > post.createdAt })
      for reply in comments where !reply.parentCommentId.isEmpty {
        #expect(try #require(byID[reply.parentCommentId]).createdAt < reply.createdAt)
        replies += 1
      }
    }
    #expect(likes > 100 && replies > 10)
  }

  @Test func randomSetsHaveWhatWasAskedFor() async throws {
    let session = try MockSession(
      .random(users: 60, followsPerUser: 20, postsPerUser: 3, likesPerPost: 4, commentsPerPost: 2))
    var followers = 0
    var likes: Int64 = 0
    var comments: Int64 = 0
    for number in 1...60 {
      let id = "user-\(number)"
      let following = try await session.graph.getFollowing(userId: id)
      #expect(following.totalCount == 20 && Set(following.userIds).count == 20 && !following.userIds.contains(id))
      followers += try await session.graph.getFollowers(userId: id).totalCount
      let posts = try await session.content.getPostsByAuthor(GetPostsByAuthorRequest(authorId: id))
      #expect(posts.totalCount == 3)
      #expect(posts.posts.map(\.createdAt) == posts.posts.map(\.createdAt).sorted(by: >))
      for post in posts.posts {
        likes += try await session.stats(post.id)?.likeCount ?? 0
        comments += try await session.stats(post.id)?.commentCount ?? 0
      }
    }
    #expect(followers == 60 * 20)
    #expect(comments == 360)
    #expect(likes > 500 && likes <= 720, "\(likes)")
    let first = try await session.graph.getFollowers(userId: "user-1").totalCount
    let last = try await session.graph.getFollowers(userId: "user-60").totalCount
    #expect(first > 2 * last, "\(first) \(last)")
  }

  @Test(arguments: [(0, 5, 5), (1, 5, 0), (2, 99, 1), (10, 9, 1), (5, -1, -1)])
  func extremeSizesAreBuilt(users: Int, follows: Int, posts: Int) async throws {
    let session = try MockSession(.random(users: users, followsPerUser: follows, postsPerUser: posts))
    let page = try await session.graph.getFollowing(userId: "user-1")
    #expect(page.totalCount == min(max(0, follows), max(0, users - 1)))
  }

  @Test func theSameSeedGivesTheSameSet() async throws {
    func likes(_ seed: UInt64) async throws -> [[Like]] {
      var lists: [[Like]] = []
      let session = try MockSession(.random(users: 50), seed: seed)
      for number in 1...20 {
        lists.append(try await session.social.getPostLikes(GetPostLikesRequest(postId: "post-\(number)")).likes)
      }
      return lists
    }
    #expect(try await likes(3) == likes(3))
    #expect(try await likes(3) != likes(4))
  }
}
