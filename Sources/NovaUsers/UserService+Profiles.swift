public import NovaCore

extension UserServiceProtocol {
  /// A user's profile.
  ///
  /// - Throws: ``APIError``; `notFound` if there is no such user.
  public func getUserProfile(userId: String) async throws -> UserProfile {
    try await value(\.profile, UserRPC.getUserProfile, GetUserProfileRequest(userId: userId), by: getUserProfile(_:))
  }

  /// Many profiles, in the order of the ids; those that do not exist are left out. Any number of ids may be given: they
  /// travel in requests of 100, four at a time.
  ///
  /// - Throws: ``APIError``.
  public func getUserProfilesByIds(userIds: [String]) async throws -> [UserProfile] {
    let profiles = try await inBatches(of: userIds, UserRPC.getUserProfilesByIds.descriptor) { ids in
      try await getUserProfilesByIds(GetUserProfilesByIdsRequest(userIds: ids)).profiles
    }.flatMap(\.self)
    let byID = Dictionary(profiles.map { ($0.id, $0) }) { first, _ in first }
    return userIds.compactMap { byID[$0] }
  }

  /// Changes what is given of a profile, and nothing else; an empty text removes what was there.
  ///
  /// - Throws: ``APIError``; `notFound` if there is no such user.
  @discardableResult
  public func updateUserProfile(
    userId: String, displayName: String? = nil, bio: String? = nil, avatarUrl: String? = nil,
    coverUrl: String? = nil, website: String? = nil, location: String? = nil, isPrivate: Bool? = nil
  ) async throws -> UserProfile {
    let request = UpdateUserProfileRequest(
      userId: userId, displayName: displayName, bio: bio, avatarUrl: avatarUrl, coverUrl: coverUrl, website: website,
      location: location, isPrivate: isPrivate)
    return try await value(\.profile, UserRPC.updateUserProfile, request, by: updateUserProfile(_:))
  }

  /// Finds users by name.
  ///
  /// - Parameters:
  ///   - limit: how many, at most 100. Default 0: the server's default, 50.
  ///   - offset: how many to skip.
  /// - Throws: ``APIError``.
  public func searchUsers(query: String, limit: Int = 0, offset: Int = 0) async throws -> SearchUsersResponse {
    var page = try await searchUsers(SearchUsersRequest(query: query, limit: limit, offset: offset))
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.profiles.count, total: page.totalCount)
    return page
  }

  /// Everybody a search finds, read page by page while it is iterated.
  ///
  /// - Parameters:
  ///   - pageSize: how many to ask for at a time, 1…100. Default 100.
  ///   - maximumCount: how many to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func users(
    matching query: String, pageSize: Int = 100, maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<UserProfile> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await searchUsers(query: query, limit: limit, offset: offset)
      return Page(items: page.profiles, totalCount: page.totalCount, hasMore: page.hasMore)
    }
  }

  /// How one user stands to another.
  ///
  /// - Throws: ``APIError``.
  public func checkUserRelationship(
    followerId: String, followeeId: String
  ) async throws -> CheckUserRelationshipResponse {
    try await checkUserRelationship(CheckUserRelationshipRequest(followerId: followerId, followeeId: followeeId))
  }
}
