import NovaAuth
import NovaCore
import NovaFleet
import NovaLibc
import NovaPostgreSQL
import NovaRedis

/// One machine of a fleet, as a process: refreshes one session against a gateway of the tests, and prints the token.
///
/// Arguments: the engine (`redis`, `postgresql`, `pgbouncer`), the server's URL, the gateway's origin, the handle; then
/// options: `--after FILE` waits until a file exists, `--lease SECONDS`, `--clock SECONDS` ahead, `--kill-at STEP` and
/// `--stop-at STEP`, which count every command and request, before it is sent and after its reply. Or `limit` or `cache`,
/// and what ``DyingHolder`` needs; or `walk`, for a ``Walker``.
@main struct FleetMachine {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == "walk" { return try await Walker.run(arguments) }
      try await run(arguments)
    } catch { print("error \(error)") }
  }

  private static func run(_ arguments: [String]) async throws {
    if arguments.first == "limit" { return try await DyingHolder.useLimit(Array(arguments.dropFirst())) }
    if arguments.first == "cache" { return try await DyingHolder.load(Array(arguments.dropFirst())) }
    guard arguments.count >= 4 else { return print("error: engine, URL, origin, and handle are needed") }
    let gate = StepGate(
      kill: option("--kill-at", arguments).flatMap { Int($0) }, stop: option("--stop-at", arguments).flatMap { Int($0) }
    )
    var overrides = ConfigurationOverrides()
    overrides.baseURL = arguments[2]
    let clock = OffsetClock(seconds: option("--clock", arguments).flatMap { Double($0) } ?? 0)
    let client = APIClient(
      configuration: try APIConfiguration(overrides),
      transport: SteppedTransport(transport: CurlTransport(), gate: gate)
    ) { $0.clock = clock }
    let (fleet, close) = try fleet(arguments, auth: AuthService(client: client), gate: gate, clock: clock)
    let sessions = try fleet.sessions(of: arguments[3])
    print("ready")
    if let file = option("--after", arguments) {
      while access(file, F_OK) != 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
    let token = try await sessions.accessToken()?.secretValue ?? "nil"
    print("token \(token)\nsteps \(gate.count)")
    // PgBouncer 1.18 can end when a client disconnects while it cancels a statement.
    await close()
  }

  private static func fleet(
    _ arguments: [String], auth: AuthService, gate: StepGate, clock: OffsetClock
  ) throws -> (FleetSessions, close: @Sendable () async -> Void) {
    let key = String(repeating: "a1", count: 32)
    let keys = try FleetKeys(names: key, sealing: [("1", key)])
    let lease = option("--lease", arguments).flatMap { Int64($0) } ?? 5
    let options = FleetSessionOptions(lease: .seconds(lease))
    if arguments[0] == "redis" {
      // 200 processes on a busy machine need time.
      var limits = RedisPool.Options()
      (limits.timeout, limits.connectTimeout) = (.seconds(30), .seconds(30))
      let pool = try RedisPool(url: arguments[1], options: limits)
      let fleet = FleetSessions(
        redis: SteppedRedis(pool: pool, gate: gate), keys: keys, auth: auth, options: options, clock: clock)
      return (fleet, { await pool.shutdown() })
    }
    let pool = try PostgreSQLPool(arguments[1])
    let fleet = FleetSessions(
      postgreSQL: SteppedPostgreSQL(pool: pool, gate: gate), keys: keys, auth: auth,
      listens: arguments[0] == "postgresql", options: options, clock: clock)
    return (fleet, { await pool.shutdown() })
  }

  private static func option(_ name: String, _ arguments: [String]) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    return arguments[index + 1]
  }

  static func print(_ text: String) {
    // Unbuffered, because the process may be killed.
    let bytes = Array("\(text)\n".utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
