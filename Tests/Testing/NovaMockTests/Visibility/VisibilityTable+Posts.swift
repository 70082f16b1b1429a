import NovaContent
import NovaCore
import NovaFeed
import NovaSocial
import Testing

extension VisibilityTable {
  static let content: [String: VisibilityClass] = [
    "content.GetPost": .post("found") {
      let response = try await $0.client.call(ContentRPC.getPost, .init(postId: $0.item.post))
      return response.found && response.post != nil
    },
    "content.CheckPostExists": .post("exists") {
      try await $0.client.call(ContentRPC.checkPostExists, .init(postId: $0.item.post)).exists
    },
    "content.GetPostsByIds": .post("in a batch") {
      let request = GetPostsByIdsRequest(postIds: ["none", $0.item.post])
      return try await !$0.client.call(ContentRPC.getPostsByIds, request).posts.isEmpty
    },
    "content.GetPostsByAuthor": .shows(
      VisibilityRow("in the author's list", if: \.showsPost) { call in
        let page = try await call.client.call(ContentRPC.getPostsByAuthor, .init(authorId: call.owner, limit: 100))
        #expect(try Set(page.posts.map(\.id)) == call.visiblePosts() && page.totalCount == page.posts.count)
        #expect(!page.hasMore)
        return page.posts.contains { $0.id == call.item.post }
      },
      VisibilityRow("in the list of a status, page by page", if: \.showsPost) { call in
        let visible = try call.visiblePosts(call.probe.status)
        var found: [String] = []
        for offset in 0...3 {
          let page = try await call.client.call(
            ContentRPC.getPostsByAuthor,
            .init(authorId: call.owner, status: call.probe.status, limit: 1, offset: offset))
          #expect(page.totalCount == visible.count && page.hasMore == (offset + 1 < visible.count))
          found += page.posts.map(\.id)
        }
        #expect(Set(found) == visible && found.count == visible.count)
        return found.contains(call.item.post)
      }),
    "content.GetUserBookmarks": .shows(
      VisibilityRow("among one's own", if: \.showsPost) { call in
        let page = try await call.client.call(ContentRPC.getUserBookmarks, .init(userId: call.me, limit: 100))
        #expect(try Set(page.posts.map(\.id)) == call.visiblePosts() && page.total == page.posts.count)
        let first = try await call.client.call(ContentRPC.getUserBookmarks, .init(userId: call.me, limit: 1))
        #expect(first.total == page.total && first.hasMore == (page.total > 1))
        return page.posts.contains { $0.id == call.item.post }
      },
      VisibilityRow("the owner's", if: \.showsOwn) { call in
        try await call.isAllowed { try await call.client.call(ContentRPC.getUserBookmarks, .init(userId: call.owner)) }
      }),
    "content.CreateBookmark": .post("bookmarked") { call in
      try await call.isFound {
        try await call.client.call(ContentRPC.createBookmark, .init(userId: call.me, postId: call.item.post))
      }
    },
    "content.DeleteBookmark": .post("no longer bookmarked") { call in
      try await call.isFound {
        try await call.client.call(ContentRPC.deleteBookmark, .init(userId: call.me, postId: call.item.post))
      }
    },
    "content.CreatePost": .ownOnly,
    "content.UpdatePost": .post("updated") { call in
      try await call.isFound {
        try await call.client.call(ContentRPC.updatePost, .init(postId: call.item.post, title: "t"))
      }
    },
    "content.DeletePost": .post("deleted") { call in
      try await call.isFound {
        try await call.client.call(ContentRPC.deletePost, .init(postId: call.item.post, deletedById: call.me))
      }
    },
    "feed.GetFeed": .shows(
      VisibilityRow("in one's own", if: \.isInOwnFeed) { call in
        // Without a token, everyone's feed can be read; a follower's has the most.
        let user = call.probe.relation == .noToken ? call.world.id(.follower) : call.me
        let page = try await call.client.call(FeedRPC.getFeed, .init(userId: user, limit: 100))
        return page.posts.contains { $0.id == call.item.post }
      },
      VisibilityRow("in the owner's", if: \.isInOwnersFeed) { call in
        let page = try await call.client.call(FeedRPC.getFeed, .init(userId: call.owner, limit: 100))
        return page.posts.contains { $0.id == call.item.post }
      }),
    "feed.GetRecommendedCreators": .shows(
      VisibilityRow("the owner's", if: \.showsProfile) { call in
        try await !call.client.call(FeedRPC.getRecommendedCreators, .init(userId: call.owner)).creators.isEmpty
      }),
  ]

  static let social: [String: VisibilityClass] = [
    "social.CreateLike": .post("liked") { call in
      try await call.isFound {
        try await call.client.call(SocialRPC.createLike, .init(userId: call.me, postId: call.item.post))
      }
    },
    "social.DeleteLike": .post("no longer liked") { call in
      try await call.isFound {
        try await call.client.call(SocialRPC.deleteLike, .init(userId: call.me, postId: call.item.post))
      }
    },
    "social.GetPostLikes": .post("its likes") { call in
      try await call.isFound {
        let likes = try await call.client.call(SocialRPC.getPostLikes, .init(postId: call.item.post))
        #expect(!likes.likes.isEmpty && likes.totalCount == likes.likes.count)
      }
    },
    "social.GetLikeCount": .post("the number of likes") { call in
      try await call.isFound {
        let count = try await call.client.call(SocialRPC.getLikeCount, .init(postId: call.item.post)).count
        #expect(count > 0)
      }
    },
    "social.CheckUserLiked": .post("a like") {
      try await $0.client.call(SocialRPC.checkUserLiked, .init(userId: $0.owner, postId: $0.item.post)).liked
    },
    "social.BatchCheckUserLiked": .post("a like in a batch") { call in
      let request = BatchCheckUserLikedRequest(userId: call.owner, postIds: ["none", call.item.post])
      let results = try await call.client.call(SocialRPC.batchCheckUserLiked, request).results
      #expect(results.count == 2, "hidden and missing posts have the same result")
      return results[call.item.post] ?? false
    },
    "social.GetUserLikedPosts": .shows(
      VisibilityRow("among one's own", if: \.showsPost) { call in
        let page = try await call.client.call(SocialRPC.getUserLikedPosts, .init(userId: call.me, limit: 100))
        #expect(try Set(page.postIds) == call.visiblePosts() && page.total == page.postIds.count)
        return page.postIds.contains(call.item.post)
      },
      VisibilityRow("among the owner's", if: \.isInOwnersLikes) { call in
        let page = try await call.client.call(SocialRPC.getUserLikedPosts, .init(userId: call.owner, limit: 100))
        #expect(page.total == page.postIds.count && !page.hasMore)
        return page.postIds.contains(call.item.post)
      }),
    "social.CreateComment": .post("commented on") { call in
      try await call.isFound {
        let request = CreateCommentRequest(postId: call.item.post, userId: call.me, content: "d")
        return try await call.client.call(SocialRPC.createComment, request)
      }
    },
    "social.UpdateComment": .post("one's own comment, updated") { call in
      try await call.isFound {
        let comment = call.item.comments[call.me] ?? ""
        return try await call.client.call(
          SocialRPC.updateComment, .init(commentId: comment, userId: call.me, content: "d"))
      }
    },
    "social.DeleteComment": .post("one's own comment, deleted") { call in
      try await call.isFound {
        let comment = call.item.comments[call.me] ?? ""
        return try await call.client.call(SocialRPC.deleteComment, .init(commentId: comment, userId: call.me))
      }
    },
    "social.GetComment": .post("a comment") { call in
      try await call.isFound {
        try await call.client.call(SocialRPC.getComment, .init(commentId: call.item.comment))
      }
    },
    "social.GetComments": .post("its comments") { call in
      try await call.isFound {
        let comments = try await call.client.call(SocialRPC.getComments, .init(postId: call.item.post))
        #expect(!comments.comments.isEmpty)
      }
    },
    "social.GetCommentCount": .post("the number of comments") { call in
      try await call.isFound {
        let count = try await call.client.call(SocialRPC.getCommentCount, .init(postId: call.item.post)).count
        #expect(count > 0)
      }
    },
    "social.CreateShare": .post("shared") { call in
      try await call.isFound {
        try await call.client.call(SocialRPC.createShare, .init(userId: call.me, postId: call.item.post))
      }
    },
    "social.GetShareCount": .post("the number of shares") { call in
      try await call.isFound {
        let count = try await call.client.call(SocialRPC.getShareCount, .init(postId: call.item.post)).count
        #expect(count > 0)
      }
    },
    "social.CheckUserShared": .post("a share") {
      try await $0.client.call(SocialRPC.checkUserShared, .init(userId: $0.owner, postId: $0.item.post)).shared
    },
    "social.BatchGetPostStats": .post("stats") { call in
      let request = BatchGetPostStatsRequest(postIds: ["none", call.item.post])
      let stats = try await call.client.call(SocialRPC.batchGetPostStats, request).stats
      #expect(stats.count == 2, "hidden and missing posts have the same stats")
      return stats[call.item.post] != stats["none"]
    },
  ]
}

extension VisibilityCase {
  /// A feed has what its user and those whom the user follows have published.
  fileprivate var isInOwnFeed: Bool {
    guard status == "published" else { return false }
    return relation == .oneself || [.follower, .noToken].contains(relation) && privacy != "private"
  }

  fileprivate var isInOwnersFeed: Bool { status == "published" && showsPost }

  fileprivate var isInOwnersLikes: Bool { showsPost && (showsOwn || !isPrivateAccount) }
}
