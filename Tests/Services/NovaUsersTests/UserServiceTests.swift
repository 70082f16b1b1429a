import NovaCore
import NovaMock
import NovaTestSupport
import NovaUsers
import Testing

/// The user service against the mock backend and its sample user.
@Suite struct UserServiceTests {
  private let id = "mock-user-id"
  private let users: UserService

  init() throws { users = UserService(client: try APIClient.test(MockTransport(MockBackend()), token: nil)) }

  @Test func aProfileIsReadAndChanged() async throws {
    let old = try await users.getUserProfile(userId: id)
    #expect(old.username == "bruce_li" && old.followerCount == 3021 && old.followingCount == 1500)
    let new = try await users.updateUserProfile(
      userId: id, displayName: "Bruce", bio: "", avatarUrl: "a", coverUrl: "c", website: "w", location: "l",
      isPrivate: true)
    #expect(new.displayName == "Bruce" && new.bio == nil && new.avatarUrl == "a" && new.coverUrl == "c")
    #expect(new.website == "w" && new.location == "l" && new.isPrivate)
    #expect(try await users.getUserProfile(userId: id) == new)
    #expect(try await users.updateUserProfile(userId: id) == new)
    let error = await apiError {
      try await users.updateUserProfile(userId: id, bio: String(repeating: "x", count: 501))
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func nobodysProfileIsAnError() async throws {
    let errors = [
      await apiError { try await users.getUserProfile(userId: "nobody") },
      await apiError { try await users.updateUserProfile(userId: "nobody", bio: "x") },
      await apiError { try await users.getUserSettings(userId: "nobody") },
      await apiError { try await users.updateUserSettings(userId: "nobody", darkMode: true) },
    ]
    #expect(errors.allSatisfy { $0?.code == .notFound })
  }

  @Test func manyProfilesComeInTheOrderOfTheirIds() async throws {
    var found: [String] = []
    for try await profile in users.users(matching: "a", maximumCount: 250) { found.append(profile.id) }
    #expect(found.count > 200 && Set(found).count == found.count)
    let ids = Array(found.reversed())
    let profiles = try await users.getUserProfilesByIds(userIds: ["nobody"] + ids)
    #expect(profiles.map(\.id) == ids)
    #expect(try await users.getUserProfilesByIds(userIds: []).isEmpty)
  }

  /// IDs that differ only in how Unicode writes them are those of two users.
  @Test(arguments: [false, true]) func aBatchTellsSpellingsApart(_ isReversed: Bool) async throws {
    let ids = ["caf\u{E9}", "cafe\u{301}"]
    let answer = JSONValue.members(
      (
        "profiles",
        .array((isReversed ? ids.reversed() : ids).map { .members(("id", .string($0)), ("bio", .string($0))) })
      ))
    let transport = RecordingTransport(status: 200, String(decoding: answer.jsonUTF8, as: UTF8.self))
    let users = UserService(client: try APIClient.test(transport))
    let profiles = try await users.getUserProfilesByIds(userIds: ids)
    #expect(profiles.map(\.id).haveSameBytes(as: ids) && profiles.compactMap(\.bio).haveSameBytes(as: ids))
    #expect(try await users.getUserProfilesByIds(userIds: [ids[1]]).map(\.id).haveSameBytes(as: [ids[1]]))
  }

  @Test func settingsAreReadAndChanged() async throws {
    let old = try await users.getUserSettings(userId: id)
    #expect(old.emailNotifications && old.timezone == "UTC" && !old.darkMode)
    let new = try await users.updateUserSettings(
      userId: id, emailNotifications: false, pushNotifications: false, marketingEmails: true,
      timezone: "Europe/Warsaw", language: "pl", darkMode: true, allowMessages: false)
    #expect(!new.emailNotifications && !new.pushNotifications && new.marketingEmails && new.darkMode)
    #expect(new.timezone == "Europe/Warsaw" && new.language == "pl" && !new.allowMessages)
    #expect(new.privacyLevel == old.privacyLevel)
    #expect(try await users.getUserSettings(userId: id) == new)
  }

  @Test func usersAreFoundByName() async throws {
    let page = try await users.searchUsers(query: "bruce_li", limit: 1)
    #expect(page.profiles.map(\.id) == [id])
    #expect(try await users.searchUsers(query: "no such name anywhere").profiles.isEmpty)
    let error = await apiError { try await users.searchUsers(query: " ") }
    #expect(error?.code == .invalidArgument)
  }

  @Test func relationshipsLookOneWay() async throws {
    let client = users.client
    #expect(
      try await users.checkUserRelationship(followerId: "x", followeeId: "y").relationshipType == "none")
    #expect(users.client === client)
    let error = await apiError { try await users.checkUserRelationship(followerId: "", followeeId: "y") }
    #expect(error?.code == .invalidArgument && error?.httpStatus == nil)
  }
}

/// What real backends send and the mock does not.
@Suite struct UserAnswerTests {
  private func service(_ body: String) throws -> UserService {
    UserService(client: try APIClient.test(RecordingTransport(body)))
  }

  @Test(arguments: [
    #"{"profile":{"id":"u","display_name":"U","follower_count":7,"created_at":1704164645}}"#,
    #"{"profile":{"id":"u","displayName":"U","followerCount":"7","createdAt":"1704164645","bio":null}}"#,
    #"{"profile":{"id":"u","displayName":"U","followerCount":7.0,"createdAt":"2024-01-02T03:04:05Z","x":{}}}"#,
    #"{"profile":{"id":"u","display_name":"U","follower_count":7,"created_at":"2024-01-02 03:04:05"}}"#,
  ])
  func profilesAreReadInEveryForm(body: String) async throws {
    let profile = try await service(body).getUserProfile(userId: "u")
    #expect(profile == UserProfile(id: "u", displayName: "U", followerCount: 7, createdAt: 1_704_164_645))
    #expect(profile.bio == nil && profile.deletedAt == nil)
  }

  @Test(arguments: ["{}", #"{"profile":null,"settings":null}"#])
  func answersWithoutTheirValueAreErrors(body: String) async throws {
    let users = try service(body)
    let errors = [
      await apiError { try await users.getUserProfile(userId: "u") },
      await apiError { try await users.updateUserProfile(userId: "u", bio: "x") },
      await apiError { try await users.getUserSettings(userId: "u") },
      await apiError { try await users.updateUserSettings(userId: "u", darkMode: true) },
    ]
    #expect(errors.allSatisfy { $0?.code == .invalidResponse && $0?.requestID?.hasPrefix("test-request") == true })
    #expect(try await users.searchUsers(query: "x") == SearchUsersResponse())
    #expect(try await users.getUserProfilesByIds(userIds: ["u"]).isEmpty)
  }

  @Test func settingsMayLeaveOutWhatIsOff() async throws {
    let settings = try await service(#"{"settings":{"userId":"u","darkMode":true}}"#).getUserSettings(userId: "u")
    #expect(settings == UserSettings(userId: "u", darkMode: true))
  }

  @Test(arguments: [
    (0, #"{"profiles":[{"id":"1"}],"totalCount":"2"}"#, true),
    (1, #"{"profiles":[{"id":"2"}],"total_count":2}"#, false),
    (0, #"{"profiles":[],"total_count":2}"#, false),
  ])
  func whetherThereIsMoreFollowsFromTheTotal(offset: Int, body: String, hasMore: Bool) async throws {
    #expect(try await service(body).searchUsers(query: "x", offset: offset).hasMore == hasMore)
  }

  @Test func updatesSendOnlyWhatIsGiven() async throws {
    let transport = RecordingTransport(#"{"profile":{"id":"u"},"settings":{"user_id":"u","privacy_level":"public"}}"#)
    let users = UserService(client: try APIClient.test(transport))
    try await users.updateUserProfile(userId: "u", bio: "", isPrivate: false)
    try await users.updateUserSettings(userId: "u", darkMode: false, privacyLevel: "public")
    #expect(
      transport.requests.map { String(decoding: $0.body.inMemory, as: UTF8.self) } == [
        #"{"user_id":"u","bio":"","is_private":false}"#,
        #"{"user_id":"u","dark_mode":false,"privacy_level":"public"}"#,
      ])
  }
}
