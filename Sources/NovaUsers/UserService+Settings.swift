import NovaCore

extension UserServiceProtocol {
  /// A user's settings.
  ///
  /// - Throws: ``APIError``; `notFound` if there is no such user.
  public func getUserSettings(userId: String) async throws -> UserSettings {
    try await value(
      \.settings, UserRPC.getUserSettings, GetUserSettingsRequest(userId: userId), by: getUserSettings(_:))
  }

  /// Changes what is given of the settings, and nothing else.
  ///
  /// - Throws: ``APIError``; `notFound` if there is no such user.
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
    return try await value(\.settings, UserRPC.updateUserSettings, request, by: updateUserSettings(_:))
  }
}
