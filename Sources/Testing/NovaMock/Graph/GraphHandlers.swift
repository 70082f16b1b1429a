import NovaCore
import NovaEvents
import NovaGraph

extension MockHandlers {
  mutating func addGraph() {
    on(GraphRPC.createFollow, actingAs: \.followerId) { request, state in
      try requireDifferentUsers(request.followerId, request.followeeId, verb: "follow")
      guard !state.graph.isBlockedEitherWay(request.followerId, request.followeeId) else {
        throw MockFailure.forbidden("one of the two has blocked the other")
      }
      if state.graph.follow(request.followerId, request.followeeId) {
        state.emitFollow(.followCreated, by: request.followerId, of: request.followeeId)
      }
      return .init(success: true)
    }
    on(GraphRPC.deleteFollow, actingAs: \.followerId) { request, state in
      try requireDifferentUsers(request.followerId, request.followeeId, verb: "unfollow")
      if state.graph.unfollow(request.followerId, request.followeeId) {
        state.emitFollow(.followDeleted, by: request.followerId, of: request.followeeId)
      }
      return .init(success: true)
    }
    on(GraphRPC.getFollowers) { request, state in
      let list = try Paging(limit: request.limit, offset: request.offset, of: GraphRPC.getFollowers)
        .newestFirst(state.visibleFollowers(of: request.userId))
      return .init(userIds: list.page.map { state.graph.id($0.value) }, totalCount: list.total, hasMore: list.hasMore)
    }
    on(GraphRPC.getFollowing) { request, state in
      let list = try Paging(limit: request.limit, offset: request.offset, of: GraphRPC.getFollowing)
        .newestFirst(state.visibleFollowing(of: request.userId))
      return .init(userIds: list.page.map { state.graph.id($0.value) }, totalCount: list.total, hasMore: list.hasMore)
    }
    on(GraphRPC.isFollowing) { .init(isFollowing: $1.seesFollow(of: $0.followeeId, by: $0.followerId)) }
    on(GraphRPC.batchCheckFollowing) { request, state in
      try requireDistinctKeys(request.followeeIds)
      var results: [String: Bool] = [:]
      for id in request.followeeIds { results[id] = state.seesFollow(of: id, by: request.followerId) }
      return .init(results: results)
    }
    on(GraphRPC.createMute, actingAs: \.muterId) { request, state in
      try requireDifferentUsers(request.muterId, request.muteeId, verb: "mute")
      state.graph.mute(request.muterId, request.muteeId)
      return .init(success: true)
    }
    on(GraphRPC.deleteMute, actingAs: \.muterId) { request, state in
      try requireDifferentUsers(request.muterId, request.muteeId, verb: "unmute")
      state.graph.unmute(request.muterId, request.muteeId)
      return .init(success: true)
    }
    on(GraphRPC.isMuted) { .init(isMuted: $1.graph.isMuted($0.muterId, $0.muteeId)) }
    on(GraphRPC.createBlock, actingAs: \.blockerId) { request, state in
      try requireDifferentUsers(request.blockerId, request.blockedId, verb: "block")
      for (follower, followee) in state.graph.block(request.blockerId, request.blockedId) {
        state.emitFollow(.followDeleted, by: follower, of: followee)
      }
      return .init(success: true)
    }
    on(GraphRPC.deleteBlock, actingAs: \.blockerId) { request, state in
      try requireDifferentUsers(request.blockerId, request.blockedId, verb: "unblock")
      state.graph.unblock(request.blockerId, request.blockedId)
      return .init(success: true)
    }
    on(GraphRPC.isBlocked) { .init(isBlocked: $1.graph.isBlocked($0.blockerId, $0.blockedId)) }
  }
}

extension MockState {
  /// Returns the followers of a user that the caller may see: a private account's lists are empty for strangers.
  func visibleFollowers(of user: String) -> StampedList {
    showsProfile(of: user, to: viewer) ? graph.followers(of: user) : StampedList()
  }

  /// Returns the users that a user follows, as far as the caller may see them.
  func visibleFollowing(of user: String) -> StampedList {
    showsProfile(of: user, to: viewer) ? graph.following(of: user) : StampedList()
  }

  /// Whether one user follows another, and the caller may know it.
  func seesFollow(of followee: String, by follower: String) -> Bool {
    graph.isFollowing(follower, followee) && showsFollow(of: followee, by: follower, to: viewer)
  }
}

/// Throws for an edge from a user to the same user.
private func requireDifferentUsers(_ from: String, _ to: String, verb: String) throws(MockFailure) {
  if from.hasSameBytes(as: to) { throw .invalid("users cannot \(verb) themselves") }
}
