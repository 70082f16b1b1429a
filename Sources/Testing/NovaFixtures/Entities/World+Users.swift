public import NovaAuth
public import NovaUsers

extension World {
  /// Returns a user's id: `user-1` for index 0.
  public func userID(at index: Int) -> String { "user-\(index + 1)" }

  /// Returns a user's profile with all counts.
  public func user(at index: Int) -> UserProfile {
    var user = person(at: index)
    user.followerCount = graph.followers(index).count
    user.followingCount = graph.following(index).count
    user.postCount = publishedPosts(ofUserAt: index).count
    return user
  }

  /// Returns the user's account in the auth service.
  public func account(at index: Int) -> User {
    let isActive = !entropy.draw(.inactive, for: index).chance(10)
    return User(
      id: userID(at: index), email: email(index), username: username(index), createdAt: arrival(index),
      isActive: isActive)
  }

  /// Returns the user's settings.
  public func settings(at index: Int) -> UserSettings {
    func isOn(_ field: Field, _ permille: Int) -> Bool { entropy.draw(field, for: index).chance(permille) }
    let words = words(of: index)
    return UserSettings(
      userId: userID(at: index), emailNotifications: isOn(.emailNotifications, 700),
      pushNotifications: isOn(.pushNotifications, 800), marketingEmails: isOn(.marketingEmails, 150),
      timezone: words.timezone, language: words.locale.rawValue, darkMode: isOn(.darkMode, 500),
      privacyLevel: entropy.draw(.privacyLevel, for: index).pick(["public", "public", "followers", "private"]),
      allowMessages: isOn(.allowMessages, 900), createdAt: arrival(index),
      updatedAt: WorldTime.soon(after: arrival(index), entropy.draw(.settingsUpdated, for: index)))
  }

  /// Returns a user's profile without counts.
  func person(at index: Int) -> UserProfile {
    let words = words(of: index)
    let id = userID(at: index)
    func text(_ field: Field, permille: Int, _ make: (Draw) -> String) -> String? {
      entropy.draw(field, for: index, 1).chance(permille) ? make(entropy.draw(field, for: index)) : nil
    }
    let created = arrival(index)
    return UserProfile(
      id: id, username: username(index), email: email(index), displayName: displayName(index, words),
      bio: text(.bio, permille: 700) { $0.pick(words.bios) },
      avatarUrl: text(.avatar, permille: 850) { _ in "https://cdn.nova.social/avatars/\(id).jpg" },
      coverUrl: text(.cover, permille: 400) { _ in "https://cdn.nova.social/covers/\(id).jpg" },
      website: text(.website, permille: 200) { _ in "https://\(username(index).replacingUnderscores).example" },
      location: text(.location, permille: 600) { $0.pick(words.cities) },
      isVerified: entropy.draw(.verified, for: index).chance(30),
      isPrivate: entropy.draw(.privateAccount, for: index).chance(80),
      createdAt: created, updatedAt: WorldTime.soon(after: created, entropy.draw(.profileUpdated, for: index)))
  }

  /// Returns the time when a user joined.
  func arrival(_ index: Int) -> Int64 {
    WorldTime.start + Int64(entropy.draw(.arrival, for: index).below(Int(WorldTime.lastArrival - WorldTime.start)))
  }

  func words(of index: Int) -> Words { entropy.draw(.language, for: index).pick(Words.all) }

  func displayName(_ index: Int, _ words: Words) -> String {
    words.fullName(
      entropy.draw(.givenName, for: index).pick(words.given).name,
      entropy.draw(.familyName, for: index).pick(words.family))
  }

  /// Returns a username. It contains the user's number, so it is unique.
  func username(_ index: Int) -> String {
    "\(entropy.draw(.givenName, for: index).pick(words(of: index).given).ascii)_\(index + 1)"
  }

  private func email(_ index: Int) -> String { "\(username(index))@example.com" }
}

extension String {
  fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? "-" : $0 }) }
}

extension Field {
  static let arrival = Field("user.created_at")
  static let language = Field("user.language")
  static let givenName = Field("user.given_name")
  static let familyName = Field("user.family_name")
  static let bio = Field("user.bio")
  static let avatar = Field("user.avatar_url")
  static let cover = Field("user.cover_url")
  static let website = Field("user.website")
  static let location = Field("user.location")
  static let verified = Field("user.is_verified")
  static let privateAccount = Field("user.is_private")
  static let profileUpdated = Field("user.updated_at")
  static let inactive = Field("account.is_active")
  static let emailNotifications = Field("settings.email_notifications")
  static let pushNotifications = Field("settings.push_notifications")
  static let marketingEmails = Field("settings.marketing_emails")
  static let darkMode = Field("settings.dark_mode")
  static let privacyLevel = Field("settings.privacy_level")
  static let allowMessages = Field("settings.allow_messages")
  static let settingsUpdated = Field("settings.updated_at")
}
