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
      if !new.isWritten(like: old) {
        new.updatedAt = state.now
        state.replace(old, with: new)
      }
      return .init(profile: new)
    }
    on(UserRPC.getUserSettings) { .init(settings: try $1.ownSettings($0.userId)) }
    on(UserRPC.updateUserSettings) { request, state in
      let old = try state.ownSettings(request.userId)
      var new = try request.applied(to: old)
      if !new.isWritten(like: old) {
        new.updatedAt = state.now
        state.replace(old, with: new)
      }
      return .init(settings: new)
    }
    on(UserRPC.searchUsers) { request, state in
      guard let search = UserSearch(request.query) else { throw MockFailure.invalid("query must have a word in it") }
      let list = try Paging(limit: request.limit, offset: request.offset, of: UserRPC.searchUsers)
        .inOrder(search.results(in: state))
      return .init(
        profiles: list.page.compactMap { state.profile($0) }, totalCount: list.total, hasMore: list.hasMore)
    }
    on(UserRPC.checkUserRelationship) { request, state in
      let isBlocked = state.graph.isBlocked(request.followerId, request.followeeId)
      let isFollowing = state.seesFollow(of: request.followeeId, by: request.followerId)
      return .init(
        relationshipType: isBlocked ? "block" : isFollowing ? "follow" : "none", status: "active")
    }
  }
}

extension MockState {
  fileprivate func existingProfile(_ id: String) throws(MockFailure) -> UserProfile {
    guard let profile = profile(id) else { throw .missing("user", id) }
    return profile
  }

  /// Stores a changed profile. Whether the account is private is a setting, too.
  fileprivate mutating func replace(_ old: UserProfile, with new: UserProfile) {
    users.add(new)
    emitProfile(new.id)
    guard new.isPrivate != old.isPrivate else { return }
    var settings = users.settings(of: new)
    settings.updatedAt = now
    users.set(settings)
  }

  /// Stores changed settings. The profile has whether the account is private.
  fileprivate mutating func replace(_ old: UserSettings, with new: UserSettings) {
    users.set(new)
    guard new.privacyLevel != old.privacyLevel, var profile = users.profile(new.userId),
      profile.isPrivate != (new.privacyLevel == PrivacyLevel.private)
    else { return }
    profile.isPrivate.toggle()
    profile.updatedAt = now
    users.add(profile)
    emitProfile(profile.id)
  }

  /// A missing user is reported before permissions are checked.
  fileprivate func ownSettings(_ id: String) throws(MockFailure) -> UserSettings {
    let profile = try existingProfile(id)
    try requireCaller(id)
    return users.settings(of: profile)
  }
}

extension ProtoMessage {
  /// Whether the texts have the same bytes, too: to `==`, two spellings of `é` are one.
  fileprivate func isWritten(like other: Self) -> Bool {
    self == other && (try? jsonUTF8()) == (try? other.jsonUTF8())
  }
}
