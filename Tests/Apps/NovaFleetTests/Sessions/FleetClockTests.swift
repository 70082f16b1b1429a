import NovaAuth
import NovaCore
import NovaPostgreSQL
import NovaRedis
import NovaTestSupport
import Testing

@testable import NovaFleet

/// A machine whose clock is wrong judges the expiry of a shared session by the gateway's clock, before its first response.
@Suite(.serialized, .hangLimit) struct FleetClockTests {
  typealias Fleet = FleetSessionsTests

  /// How far the clock of the machine and that of the gateway are ahead, in seconds.
  private static let clocks = [(-600.0, 0.0), (600, 0), (-600, 3600), (600, -3600)]

  /// A session that a machine with a right clock has refreshed, and a machine with a wrong one that has not seen it.
  private func coldMachine(
    _ records: any SessionRecords, _ gateway: RotatingGateway, place: Int
  ) async throws -> SessionManager {
    let handle = "\(place) \(UInt64.random(in: .min ... .max))"
    try await Fleet.signIn(records, expiresIn: -7200, handle: handle)
    let first = try Fleet.machine(records, gateway, handle: handle)
    #expect(try await first.accessToken()?.secretValue == "access-1")
    let clock = ShiftedClock(seconds: Self.clocks[place].0)
    return try Fleet.machine(records, gateway, handle: handle, clock: clock)
  }

  /// With the time limits of a program: those of the engine are for stores that fail.
  private func records(_ engine: SessionEngine) throws -> any SessionRecords {
    engine.redis != nil
      ? SessionEngine.redisRecords(try RedisPool(url: engine.url))
      : PostgreSQLSessionRecords(client: try PostgreSQLPool(engine.url), schema: "\"nova\"", listens: false)
  }

  @Test(arguments: SessionEngine.Kind.allCases)
  func aValidTokenIsUsedAndAnExpiredOneIsNot(_ kind: SessionEngine.Kind) async throws {
    let engine = try await SessionEngine(kind)
    let records = try records(engine)
    for (place, (_, ahead)) in Self.clocks.enumerated() {
      let gateway = RotatingGateway(lifetime: 300, ahead: ahead)
      let cold = try await coldMachine(records, gateway, place: place)
      #expect(try await cold.accessToken()?.secretValue == "access-1", "clock \(place)")
      #expect(gateway.refreshes == 1, "clock \(place)")
    }
    var expiring: [(SessionManager, RotatingGateway)] = []
    for (place, (_, ahead)) in Self.clocks.enumerated() {
      let gateway = RotatingGateway(lifetime: 1, ahead: ahead)
      expiring.append((try await coldMachine(records, gateway, place: place), gateway))
    }
    // Longer than the lifetime, and the second that dates in headers leave out.
    try await Task.sleep(for: .milliseconds(2500))
    for (place, (cold, gateway)) in expiring.enumerated() {
      #expect(try await cold.accessToken()?.secretValue == "access-2", "clock \(place)")
      #expect(gateway.refreshes == 2 && gateway.reuses == 0, "clock \(place)")
    }
    withExtendedLifetime(engine) {}
  }

  /// A machine that finds a session without the gateway's time adds it, once for all.
  @Test func theTimeOfALaterResponseIsShared() async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway(ahead: 3600))
    try await Fleet.signIn(records, expiresIn: 3900)
    let begin = try #require(records.contents.values.first?.generation)
    let first = try Fleet.machine(records, gateway)
    _ = try await first.accessToken()
    first.serverTime(Int64(ContinuousClock().unixTime + 3600))
    await first.waitForRefresh()
    let cold = try Fleet.machine(records, gateway, clock: ShiftedClock(seconds: 600))
    #expect(try await cold.accessToken()?.secretValue == "access-0")
    let generation = records.contents.values.first?.generation
    cold.serverTime(Int64(ContinuousClock().unixTime + 3600))
    await cold.waitForRefresh()
    #expect(try #require(generation) > begin && records.contents.values.first?.generation == generation)
    #expect(gateway.refreshes == 0)
  }

  @Test(arguments: [-600.0, 600]) func aStoreWhoseClockIsSetCostsOneRefresh(ahead: Double) async throws {
    let (records, gateway) = (MemoryRecords(), RotatingGateway(lifetime: 300))
    try await Fleet.signIn(records)
    #expect(try await Fleet.machine(records, gateway).accessToken()?.secretValue == "access-1")
    records.ahead = ahead
    let cold = try Fleet.machine(records, gateway)
    var token = try await cold.accessToken()
    // Set back, it makes the token seem valid until the gateway refuses it.
    if ahead < 0, let refused = token { token = try await cold.replacement(for: refused) }
    #expect(token?.secretValue == "access-2")
    #expect(try await Fleet.machine(records, gateway).accessToken()?.secretValue == "access-2")
    #expect(gateway.refreshes == 2 && gateway.reuses == 0)
  }
}

/// A clock whose time of day is wrong.
private struct ShiftedClock: CallClock {
  let seconds: Double
  private let clock = ContinuousClock()

  init(seconds: Double) { self.seconds = seconds }

  var unixTime: Double { clock.unixTime + seconds }
  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
