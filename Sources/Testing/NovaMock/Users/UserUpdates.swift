import NovaCore
import NovaUsers

extension UpdateUserProfileRequest {
  /// Returns the profile with the fields that the request sets: an absent field stays, an empty one is removed.
  func applied(to profile: UserProfile) throws(MockFailure) -> UserProfile {
    var profile = profile
    try set(&profile.displayName, to: displayName, named: "display_name", maximum: 50)
    try set(&profile.bio, to: bio, named: "bio", maximum: 500)
    try set(&profile.avatarUrl, to: avatarUrl, named: "avatar_url", maximum: 2048)
    try set(&profile.coverUrl, to: coverUrl, named: "cover_url", maximum: 2048)
    try set(&profile.website, to: website, named: "website", maximum: 2048)
    try set(&profile.location, to: location, named: "location", maximum: 100)
    if let isPrivate { profile.isPrivate = isPrivate }
    return profile
  }

  private func set(
    _ field: inout String?, to value: String?, named name: String, maximum: Int
  ) throws(MockFailure) {
    guard let value else { return }
    try requireLength(value, name, maximum: maximum)
    field = value.isEmpty ? nil : value
  }
}

extension UpdateUserSettingsRequest {
  /// Returns the settings with the fields that the request sets.
  func applied(to settings: UserSettings) throws(MockFailure) -> UserSettings {
    var settings = settings
    set(&settings.emailNotifications, to: emailNotifications)
    set(&settings.pushNotifications, to: pushNotifications)
    set(&settings.marketingEmails, to: marketingEmails)
    set(&settings.darkMode, to: darkMode)
    set(&settings.allowMessages, to: allowMessages)
    try set(&settings.timezone, to: timezone, named: "timezone")
    try set(&settings.language, to: language, named: "language")
    try set(&settings.privacyLevel, to: privacyLevel, named: "privacy_level")
    return settings
  }

  private func set(_ field: inout Bool, to value: Bool?) {
    if let value { field = value }
  }

  private func set(_ field: inout String, to value: String?, named name: String) throws(MockFailure) {
    guard let value else { return }
    try require(value, name)
    try requireLength(value, name, maximum: 64)
    field = value
  }
}
