import NovaCore
import NovaEvents
import NovaSocial

extension MockHandlers {
  mutating func addSocial() {
    on(SocialRPC.createLike, actingAs: \.userId) { request, state in
      let post = try state.existingPost(request.postId)
      if state.social.likes.add(request.userId, post, at: state.now) {
        state.emitLike(.likeCreated, post, by: request.userId)
      }
      return .init(success: true, likeCount: Int64(state.social.likes.count(post)))
    }
    on(SocialRPC.deleteLike, actingAs: \.userId) { request, state in
      let post = try state.existingPost(request.postId)
      if state.social.likes.remove(request.userId, post) {
        state.emitLike(.likeDeleted, post, by: request.userId)
      }
      return .init(success: true, likeCount: Int64(state.social.likes.count(post)))
    }
    on(SocialRPC.getLikeCount) { .init(count: Int64(try $1.listedCounts(ofPost: $0.postId).likes)) }
    on(SocialRPC.checkUserLiked) { .init(liked: $1.isLiked($0.postId, by: $0.userId)) }
    on(SocialRPC.batchCheckUserLiked) { request, state in
      try requireDistinctKeys(request.postIds)
      var results: [String: Bool] = [:]
      for id in request.postIds { results[id] = state.isLiked(id, by: request.userId) }
      return .init(results: results)
    }
    on(SocialRPC.getPostLikes) { request, state in
      let paging = try Paging(limit: request.limit, offset: request.offset, of: SocialRPC.getPostLikes)
      guard let post = try state.listedPost(request.postId) else { return GetPostLikesResponse() }
      let list = paging.newestFirst(state.social.likes.likes(of: post))
      let likes = list.page.map { state.social.likes.like($0, ofPost: request.postId) }
      return .init(likes: likes, totalCount: list.total, hasMore: list.hasMore, userIds: likes.map(\.userId))
    }
    on(SocialRPC.getUserLikedPosts) { request, state in
      let list = try Paging(limit: request.limit, offset: request.offset, of: SocialRPC.getUserLikedPosts)
        .visiblePosts(state.likedPosts(of: request.userId), in: state)
      return .init(postIds: list.page.map { state.content.id($0) }, total: list.total, hasMore: list.hasMore)
    }
    addComments()
    on(SocialRPC.createShare, actingAs: \.userId) { request, state in
      let type: ShareType = try requireOne(request.shareType, "share_type", default: .repost)
      let post = try state.existingPost(request.postId)
      state.social.shares.add(request.userId, post, type: type, at: state.now)
      state.emitShare(post, by: request.userId)
      return .init(success: true, shareCount: Int64(state.social.shares.count(post)))
    }
    on(SocialRPC.getShareCount) { .init(count: Int64(try $1.listedCounts(ofPost: $0.postId).shares)) }
    on(SocialRPC.checkUserShared) { request, state in
      let post = state.visiblePost(request.postId)
      return .init(
        shared: post.map { state.social.shares.isShared($0, by: request.userId) } ?? false)
    }
    on(SocialRPC.batchGetPostStats) { request, state in
      try requireDistinctKeys(request.postIds)
      var stats: [String: PostStats] = [:]
      for id in request.postIds {
        let counts = state.counts(ofPost: id)
        stats[id] = PostStats(
          likeCount: Int64(counts.likes), commentCount: Int64(counts.comments), shareCount: Int64(counts.shares))
      }
      return .init(stats: stats)
    }
  }
}

extension MockState {
  /// Returns the counts of a post that the caller counts.
  func listedCounts(ofPost id: String) throws(MockFailure) -> PostCounts {
    try listedPost(id).map { social.counts(ofPost: $0) } ?? PostCounts()
  }

  /// Returns the counts of a post; zeros if it does not exist, or if the caller may not see it.
  fileprivate func counts(ofPost id: String) -> PostCounts {
    visiblePost(id).map { social.counts(ofPost: $0) } ?? PostCounts()
  }

  fileprivate func isLiked(_ post: String, by user: String) -> Bool {
    visiblePost(post).map { social.likes.isLiked($0, by: user) } ?? false
  }

  /// Returns the posts that a user likes; none if the caller may not see the list.
  fileprivate func likedPosts(of user: String) -> StampedList {
    showsLikes(of: user, to: viewer) ? social.likes.posts(likedBy: user) : StampedList()
  }
}
