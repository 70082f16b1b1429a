import NovaSDK

extension GuideCall {
  private static let user = "mock-user-id"

  static let users = [
    GuideCall("user.GetUserProfile", command: "profile mock-user-id") {
      try await $0.users.getUserProfile(userId: user)
    },
    GuideCall("user.GetUserProfilesByIds") { try await $0.users.getUserProfilesByIds(userIds: [user]) },
    GuideCall("user.UpdateUserProfile", command: "profile edit mock-user-id --bio Hello.") {
      try await $0.users.updateUserProfile(userId: user, bio: "Hello.")
    },
    GuideCall("user.GetUserSettings") { try await $0.users.getUserSettings(userId: user) },
    GuideCall("user.UpdateUserSettings") { try await $0.users.updateUserSettings(userId: user, darkMode: true) },
    GuideCall("user.SearchUsers", command: "search bruce") { try await $0.users.searchUsers(query: "bruce") },
    GuideCall("user.SearchUsers") { for try await _ in $0.users.users(matching: "bruce") {} },
    GuideCall("user.CheckUserRelationship") {
      try await $0.users.checkUserRelationship(followerId: "user-0001", followeeId: user)
    },
  ]

  static let auth = [
    GuideCall("auth.Register", command: "register ada@nova.example ada --password-stdin") {
      try await $0.auth.register(email: "ada@nova.example", username: "ada", password: "correct horse")
    },
    GuideCall("auth.Login", command: "login bruce@nova.social --password-stdin") {
      try await $0.auth.login(email: "bruce@nova.social", password: "mock-password")
    },
    GuideCall("auth.Refresh") { try await $0.auth.refresh(refreshToken: "none") },
    GuideCall("auth.Logout") { try await $0.auth.logout(refreshToken: "none") },
    GuideCall("auth.VerifyToken") { try await $0.auth.verifyToken(token: "none") },
    GuideCall("auth.GetUser") { try await $0.auth.getUser(userId: user) },
  ]
}
