import NovaCore
import NovaGraph

extension MockHandlers {
  mutating func addGraph() {
    addFollows()
    addMutes()
    addBlocks()
  }

  private mutating func addFollows() {
    on(GraphRPC.createFollow) { request, state throws(MockFailure) in
      try requirePair(request.followerId, "follower_id", request.followeeId, "followee_id", verb: "follow")
      guard !state.graph.isBlockedEitherWay(request.followerId, request.followeeId) else {
        throw MockFailure(.permissionDenied, "one of the two has blocked the other")
      }
      state.graph.follow(request.followerId, request.followeeId)
      return CreateFollowResponse(success: true)
    }
    on(GraphRPC.deleteFollow) { request, state throws(MockFailure) in
      try requirePair(request.followerId, "follower_id", request.followeeId, "followee_id", verb: "unfollow")
      state.graph.unfollow(request.followerId, request.followeeId)
      return DeleteFollowResponse(success: true)
    }
    on(GraphRPC.getFollowers) { request, state throws(MockFailure) in
      try require(request.userId, "user_id")
      let paging = try Paging(limit: request.limit, offset: request.offset, GraphRPC.getFollowers.descriptor)
      let all = state.graph.followers(of: request.userId)
      let (page, hasMore) = paging.newestFirst(all)
      return GetFollowersResponse(
        userIds: page.map { state.graph.id($0.value) }, totalCount: all.count, hasMore: hasMore)
    }
    on(GraphRPC.getFollowing) { request, state throws(MockFailure) in
      try require(request.userId, "user_id")
      let paging = try Paging(limit: request.limit, offset: request.offset, GraphRPC.getFollowing.descriptor)
      let all = state.graph.following(of: request.userId)
      let (page, hasMore) = paging.newestFirst(all)
      return GetFollowingResponse(
        userIds: page.map { state.graph.id($0.value) }, totalCount: all.count, hasMore: hasMore)
    }
    on(GraphRPC.isFollowing) { request, state throws(MockFailure) in
      try require(request.followerId, "follower_id")
      try require(request.followeeId, "followee_id")
      return IsFollowingResponse(isFollowing: state.graph.isFollowing(request.followerId, request.followeeId))
    }
    on(GraphRPC.batchCheckFollowing) { request, state throws(MockFailure) in
      try require(request.followerId, "follower_id")
      try GraphRPC.batchCheckFollowing.descriptor.checkBatch(request.followeeIds)
      var results: [String: Bool] = [:]
      for id in request.followeeIds { results[id] = state.graph.isFollowing(request.followerId, id) }
      return BatchCheckFollowingResponse(results: results)
    }
  }

  private mutating func addMutes() {
    on(GraphRPC.createMute) { request, state throws(MockFailure) in
      try requirePair(request.muterId, "muter_id", request.muteeId, "mutee_id", verb: "mute")
      state.graph.mute(request.muterId, request.muteeId)
      return CreateMuteResponse(success: true)
    }
    on(GraphRPC.deleteMute) { request, state throws(MockFailure) in
      try requirePair(request.muterId, "muter_id", request.muteeId, "mutee_id", verb: "unmute")
      state.graph.unmute(request.muterId, request.muteeId)
      return DeleteMuteResponse(success: true)
    }
    on(GraphRPC.isMuted) { request, state throws(MockFailure) in
      try require(request.muterId, "muter_id")
      try require(request.muteeId, "mutee_id")
      return IsMutedResponse(isMuted: state.graph.isMuted(request.muterId, request.muteeId))
    }
  }

  private mutating func addBlocks() {
    on(GraphRPC.createBlock) { request, state throws(MockFailure) in
      try requirePair(request.blockerId, "blocker_id", request.blockedId, "blocked_id", verb: "block")
      state.graph.block(request.blockerId, request.blockedId)
      return CreateBlockResponse(success: true)
    }
    on(GraphRPC.deleteBlock) { request, state throws(MockFailure) in
      try requirePair(request.blockerId, "blocker_id", request.blockedId, "blocked_id", verb: "unblock")
      state.graph.unblock(request.blockerId, request.blockedId)
      return DeleteBlockResponse(success: true)
    }
    on(GraphRPC.isBlocked) { request, state throws(MockFailure) in
      try require(request.blockerId, "blocker_id")
      try require(request.blockedId, "blocked_id")
      return IsBlockedResponse(isBlocked: state.graph.isBlocked(request.blockerId, request.blockedId))
    }
  }
}

/// Refuses empty ids and edges from a user to the same user.
private func requirePair(
  _ from: String, _ fromName: String, _ to: String, _ toName: String, verb: String
) throws(MockFailure) {
  try require(from, fromName)
  try require(to, toName)
  if from == to { throw MockFailure(.invalidArgument, "users cannot \(verb) themselves") }
}
