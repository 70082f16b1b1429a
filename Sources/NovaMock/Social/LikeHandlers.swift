import NovaCore
import NovaSocial

extension MockHandlers {
  mutating func addSocial() {
    addLikeWrites()
    addLikeReads()
    addLikeLists()
    addCommentWrites()
    addCommentReads()
    addShares()
  }

  private mutating func addLikeWrites() {
    on(SocialRPC.createLike, actingAs: \.userId) { request, state throws(MockFailure) in
      let post = try state.content.existing(request.postId)
      state.social.likes.add(request.userId, post, at: state.now)
      return CreateLikeResponse(success: true, likeCount: Int64(state.social.likes.count(post)))
    }
    on(SocialRPC.deleteLike, actingAs: \.userId) { request, state throws(MockFailure) in
      let post = try state.content.existing(request.postId)
      state.social.likes.remove(request.userId, post)
      return DeleteLikeResponse(success: true, likeCount: Int64(state.social.likes.count(post)))
    }
  }

  private mutating func addLikeReads() {
    on(SocialRPC.getLikeCount) { request, state throws(MockFailure) in
      return GetLikeCountResponse(count: Int64(state.counts(ofPost: request.postId).likes))
    }
    on(SocialRPC.checkUserLiked) { request, state throws(MockFailure) in
      return CheckUserLikedResponse(liked: state.isLiked(request.postId, by: request.userId))
    }
    on(SocialRPC.batchCheckUserLiked) { request, state throws(MockFailure) in
      var results: [String: Bool] = [:]
      for id in request.postIds { results[id] = state.isLiked(id, by: request.userId) }
      return BatchCheckUserLikedResponse(results: results)
    }
  }

  private mutating func addLikeLists() {
    on(SocialRPC.getPostLikes) { request, state throws(MockFailure) in
      let paging = try Paging(limit: request.limit, offset: request.offset, SocialRPC.getPostLikes.descriptor)
      guard let post = state.content.number(request.postId) else { return GetPostLikesResponse() }
      let all = state.social.likes.likes(of: post)
      let (page, hasMore) = paging.newestFirst(all)
      let likes = page.map { state.social.likes.like($0, ofPost: request.postId) }
      return GetPostLikesResponse(
        likes: likes, totalCount: all.count, hasMore: hasMore, userIds: likes.map(\.userId))
    }
    on(SocialRPC.getUserLikedPosts) { request, state throws(MockFailure) in
      let paging = try Paging(limit: request.limit, offset: request.offset, SocialRPC.getUserLikedPosts.descriptor)
      let all = state.social.likes.posts(likedBy: request.userId)
      let (page, hasMore) = paging.newestFirst(all)
      return GetUserLikedPostsResponse(
        postIds: page.map { state.content.id($0.value) }, total: all.count, hasMore: hasMore)
    }
  }
}

extension MockState {
  /// Returns the counts of a post; zeros if it does not exist.
  func counts(ofPost id: String) -> PostCounts {
    content.number(id).map { social.counts(ofPost: $0) } ?? PostCounts()
  }

  fileprivate func isLiked(_ post: String, by user: String) -> Bool {
    content.number(post).map { social.likes.isLiked($0, by: user) } ?? false
  }
}
