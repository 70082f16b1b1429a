import NovaUsers

/// Profiles by id. Counts are filled in when a profile is read.
struct UserStore: Sendable {
  private(set) var profiles: [String: UserProfile] = [:]

  mutating func add(_ profile: UserProfile) { profiles[profile.id] = profile }
}

extension MockState {
  /// A profile with the counts of this moment.
  func profile(_ id: String) -> UserProfile? {
    guard var profile = users.profiles[id] else { return nil }
    profile.followerCount = graph.followers(of: id).count
    profile.followingCount = graph.following(of: id).count
    profile.postCount = content.postIDs(by: id).count
    return profile
  }
}
