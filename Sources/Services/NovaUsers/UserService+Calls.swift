import NovaCore

extension UserServiceProtocol {
  // MARK: Profiles

  /// Returns a user's profile.
  ///
  /// - Throws: ``APIError``; `notFound` if the user does not exist.
  public func getUserProfile(userId: String) async throws -> UserProfile {
    try await value(
      \.profile, of: UserRPC.getUserProfile, for: GetUserProfileRequest(userId: userId), by: getUserProfile(_:))
  }

  /// Returns many profiles in the order of the IDs; those that do not exist are left out. Accepts any number of IDs,
  /// and sends them in requests of 100, four at a time.
  ///
  /// - Throws: ``APIError``.
  public func getUserProfilesByIds(userIds: [String]) async throws -> [UserProfile] {
    let profiles = try await inBatches(of: userIds, UserRPC.getUserProfilesByIds.descriptor) { ids in
      try await getUserProfilesByIds(GetUserProfilesByIdsRequest(userIds: ids)).profiles
    }.flatMap(\.self)
    let byID = Dictionary(profiles.map { ($0.id.byteKey, $0) }) { first, _ in first }
    return userIds.compactMap { byID[$0.byteKey] }
  }

  /// Changes the given fields of a profile. An empty text clears a field.
  ///
  /// - Throws: ``APIError``; `notFound` if the user does not exist.
  @discardableResult
  public func updateUserProfile(
    userId: String, displayName: String? = nil, bio: String? = nil, avatarUrl: String? = nil,
    coverUrl: String? = nil, website: String? = nil, location: String? = nil, isPrivate: Bool? = nil
  ) async throws -> UserProfile {
    let request = UpdateUserProfileRequest(
      userId: userId, displayName: displayName, bio: bio, avatarUrl: avatarUrl, coverUrl: coverUrl, website: website,
      location: location, isPrivate: isPrivate)
    return try await value(\.profile, of: UserRPC.updateUserProfile, for: request, by: updateUserProfile(_:))
  }

  /// Returns how one user is related to another.
  ///
  /// - Throws: ``APIError``.
  public func checkUserRelationship(
    followerId: String, followeeId: String
  ) async throws -> UserRelationship {
    try await checkUserRelationship(CheckUserRelationshipRequest(followerId: followerId, followeeId: followeeId))
  }

  // MARK: Settings

  /// Returns a user's settings.
  ///
  /// - Throws: ``APIError``; `notFound` if the user does not exist.
  public func getUserSettings(userId: String) async throws -> UserSettings {
    try await value(
      \.settings, of: UserRPC.getUserSettings, for: GetUserSettingsRequest(userId: userId), by: getUserSettings(_:))
  }

  /// Changes the given settings.
  ///
  /// - Throws: ``APIError``; `notFound` if the user does not exist.
  @discardableResult
  public func updateUserSettings(
    userId: String, emailNotifications: Bool? = nil, pushNotifications: Bool? = nil, marketingEmails: Bool? = nil,
    timezone: String? = nil, language: String? = nil, darkMode: Bool? = nil, privacyLevel: String? = nil,
    allowMessages: Bool? = nil
  ) async throws -> UserSettings {
    let request = UpdateUserSettingsRequest(
      userId: userId, emailNotifications: emailNotifications, pushNotifications: pushNotifications,
      marketingEmails: marketingEmails, timezone: timezone, language: language, darkMode: darkMode,
      privacyLevel: privacyLevel, allowMessages: allowMessages)
    return try await value(\.settings, of: UserRPC.updateUserSettings, for: request, by: updateUserSettings(_:))
  }
}

/// How one user is related to another: `relationshipType` is `follow`, `block`, or `none`, and `status` is `active`,
/// `pending`, or `rejected`. Servers may send other values.
public typealias UserRelationship = CheckUserRelationshipResponse
