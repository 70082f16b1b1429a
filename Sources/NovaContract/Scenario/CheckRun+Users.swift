import NovaAuth
import NovaCore
import NovaUsers

extension CheckRun {
  /// Looks for users that the server has.
  mutating func findUsers() async throws {
    for query in ["a", "nova", "e", "user"] {
      guard let found = try await valid(UserRPC.searchUsers, SearchUsersRequest(query: query, limit: 5), "\"\(query)\"")
      else { return }
      facts.learn(users: found.profiles.map(\.id))
      if found.profiles.count > 1 { return }
    }
  }

  mutating func checkUsers(_ me: String) async throws {
    try await valid(AuthRPC.getUser, GetUserRequest(userId: me), "a user")
    try await refused(AuthRPC.getUser, GetUserRequest(userId: Facts.unknownID), "an unknown user", .notFound)
    try await valid(UserRPC.getUserProfile, GetUserProfileRequest(userId: me), "a user")
    for user in facts.users.prefix(3) where user != me {
      try await valid(UserRPC.getUserProfile, GetUserProfileRequest(userId: user), "another user")
    }
    try await refused(
      UserRPC.getUserProfile, GetUserProfileRequest(userId: Facts.unknownID), "an unknown user", .notFound)
    let ids = Array(facts.users.prefix(3)) + [Facts.unknownID]
    try await valid(UserRPC.getUserProfilesByIds, GetUserProfilesByIdsRequest(userIds: ids), "\(ids.count) users")
    if let other = facts.somebodyElse {
      try await valid(
        UserRPC.checkUserRelationship, CheckUserRelationshipRequest(followerId: me, followeeId: other), "two users")
    } else {
      skip(UserRPC.checkUserRelationship, "it needs two users, and one was found")
    }
    try await checkSettings(me)
  }

  private mutating func checkSettings(_ me: String) async throws {
    try await valid(UserRPC.getUserSettings, GetUserSettingsRequest(userId: me), "a user")
    guard !isReadOnly, let account = facts.account else { return }
    try await valid(
      UserRPC.updateUserProfile,
      UpdateUserProfileRequest(userId: account.id, displayName: "Nova Contract", bio: "A check of the contract."),
      "a name and a text")
    try await valid(
      UserRPC.updateUserSettings, UpdateUserSettingsRequest(userId: account.id, language: "en", darkMode: true),
      "two settings")
  }
}
