import NovaCore
import NovaSocial

extension MockHandlers {
  mutating func addShares() {
    on(SocialRPC.createShare, actingAs: \.userId) { request, state throws(MockFailure) in
      let type: ShareType = try requireOne(request.shareType, "share_type", default: .repost)
      let post = try state.content.existing(request.postId)
      state.social.shares.add(request.userId, post, type: type, at: state.now)
      return CreateShareResponse(success: true, shareCount: Int64(state.social.shares.count(post)))
    }
    on(SocialRPC.getShareCount) { request, state throws(MockFailure) in
      return GetShareCountResponse(count: Int64(state.counts(ofPost: request.postId).shares))
    }
    on(SocialRPC.checkUserShared) { request, state throws(MockFailure) in
      let post = state.content.number(request.postId)
      return CheckUserSharedResponse(
        shared: post.map { state.social.shares.isShared($0, by: request.userId) } ?? false)
    }
    on(SocialRPC.batchGetPostStats) { request, state throws(MockFailure) in
      var stats: [String: PostStats] = [:]
      for id in request.postIds {
        let counts = state.counts(ofPost: id)
        stats[id] = PostStats(
          likeCount: Int64(counts.likes), commentCount: Int64(counts.comments), shareCount: Int64(counts.shares))
      }
      return BatchGetPostStatsResponse(stats: stats)
    }
  }
}
