import NovaCore
import NovaGraph

extension MockHandlers {
  mutating func addGraph() {
    addFollows()
    addMutes()
    addBlocks()
  }

  private mutating func addFollows() {
    on(GraphRPC.createFollow, actingAs: \.followerId) { request, state throws(MockFailure) in
      try requireDifferentUsers(request.followerId, request.followeeId, verb: "follow")
      guard !state.graph.isBlockedEitherWay(request.followerId, request.followeeId) else {
        throw MockFailure(.permissionDenied, "one of the two has blocked the other")
      }
      state.graph.follow(request.followerId, request.followeeId)
      return CreateFollowResponse(success: true)
    }
    on(GraphRPC.deleteFollow, actingAs: \.followerId) { request, state throws(MockFailure) in
      try requireDifferentUsers(request.followerId, request.followeeId, verb: "unfollow")
      state.graph.unfollow(request.followerId, request.followeeId)
      return DeleteFollowResponse(success: true)
    }
    on(GraphRPC.getFollowers) { request, state throws(MockFailure) in
      let paging = try Paging(limit: request.limit, offset: request.offset, GraphRPC.getFollowers.descriptor)
      let all = state.graph.followers(of: request.userId)
      let (page, hasMore) = paging.newestFirst(all)
      return GetFollowersResponse(
        userIds: page.map { state.graph.id($0.value) }, totalCount: all.count, hasMore: hasMore)
    }
    on(GraphRPC.getFollowing) { request, state throws(MockFailure) in
      let paging = try Paging(limit: request.limit, offset: request.offset, GraphRPC.getFollowing.descriptor)
      let all = state.graph.following(of: request.userId)
      let (page, hasMore) = paging.newestFirst(all)
      return GetFollowingResponse(
        userIds: page.map { state.graph.id($0.value) }, totalCount: all.count, hasMore: hasMore)
    }
    on(GraphRPC.isFollowing) { request, state throws(MockFailure) in
      return IsFollowingResponse(isFollowing: state.graph.isFollowing(request.followerId, request.followeeId))
    }
    on(GraphRPC.batchCheckFollowing) { request, state throws(MockFailure) in
      var results: [String: Bool] = [:]
      for id in request.followeeIds { results[id] = state.graph.isFollowing(request.followerId, id) }
      return BatchCheckFollowingResponse(results: results)
    }
  }

  private mutating func addMutes() {
    on(GraphRPC.createMute, actingAs: \.muterId) { request, state throws(MockFailure) in
      try requireDifferentUsers(request.muterId, request.muteeId, verb: "mute")
      state.graph.mute(request.muterId, request.muteeId)
      return CreateMuteResponse(success: true)
    }
    on(GraphRPC.deleteMute, actingAs: \.muterId) { request, state throws(MockFailure) in
      try requireDifferentUsers(request.muterId, request.muteeId, verb: "unmute")
      state.graph.unmute(request.muterId, request.muteeId)
      return DeleteMuteResponse(success: true)
    }
    on(GraphRPC.isMuted) { request, state throws(MockFailure) in
      return IsMutedResponse(isMuted: state.graph.isMuted(request.muterId, request.muteeId))
    }
  }

  private mutating func addBlocks() {
    on(GraphRPC.createBlock, actingAs: \.blockerId) { request, state throws(MockFailure) in
      try requireDifferentUsers(request.blockerId, request.blockedId, verb: "block")
      state.graph.block(request.blockerId, request.blockedId)
      return CreateBlockResponse(success: true)
    }
    on(GraphRPC.deleteBlock, actingAs: \.blockerId) { request, state throws(MockFailure) in
      try requireDifferentUsers(request.blockerId, request.blockedId, verb: "unblock")
      state.graph.unblock(request.blockerId, request.blockedId)
      return DeleteBlockResponse(success: true)
    }
    on(GraphRPC.isBlocked) { request, state throws(MockFailure) in
      return IsBlockedResponse(isBlocked: state.graph.isBlocked(request.blockerId, request.blockedId))
    }
  }
}

/// Throws for an edge from a user to the same user.
private func requireDifferentUsers(_ from: String, _ to: String, verb: String) throws(MockFailure) {
  if from == to { throw MockFailure(.invalidArgument, "users cannot \(verb) themselves") }
}
