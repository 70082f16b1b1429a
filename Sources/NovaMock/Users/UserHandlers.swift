import NovaCore
import NovaUsers

extension MockHandlers {
  mutating func addUsers() {
    addProfiles()
    addSettings()
    on(UserRPC.searchUsers) { request, state throws(MockFailure) in
      guard let search = UserSearch(request.query) else {
        throw MockFailure(.invalidArgument, "query must have a word in it")
      }
      let paging = try Paging(limit: request.limit, offset: request.offset, UserRPC.searchUsers.descriptor)
      let all = search.results(in: state)
      let (page, hasMore) = paging.inOrder(all)
      return SearchUsersResponse(
        profiles: page.compactMap { state.profile($0) }, totalCount: all.count, hasMore: hasMore)
    }
    on(UserRPC.checkUserRelationship) { request, state throws(MockFailure) in
      let isBlocked = state.graph.isBlocked(request.followerId, request.followeeId)
      let isFollowing = state.graph.isFollowing(request.followerId, request.followeeId)
      return CheckUserRelationshipResponse(
        relationshipType: isBlocked ? "block" : isFollowing ? "follow" : "none", status: "active")
    }
  }

  private mutating func addProfiles() {
    on(UserRPC.getUserProfile) { request, state throws(MockFailure) in
      return GetUserProfileResponse(profile: try state.existingProfile(request.userId))
    }
    on(UserRPC.getUserProfilesByIds) { request, state throws(MockFailure) in
      return GetUserProfilesByIdsResponse(profiles: request.userIds.compactMap { state.profile($0) })
    }
    on(UserRPC.updateUserProfile) { request, state throws(MockFailure) in
      let old = try state.existingProfile(request.userId)
      try state.requireCaller(request.userId)
      var new = try request.applied(to: old)
      if new != old {
        new.updatedAt = state.now
        state.users.add(new)
      }
      return UpdateUserProfileResponse(profile: new)
    }
  }

  private mutating func addSettings() {
    on(UserRPC.getUserSettings) { request, state throws(MockFailure) in
      GetUserSettingsResponse(settings: try state.ownSettings(request.userId))
    }
    on(UserRPC.updateUserSettings) { request, state throws(MockFailure) in
      let old = try state.ownSettings(request.userId)
      var new = try request.applied(to: old)
      if new != old {
        new.updatedAt = state.now
        state.users.set(new)
      }
      return UpdateUserSettingsResponse(settings: new)
    }
  }
}

extension MockState {
  fileprivate func existingProfile(_ id: String) throws(MockFailure) -> UserProfile {
    guard let profile = profile(id) else { throw MockFailure(.notFound, "there is no user \(id)") }
    return profile
  }

  /// A missing user is reported before permissions are checked.
  fileprivate func ownSettings(_ id: String) throws(MockFailure) -> UserSettings {
    let profile = try existingProfile(id)
    try requireCaller(id)
    return users.settings(of: profile)
  }
}
