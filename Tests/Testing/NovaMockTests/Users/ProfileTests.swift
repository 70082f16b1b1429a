import NovaAuth
import NovaCore
import NovaGraph
import NovaMock
import NovaUsers
import NovaTestSupport
import Testing

@Suite struct ProfileTests {
  private let mock = MockCaller()
  private let ada: RegisterResponse
  private let bob: RegisterResponse

  init() throws {
    let users = ["ada", "bob"].map { RegisterRequest(email: "\($0)@x.example", username: $0, password: "12345678") }
    ada = try mock.call(AuthRPC.register, users[0])
    bob = try mock.call(AuthRPC.register, users[1])
    mock.advance(seconds: 60)
  }

  private func update(_ request: UpdateUserProfileRequest, token: String? = nil) throws -> UserProfile {
    try #require(try mock.call(UserRPC.updateUserProfile, request, token: token).profile)
  }

  @Test func missingProfilesAreAnErrorAloneAndLeftOutOfBatches() throws {
    #expect(try mock.refusal(UserRPC.getUserProfile, GetUserProfileRequest(userId: "x"))?.grpcStatus == .notFound)
    let ids = [bob.userId, "x", ada.userId, bob.userId]
    let answer = try mock.call(UserRPC.getUserProfilesByIds, GetUserProfilesByIdsRequest(userIds: ids))
    #expect(answer.profiles.map(\.username) == ["bob", "ada", "bob"])
  }

  @Test func aBatchHasAtMostAHundredIDs() throws {
    for (count, isRefused) in [(0, false), (100, false), (101, true)] {
      let request = GetUserProfilesByIdsRequest(userIds: Array(repeating: "x", count: count))
      #expect((try mock.refusal(UserRPC.getUserProfilesByIds, request)?.status == 400) == isRefused, "\(count)")
    }
  }

  @Test func absentKeepsAndEmptyRemoves() throws {
    var profile = try update(
      UpdateUserProfileRequest(userId: ada.userId, displayName: "Ada", bio: "Notes", website: "https://x.example"))
    #expect(profile.displayName == "Ada" && profile.bio == "Notes" && profile.updatedAt == MockCaller.start + 60)
    profile = try update(UpdateUserProfileRequest(userId: ada.userId, bio: "", isPrivate: true))
    #expect(profile.displayName == "Ada" && profile.bio == nil && profile.isPrivate)
    #expect(try mock.call(UserRPC.getUserProfile, GetUserProfileRequest(userId: ada.userId)).profile == profile)
  }

  @Test func repetitionsHaveNoFurtherEffect() throws {
    let request = UpdateUserProfileRequest(userId: ada.userId, location: "Lisbon")
    let first = try update(request)
    mock.advance(seconds: 60)
    #expect(try update(request) == first)
  }

  @Test(arguments: [
    (UpdateUserProfileRequest(displayName: String(repeating: "é", count: 51)), "display_name"),
    (UpdateUserProfileRequest(bio: String(repeating: "é", count: 501)), "bio"),
    (UpdateUserProfileRequest(avatarUrl: String(repeating: "e", count: 2049)), "avatar_url"),
    (UpdateUserProfileRequest(coverUrl: String(repeating: "e", count: 2049)), "cover_url"),
    (UpdateUserProfileRequest(website: String(repeating: "e", count: 2049)), "website"),
    (UpdateUserProfileRequest(location: String(repeating: "e", count: 101)), "location"),
  ])
  func longTextsAreRefused(request: UpdateUserProfileRequest, field: String) throws {
    var request = request
    request.userId = ada.userId
    let refusal = try mock.refusal(UserRPC.updateUserProfile, request)
    #expect(refusal?.grpcStatus == .invalidArgument && refusal?.message.hasPrefix(field) == true)
  }

  @Test func textsOfMaximumLengthAreAccepted() throws {
    let name = String(repeating: "🇵🇹", count: 50)
    #expect(try update(UpdateUserProfileRequest(userId: ada.userId, displayName: name)).displayName == name)
  }

  @Test func onlyTheOwnerMayChangeAProfileAndSeeSettings() throws {
    let profile = UpdateUserProfileRequest(userId: ada.userId, bio: "x")
    #expect(try update(profile, token: ada.token).bio == "x")
    #expect(try mock.refusal(UserRPC.updateUserProfile, profile, token: bob.token)?.grpcStatus == .permissionDenied)
    let settings = GetUserSettingsRequest(userId: ada.userId)
    #expect(try mock.refusal(UserRPC.getUserSettings, settings, token: ada.token) == nil)
    #expect(try mock.refusal(UserRPC.getUserSettings, settings, token: bob.token)?.grpcStatus == .permissionDenied)
    let change = UpdateUserSettingsRequest(userId: ada.userId, darkMode: true)
    #expect(try mock.refusal(UserRPC.updateUserSettings, change, token: bob.token)?.grpcStatus == .permissionDenied)
  }

  @Test func settingsHaveDefaultsAndRememberChanges() throws {
    let request = GetUserSettingsRequest(userId: ada.userId)
    let defaults = try #require(try mock.call(UserRPC.getUserSettings, request).settings)
    #expect(
      defaults
        == UserSettings(
          userId: ada.userId, emailNotifications: true, pushNotifications: true, timezone: "UTC", language: "en",
          privacyLevel: "public", allowMessages: true, createdAt: MockCaller.start, updatedAt: MockCaller.start))
    var expected = defaults
    expected.emailNotifications = false
    expected.timezone = "Europe/Lisbon"
    expected.updatedAt = MockCaller.start + 60
    let change = UpdateUserSettingsRequest(userId: ada.userId, emailNotifications: false, timezone: "Europe/Lisbon")
    #expect(try mock.call(UserRPC.updateUserSettings, change).settings == expected)
    mock.advance(seconds: 60)
    #expect(try mock.call(UserRPC.updateUserSettings, change).settings == expected)
    #expect(try mock.call(UserRPC.getUserSettings, request).settings == expected)
  }

  @Test(arguments: ["", String(repeating: "x", count: 65)])
  func invalidSettingsAreRejected(text: String) throws {
    for change in [
      UpdateUserSettingsRequest(userId: ada.userId, timezone: text),
      UpdateUserSettingsRequest(userId: ada.userId, language: text),
      UpdateUserSettingsRequest(userId: ada.userId, privacyLevel: text),
    ] {
      #expect(try mock.refusal(UserRPC.updateUserSettings, change)?.grpcStatus == .invalidArgument)
    }
  }

  @Test func unknownUsersHaveNoSettingsAndNothingToChange() throws {
    let refusals = [
      try mock.refusal(UserRPC.getUserSettings, GetUserSettingsRequest(userId: "x")),
      try mock.refusal(UserRPC.updateUserSettings, UpdateUserSettingsRequest(userId: "x")),
      try mock.refusal(UserRPC.updateUserProfile, UpdateUserProfileRequest(userId: "x")),
    ]
    #expect(refusals.allSatisfy { $0?.grpcStatus == .notFound }, "\(refusals)")
  }

  @Test func relationshipsFollowTheGraph() throws {
    let question = CheckUserRelationshipRequest(followerId: "a", followeeId: "b")
    func type() throws -> String {
      let answer = try mock.call(UserRPC.checkUserRelationship, question)
      #expect(answer.status == "active")
      return answer.relationshipType
    }
    #expect(try type() == "none")
    _ = try mock.call(GraphRPC.createFollow, CreateFollowRequest(followerId: "a", followeeId: "b"))
    #expect(try type() == "follow")
    _ = try mock.call(GraphRPC.createBlock, CreateBlockRequest(blockerId: "a", blockedId: "b"))
    #expect(try type() == "block")
    _ = try mock.call(GraphRPC.deleteBlock, DeleteBlockRequest(blockerId: "a", blockedId: "b"))
    #expect(try type() == "none")
  }
}
