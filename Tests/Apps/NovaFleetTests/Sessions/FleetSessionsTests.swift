import NovaAuth
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaFleet

@Suite struct FleetSessionsTests {
  static let key = String(repeating: "a1", count: 32)
  static let origin = "http://localhost:8080"

  /// One machine of a fleet.
  static func machine(
    _ records: any SessionRecords, _ gateway: RotatingGateway, handle: String = "ada",
    clock: any CallClock = ContinuousClock(),
    changing change: (inout FleetSessionOptions) -> Void = { _ in }
  ) throws -> SessionManager {
    try fleet(records, gateway, clock: clock, changing: change).sessions(of: handle)
  }

  /// The same with the sessions of all users.
  static func fleet(
    _ records: any SessionRecords, _ gateway: RotatingGateway, clock: any CallClock = ContinuousClock(),
    changing change: (inout FleetSessionOptions) -> Void = { _ in }
  ) throws -> FleetSessions {
    var options = FleetSessionOptions(saveTimeout: .milliseconds(50))
    change(&options)
    var overrides = ConfigurationOverrides()
    overrides.baseURL = origin
    let client = APIClient(configuration: try APIConfiguration(overrides), transport: gateway) { $0.clock = clock }
    let keys = try FleetKeys(names: key, sealing: [("1", key)])
    return FleetSessions(
      records, keys: keys, auth: AuthService(client: client), options: options, clock: clock)
  }

  /// Stores the session with which the gateway begins; its access token has expired, unless it expires later.
  static func signIn(
    _ records: any SessionRecords, expiresIn seconds: Int64 = -10, handle: String = "ada", origin: String = origin,
    sealingKey: String = "1"
  ) async throws {
    let keys = try FleetKeys(names: key, sealing: [(sealingKey, key)])
    let store = FleetSessionStore(
      name: try keys.name(of: handle, for: "session"), records: records, keys: keys, options: FleetSessionOptions(),
      clock: ContinuousClock())
    let session = Session(
      accessToken: try AccessToken("access-0"), refreshToken: try #require(RefreshToken("refresh-0")),
      expiresAt: Int64(ContinuousClock().unixTime) + seconds,
      user: User(id: "ada", email: "a@x.example", username: "ada"))
    try await store.save(StoredSession(session: session, origin: origin))
  }

  @Test func oneMachineRefreshesAndTheOthersUseTheResult() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records)
    let machines = try (0..<50).map { _ in try Self.machine(records, gateway) }
    let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
      for machine in machines { group.addTask { try await machine.accessToken()?.secretValue } }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tokens == ["access-1"] && gateway.refreshes == 1 && gateway.reuses == 0)
  }

  @Test func aLostStoreGetsTheSessionInMemoryBack() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway(lifetime: 1))
    try await Self.signIn(records)
    let machine = try Self.machine(records, gateway)
    #expect(try await machine.accessToken()?.secretValue == "access-1")
    records.flush()
    let refused = try #require(machine.current?.accessToken)
    #expect(try await machine.replacement(for: refused)?.secretValue == "access-2")
    #expect(gateway.reuses == 0 && records.contents.count == 1)
  }

  /// A machine remembers an older session, or a sign-out, with more changes than the store has seen since its loss.
  @Test(arguments: [false, true]) func aSignInAfterALossIsNotOverwritten(isSignedOut: Bool) async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway(lifetime: 1))
    try await Self.signIn(records)
    let machine = try Self.machine(records, gateway)
    let first = try #require(try await machine.accessToken())
    #expect(try await machine.replacement(for: first)?.secretValue == "access-2")
    if isSignedOut { try? await machine.signOut() }
    records.flush()
    // Longer than any number of changes takes.
    try await Task.sleep(for: .milliseconds(20))
    try await Self.signIn(records, expiresIn: 3600)
    try await machine.reload()
    #expect(machine.current?.accessToken.secretValue == "access-0")
    let other = try Self.machine(records, gateway)
    #expect(try await other.accessToken()?.secretValue == "access-0")
  }

  @Test func aSignOutAfterALossIsNotUndone() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records, expiresIn: 3600)
    let machines = try (0..<2).map { _ in try Self.machine(records, gateway) }
    for machine in machines { _ = try await machine.accessToken() }
    let before = records.contents
    let refused = try #require(machines[0].current?.accessToken)
    _ = try await machines[0].replacement(for: refused)
    records.restore(before)
    try await Task.sleep(for: .milliseconds(20))
    try? await machines[1].signOut()
    try await machines[0].reload()
    #expect(machines[0].current == nil)
  }

  /// Others are used in place of a user, whose new tokens the store could not save yet.
  @Test func unsavedTokensOutliveTheirUser() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records, expiresIn: 3600)
    let fleet = try Self.fleet(records, gateway) { options in
      (options.whenStoreFails, options.maximumUsers) = (.refreshAlone, 2)
    }
    let first = try #require(try await fleet.sessions(of: "ada").accessToken())
    records.isAway = true
    #expect(try await fleet.sessions(of: "ada").replacement(for: first)?.secretValue == "access-1")
    for user in 0..<10 { _ = try fleet.sessions(of: "user\(user)") }
    #expect(fleet.userCount <= 3)
    records.isAway = false
    let other = try Self.machine(records, gateway)
    try await waitUntil {
      try await other.reload()
      return other.current?.accessToken.secretValue == "access-1"
    }
    #expect(gateway.refreshes == 1)
    withExtendedLifetime(fleet) {}
  }

  /// A machine that saw an old session writes it back after a loss, and then signs in again.
  @Test func aSignInOverARestoredSessionIsNotOverwritten() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records, expiresIn: 3600)
    let machines = try (0..<2).map { _ in try Self.machine(records, gateway) }
    for machine in machines { _ = try await machine.accessToken() }
    for number in 1...3 {
      let current = try #require(machines[0].current?.accessToken)
      #expect(try await machines[0].replacement(for: current)?.secretValue == "access-\(number)")
    }
    records.flush()
    try await machines[1].reload()
    #expect(machines[1].current?.accessToken.secretValue == "access-0")
    let keys = try FleetKeys(names: Self.key, sealing: [("1", Self.key)])
    let store = FleetSessionStore(
      name: try keys.name(of: "ada", for: "session"), records: records, keys: keys, options: FleetSessionOptions(),
      clock: ContinuousClock())
    var session = try #require(try await store.load())
    session.session.accessToken = try AccessToken("new")
    try await Task.sleep(for: .milliseconds(20))
    try await store.save(session)
    try await machines[0].reload()
    #expect(machines[0].current?.accessToken.secretValue == "new")
  }

  @Test func aReplicaThatIsBehindIsCaughtUp() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records)
    let machine = try Self.machine(records, gateway)
    let before = records.contents
    #expect(try await machine.accessToken()?.secretValue == "access-1")
    records.restore(before)
    // Another machine has seen nothing: the gateway repeats its answer, because the key is the same.
    let other = try Self.machine(records, gateway)
    #expect(try await other.accessToken()?.secretValue == "access-1")
    #expect(gateway.refreshes == 1 && gateway.reuses == 0)
  }

  @Test func aLostLeaseSignsNobodyOut() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway(delay: .milliseconds(100)))
    try await Self.signIn(records)
    let machines = try (0..<8).map { _ in try Self.machine(records, gateway) }
    let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
      for machine in machines { group.addTask { try await machine.accessToken()?.secretValue } }
      group.addTask {
        for _ in 0..<10 {
          try await Task.sleep(for: .milliseconds(10))
          records.loseLeases()
        }
        return "access-1"
      }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tokens == ["access-1"] && gateway.refreshes == 1 && gateway.reuses == 0)
  }

  @Test func aTokenInMemoryIsUsedWhileTheStoreIsAway() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records, expiresIn: 3600)
    let machine = try Self.machine(records, gateway)
    #expect(try await machine.accessToken()?.secretValue == "access-0")
    records.isAway = true
    #expect(try await machine.accessToken()?.secretValue == "access-0")
    let refused = try #require(machine.current?.accessToken)
    let error = await #expect(throws: APIError.self) { try await machine.replacement(for: refused) }
    #expect(error?.code == .unavailable && gateway.refreshes == 0)
    records.isAway = false
    #expect(try await machine.replacement(for: refused)?.secretValue == "access-1")
  }

  @Test func aMachineCanRefreshAloneAndSavesLater() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records, expiresIn: 3600)
    let machine = try Self.machine(records, gateway) { $0.whenStoreFails = .refreshAlone }
    let first = try #require(try await machine.accessToken())
    let generation = try #require(records.contents.values.first?.generation)
    records.isAway = true
    #expect(try await machine.replacement(for: first)?.secretValue == "access-1")
    records.isAway = false
    for _ in 0..<1000 where records.contents.values.first?.generation == generation {
      try await Task.sleep(for: .milliseconds(10))
    }
    let other = try Self.machine(records, gateway)
    #expect(try await other.accessToken()?.secretValue == "access-1" && gateway.refreshes == 1)
  }

  @Test func aSignOutReachesTheOtherMachines() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway())
    try await Self.signIn(records, expiresIn: 3600)
    let (one, two) = (try Self.machine(records, gateway), try Self.machine(records, gateway))
    _ = try await (one.accessToken(), two.accessToken())
    try? await one.signOut()
    try await two.reload()
    #expect(one.current == nil && two.current == nil)
  }

  @Test func nothingReadableIsStored() async throws {
    let records = MemoryRecords()
    try await Self.signIn(records)
    for (name, record) in records.contents {
      let text = name + String(decoding: record.sealed, as: UTF8.self) + record.token
      for secret in ["ada", "access-0", "refresh-0", "localhost"] { #expect(!text.contains(secret)) }
    }
  }
}
