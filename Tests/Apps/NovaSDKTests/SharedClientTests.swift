import NovaSDK
import NovaTestSupport
import Testing

@Suite struct SharedClientTests {
  /// Runs `body` on the shared client, in mock mode and without a token, and puts everything back.
  private func withMockMode(_ body: @Sendable () async throws -> Void) async throws {
    try await SharedClientTurn.run {
      let before = APIFeatureFlags.enableMockData
      defer {
        APIFeatureFlags.enableMockData = before
        APIClient.shared.setAuthToken(nil)
      }
      APIFeatureFlags.enableMockData = true
      try await body()
    }
  }

  @Test func theFlagSwitchesTheSharedClient() async throws {
    try await withMockMode {
      let page = try await GraphService().getFollowers(userId: "mock-user-id", limit: 3)
      #expect(page.userIds == ["user-1492", "user-0952", "user-2032"])
      #expect(page.totalCount == 3021)
      let same = try await NovaClient.shared.graph.getFollowers(userId: "mock-user-id", limit: 3)
      #expect(same == page)
    }
  }

  @Test func theSharedMockKeepsItsState() async throws {
    try await withMockMode {
      try await GraphService().followUser(followerId: "ada", followeeId: "bea")
      APIFeatureFlags.enableMockData = false
      APIFeatureFlags.enableMockData = true
      #expect(try await GraphService().isFollowing(followerId: "ada", followeeId: "bea"))
      try await GraphService().unfollowUser(followerId: "ada", followeeId: "bea")
    }
  }

  @Test func theSharedClientHoldsASession() async throws {
    try await withMockMode {
      let sessions = try NovaClient.shared.sessions
      try await sessions.signIn(email: "bruce@nova.social", password: "mock-password")
      // Every service of the program finds it by itself, also while another token is set.
      APIClient.shared.setAuthToken("expired-or-invalid")
      #expect(try await CaptureService().create(text: "Rain").userId == "mock-user-id")
      #expect(await AppState().session == sessions.current)
      try await sessions.signOut()
      let refused = await apiError { try await CaptureService().create(text: "Rain") }
      #expect(refused?.code == .unauthorized)
      APIClient.shared.setAuthToken(nil)
      #expect(try await CaptureService().create(text: "Rain").userId == "mock-user-id", "the mock needs no token")
    }
  }

  /// A session of the gateway is kept where the program says, and mock mode neither sees it nor ends it.
  @Test func mockModeLeavesTheGatewaysSession() async throws {
    try await withMockMode {
      let gateway = try APIConfiguration.load().sessionOrigin
      let session = Session(
        accessToken: try AccessToken(Canary.access(1)), refreshToken: try #require(RefreshToken(Canary.refresh(1))),
        expiresAt: 4_000_000_000, user: User(id: "ada"))
      let store = MemorySessionStore(StoredSession(session: session, origin: gateway))
      NovaClient.sharedSessionStore = store
      #expect(try await CaptureService().create(text: "Rain").userId == "mock-user-id")
      try await NovaClient.shared.sessions.signIn(email: "bruce@nova.social", password: "mock-password")
      #expect(await store.load()?.session == session, "the mock's session is another")
      try await NovaClient.shared.sessions.signOut()
      #expect(await store.load()?.session == session)
      APIFeatureFlags.enableMockData = false
      #expect(try await NovaClient.shared.sessions.session() == session)
      #expect(try await APIClient.shared.identity().user == "ada")
      NovaClient.sharedSessionStore = MemorySessionStore()
      try await NovaClient.shared.sessions.reload()
      #expect(try NovaClient.shared.sessions.current == nil)
    }
  }

  @Test func aFailingStoreIsNoFailureOfTheNetwork() async throws {
    try await withMockMode {
      APIFeatureFlags.enableMockData = false
      NovaClient.sharedSessionStore = BrokenStore()
      let error = await apiError { try await CaptureService().list() }
      #expect(error?.code == .failedPrecondition && error?.transport == nil, "\(String(describing: error))")
      NovaClient.sharedSessionStore = MemorySessionStore()
    }
  }

  @Test func aTokenThatWasSetDoesNotKeepTheSessionFromRefreshing() async throws {
    try await withMockMode {
      let before = NovaClient.sharedMock
      defer { NovaClient.sharedMock = before }
      NovaClient.sharedMock = MockBackend()
      let session = try await NovaClient.shared.sessions.signIn(email: "bruce@nova.social", password: "mock-password")
      APIClient.shared.setAuthToken(session.accessToken)
      NovaClient.sharedMock.advanceClock(by: .seconds(3700))
      #expect(try await CaptureService().create(text: "Rain").userId == "mock-user-id")
      #expect(try NovaClient.shared.sessions.current?.accessToken != session.accessToken)
      try await NovaClient.shared.sessions.signOut()
    }
  }

  @Test func theSharedMockCanBeSeededAndReset() async throws {
    try await withMockMode {
      let before = NovaClient.sharedMock
      defer { NovaClient.sharedMock = before }
      NovaClient.sharedMock = MockBackend(dataSet: .empty)
      #expect(try await GraphService().getFollowers(userId: "mock-user-id").totalCount == 0)
      try await GraphService().followUser(followerId: "ada", followeeId: "bea")
      #expect(try await GraphService().getFollowers(userId: "bea").userIds == ["ada"])
      NovaClient.sharedMock.reset()
      #expect(try await GraphService().getFollowers(userId: "bea").userIds.isEmpty)
    }
  }

  @MainActor @Test func viewModelsOnAClient() async throws {
    let nova = NovaClient(configuration: .builtIn, sessionStore: MemorySessionStore(), transport: MockTransport())
    #expect(UserProfileViewModel(nova: nova).currentUserId == nil)
    try await nova.sessions.signIn(email: "bruce@nova.social", password: "mock-password")
    let profile = UserProfileViewModel(nova: nova)
    #expect(profile.currentUserId == "mock-user-id")
    #expect(UserProfileViewModel(nova: nova, currentUserId: "ada").currentUserId == "ada")
    await profile.loadUserProfile(userId: "user-0001")
    #expect(profile.userProfile?.id == "user-0001" && profile.errorMessage == nil)
    let capture = CaptureViewModel(nova: nova)
    capture.text = "Rain"
    await capture.save()
    #expect(capture.lastSaved?.userId == "mock-user-id")
    #expect(try await ProfileLoader(nova: nova).load(userId: "user-0001").profile.get().id == "user-0001")
  }

  @Test func textThatCannotBeATokenStopsCalls() async throws {
    try await withMockMode {
      APIClient.shared.setAuthToken("two words")
      let error = await apiError { try await GraphService().isFollowing(followerId: "ada", followeeId: "bea") }
      #expect(error?.code == .unauthorized)
      #expect(error?.description.contains("two words") == false)
      APIClient.shared.setAuthToken(nil)
      let isFollowing = try await GraphService().isFollowing(followerId: "ada", followeeId: "cleo")
      #expect(!isFollowing)
    }
  }
}

@Suite struct NovaClientTests {
  @Test func mocksShareNothing() async throws {
    let (one, other) = (NovaClient.mock(), NovaClient.mock())
    try await one.graph.followUser(followerId: "ada", followeeId: "bea")
    #expect(try await one.graph.isFollowing(followerId: "ada", followeeId: "bea"))
    #expect(try await !other.graph.isFollowing(followerId: "ada", followeeId: "bea"))
  }

  @Test func offlineNothingIsSent() async throws {
    let configuration = try APIConfiguration(ConfigurationOverrides(isOffline: true))
    let nova = NovaClient(configuration: configuration)
    await #expect {
      try await nova.graph.getFollowers(userId: "x")
    } throws: {
      ($0 as? APIError)?.code == .networkError && "\($0)".contains("NOVA_OFFLINE")
    }
  }

  @Test func theConfigurationChoosesTheMock() async throws {
    let nova = NovaClient(configuration: try APIConfiguration(ConfigurationOverrides(usesMockData: true)))
    #expect(try await nova.graph.getFollowers(userId: "mock-user-id").totalCount == 3021)
  }
}
