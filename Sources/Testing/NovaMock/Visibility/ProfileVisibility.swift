import NovaUsers

extension UserProfile {
  /// What a private account shows to strangers.
  var card: UserProfile {
    UserProfile(
      id: id, username: username, displayName: displayName, avatarUrl: avatarUrl, isPrivate: isPrivate,
      followerCount: followerCount, followingCount: followingCount, postCount: postCount)
  }
}

/// `privacy_level` in settings, where `private` means the same as `is_private` in the profile.
enum PrivacyLevel {
  static let `private` = "private", `public` = "public"

  /// Returns the level of an account: the one that was set, unless the profile contradicts it.
  static func level(_ level: String, isPrivate: Bool) -> String {
    isPrivate ? `private` : level == `private` ? `public` : level
  }
}
