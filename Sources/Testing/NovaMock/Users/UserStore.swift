import NovaCore
import NovaUsers

/// Profiles and settings by id. Counts and addresses are added when a profile is read.
struct UserStore: Sendable {
  // By the bytes of the ids: other spellings of the same characters are other users.
  private(set) var profiles: [ExactText: UserProfile] = [:]
  private var settings: [ExactText: UserSettings] = [:]
  private var privateUsers: Set<ExactText> = []

  /// Makes room for profiles, so that adding them moves none.
  mutating func reserve(_ count: Int) { profiles.reserveCapacity(count) }

  /// Adds a profile, or replaces the user's previous one.
  mutating func add(_ profile: UserProfile) {
    let id = ExactText(profile.id)
    profiles[id] = profile
    if profile.isPrivate { privateUsers.insert(id) } else { privateUsers.remove(id) }
  }

  /// Returns the profile with an id; nil if absent.
  func profile(_ id: String) -> UserProfile? { profiles[ExactText(id)] }

  /// Whether a user's account is private. Without a profile, it is not.
  func isPrivate(_ user: String) -> Bool { privateUsers.contains(ExactText(user)) }

  /// Whether a username is taken. O(n), because only registrations need it.
  func hasUsername(_ name: String) -> Bool {
    profiles.values.contains { $0.username.equalsIgnoringASCIICase(name) }
  }

  /// Returns a user's settings, or the defaults. Whether the account is private is in the profile.
  func settings(of profile: UserProfile) -> UserSettings {
    var settings =
      settings[ExactText(profile.id)]
      ?? UserSettings(
        userId: profile.id, emailNotifications: true, pushNotifications: true, timezone: "UTC", language: "en",
        privacyLevel: PrivacyLevel.public, allowMessages: true, createdAt: profile.createdAt,
        updatedAt: profile.createdAt)
    settings.privacyLevel = PrivacyLevel.level(settings.privacyLevel, isPrivate: profile.isPrivate)
    return settings
  }

  mutating func set(_ settings: UserSettings) { self.settings[ExactText(settings.userId)] = settings }
}

extension MockState {
  /// Returns a profile with current counts, and only what the caller may see.
  func profile(_ id: String) -> UserProfile? {
    guard var profile = users.profile(id) else { return nil }
    profile.email = mayAct(as: id) ? auth.account(id)?.email : nil
    profile.followerCount = graph.followers(of: id).count
    profile.followingCount = graph.following(of: id).count
    profile.postCount = postCount(of: id, for: viewer)
    return showsProfile(of: id, to: viewer) ? profile : profile.card
  }
}
