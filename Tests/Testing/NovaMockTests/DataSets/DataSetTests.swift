import NovaContent
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
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

  @Test func likesAndCommentsAreLaterThanTheirPosts() async throws {
    let session = try MockSession(.guide)
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
}
