import NovaCore
import NovaUsers

extension MockHandlers {
  mutating func addUsers() {
    on(UserRPC.getUserProfile) { .init(profile: try $1.existingProfile($0.userId)) }
    on(UserRPC.getUserProfilesByIds) { request, state in
      .init(profiles: request.userIds.compactMap { state.profile($0) })
    }
    on(UserRPC.updateUserProfile) { request, state in
      let old = try state.existingProfile(request.userId)
      try state.requireCaller(request.userId)
      var new = try request.applied(to: old)
      if new != old {
        new.updatedAt = state.now
        state.users.add(new)
        state.emitProfile(new.id)
      }
      return .init(profile: new)
    }
    on(UserRPC.getUserSettings) { .init(settings: try $1.ownSettings($0.userId)) }
    on(UserRPC.updateUserSettings) { request, state in
      let old = try state.ownSettings(request.userId)
      var new = try request.applied(to: old)
      if new != old {
        new.updatedAt = state.now
        state.users.set(new)
      }
      return .init(settings: new)
    }
    on(UserRPC.searchUsers) { request, state in
      guard let search = UserSearch(request.query) else {
        throw MockFailure(.invalidArgument, "query must have a word in it")
      }
      let list = try Paging(limit: request.limit, offset: request.offset, of: UserRPC.searchUsers)
        .inOrder(search.results(in: state))
      return .init(
        profiles: list.page.compactMap { state.profile($0) }, totalCount: list.total, hasMore: list.hasMore)
    }
    on(UserRPC.checkUserRelationship) { request, state in
      let isBlocked = state.graph.isBlocked(request.followerId, request.followeeId)
      let isFollowing = state.graph.isFollowing(request.followerId, request.followeeId)
      return .init(
        relationshipType: isBlocked ? "block" : isFollowing ? "follow" : "none", status: "active")
    }
  }
}

extension MockState {
  fileprivate func existingProfile(_ id: String) throws(MockFailure) -> UserProfile {
    guard let profile = profile(id) else { throw MockFailure(.notFound, "not found: user \(id.quoted)") }
    return profile
  }

  /// A missing user is reported before permissions are checked.
  fileprivate func ownSettings(_ id: String) throws(MockFailure) -> UserSettings {
    let profile = try existingProfile(id)
    try requireCaller(id)
    return users.settings(of: profile)
  }
}
