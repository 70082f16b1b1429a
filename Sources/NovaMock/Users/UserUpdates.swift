import NovaCore
import NovaUsers

extension UpdateUserProfileRequest {
  /// The profile with what the request gives: an absent field stays, an empty one is removed.
  func applied(to profile: UserProfile) throws(MockFailure) -> UserProfile {
    var profile = profile
    try set(&profile.displayName, displayName, "display_name", maximum: 50)
    try set(&profile.bio, bio, "bio", maximum: 500)
    try set(&profile.avatarUrl, avatarUrl, "avatar_url", maximum: 2048)
    try set(&profile.coverUrl, coverUrl, "cover_url", maximum: 2048)
    try set(&profile.website, website, "website", maximum: 2048)
    try set(&profile.location, location, "location", maximum: 100)
    if let isPrivate { profile.isPrivate = isPrivate }
    return profile
  }

  private func set(
    _ field: inout String?, _ value: String?, _ name: String, maximum: Int
  ) throws(MockFailure) {
    guard let value else { return }
    try requireLength(value, name, maximum: maximum)
    field = value.isEmpty ? nil : value
  }
}

extension UpdateUserSettingsRequest {
  /// The settings with what the request gives.
  func applied(to settings: UserSettings) throws(MockFailure) -> UserSettings {
    var settings = settings
    set(&settings.emailNotifications, emailNotifications)
    set(&settings.pushNotifications, pushNotifications)
    set(&settings.marketingEmails, marketingEmails)
    set(&settings.darkMode, darkMode)
    set(&settings.allowMessages, allowMessages)
    try set(&settings.timezone, timezone, "timezone")
    try set(&settings.language, language, "language")
    try set(&settings.privacyLevel, privacyLevel, "privacy_level")
    return settings
  }

  private func set(_ field: inout Bool, _ value: Bool?) {
    if let value { field = value }
  }

  private func set(_ field: inout String, _ value: String?, _ name: String) throws(MockFailure) {
    guard let value else { return }
    try require(value, name)
    try requireLength(value, name, maximum: 64)
    field = value
  }
}

/// Refuses a text that is too long.
func requireLength(_ text: String, _ name: String, maximum: Int) throws(MockFailure) {
  if text.count > maximum {
    throw MockFailure(.invalidArgument, "\(name) has \(text.count) characters; at most \(maximum) are allowed")
  }
}
