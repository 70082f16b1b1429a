import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

/// Compares every read after thousands of random writes with a model.
@Suite struct SocialModelTests {
  @Test(arguments: TestDepth.cases([1, 2, 3] as [UInt64], sample: 1))
  func everyReadAgreesWithTheModel(seed: UInt64) async throws {
    var steps = try SocialSteps(seed: seed)
    for _ in 1...8 {
      for _ in 0..<200 { try await steps.step() }
      for number in 1...steps.model.postCount { try await checkPost("post-\(number)", steps) }
      for user in steps.users { try await checkUser(user, steps) }
      try await checkComments(steps)
    }
  }

  private func checkPost(_ id: String, _ steps: SocialSteps) async throws {
    let (session, model) = (steps.session, steps.model)
    let post = try await session.content.getPost(GetPostRequest(postId: id))
    #expect(post.post == model.post(id) && post.found == (model.post(id) != nil))
    #expect(
      try await session.content.checkPostExists(CheckPostExistsRequest(postId: id)).exists == post.found)

    let stats = model.stats(id)
    #expect(try await session.stats(id) == stats)
    #expect(try await session.social.getLikeCount(GetLikeCountRequest(postId: id)).count == stats.likeCount)
    #expect(try await session.social.getCommentCount(GetCommentCountRequest(postId: id)).count == stats.commentCount)
    #expect(try await session.social.getShareCount(GetShareCountRequest(postId: id)).count == stats.shareCount)

    let likes = try await session.social.getPostLikes(GetPostLikesRequest(postId: id, limit: 100))
    #expect(likes.userIds == model.likes.users(of: id))
    #expect(likes.likes.map(\.userId) == likes.userIds && likes.totalCount == likes.userIds.count)

    let comments = model.comments.filter { $0.postId == id }
    #expect(try await session.comments(id) == comments.reversed())
    #expect(try await session.comments(id, order: "asc") == comments)
    let changes = model.changes.compactMap { change in comments.first { $0.id == change } }
    #expect(try await session.comments(id, sortBy: "updated_at") == changes.reversed())
    let byChange = GetCommentsRequest(postId: id, sortBy: "updated_at")
    #expect(try await session.social.getComments(byChange).totalCount == comments.count)
  }

  private func checkComments(_ steps: SocialSteps) async throws {
    let ids = Set(steps.model.comments.map(\.id))
    for number in 1...steps.model.commentCount {
      let request = GetCommentRequest(commentId: "comment-\(number)")
      let isThere = await code { try await steps.session.social.getComment(request) } == nil
      #expect(isThere == ids.contains(request.commentId))
    }
  }

  private func checkUser(_ user: String, _ steps: SocialSteps) async throws {
    let (session, model) = (steps.session, steps.model)
    let liked = try await session.social.getUserLikedPosts(GetUserLikedPostsRequest(userId: user, limit: 100))
    #expect(liked.total == model.likes.others(of: user).count)
    #expect(liked.postIds == Array(model.likes.others(of: user).prefix(100)))
    let bookmarks = try await session.content.getUserBookmarks(GetUserBookmarksRequest(userId: user, limit: 100))
    #expect(bookmarks.posts.map(\.id) == Array(model.bookmarks.others(of: user).prefix(100)))
    #expect(bookmarks.total == model.bookmarks.others(of: user).count)
    #expect(
      try await session.graph.getFollowing(userId: user).userIds == model.follows.others(of: user))
    for status in ["", "published", "draft", "archived"] {
      let posts = model.posts.filter { $0.creatorId == user && (status.isEmpty || $0.status == status) }
      let page = try await session.content.getPostsByAuthor(
        GetPostsByAuthorRequest(authorId: user, status: status, limit: 100))
      #expect(page.posts == Array(posts.reversed().prefix(100)) && page.totalCount == posts.count)
    }
    for post in model.posts.prefix(20) {
      let pair = SocialModel.Pair(user: user, other: post.id)
      let liked = CheckUserLikedRequest(userId: user, postId: post.id)
      #expect(try await session.social.checkUserLiked(liked).liked == model.likes.contains(pair))
      let shared = CheckUserSharedRequest(userId: user, postId: post.id)
      #expect(try await session.social.checkUserShared(shared).shared == model.shares.contains(pair))
    }
    try await checkFeed(user, steps)
  }

  private func checkFeed(_ user: String, _ steps: SocialSteps) async throws {
    for algorithm in ["ch", "v2", "hybrid"] {
      let feed = try await steps.session.feed(user, algorithm, pageSize: 7)
      #expect(Set(feed.map(\.id)) == steps.model.feed(user))
      #expect(Set(feed.map(\.id)).count == feed.count)
      #expect(feed.map(\.rankingScore) == feed.map(\.rankingScore).sorted(by: >))
      for post in feed {
        let stats = steps.model.stats(post.id)
        #expect(Int64(post.likeCount) == stats.likeCount && Int64(post.commentCount) == stats.commentCount)
        #expect(Int64(post.shareCount) == stats.shareCount)
      }
    }
  }
}
