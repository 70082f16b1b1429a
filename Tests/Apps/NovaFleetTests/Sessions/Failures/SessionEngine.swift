import NovaAuth
import NovaCore
import NovaPostgreSQL
import NovaRedis
import NovaTestSupport
import Testing

@testable import NovaFleet

/// A real server with sessions.
final class SessionEngine: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case redis, postgresql, pgbouncer

    var engine: FleetEngine { self == .redis ? .redis : .postgresql }
  }

  let kind: Kind
  let redis: RedisServer?
  let postgreSQL: PostgreSQLServer?
  private let bouncer: PgBouncer?
  let url: String
  /// The records as this process sees them.
  let records: any SessionRecords

  /// - Parameters:
  ///   - settings: more settings of PostgreSQL.
  ///   - givesUpSoon: whether the records wait only two seconds for the store, for tests in which it is away.
  init(
    _ kind: Kind, redisOptions: [String] = [], settings: [String] = [], givesUpSoon: Bool = false
  ) async throws {
    self.kind = kind
    guard kind != .redis else {
      let server = try RedisServer(redisOptions)
      (redis, postgreSQL, bouncer, url) = (server, nil, nil, "redis+unix://\(server.socket)")
      records = Self.redisRecords(try givesUpSoon ? RedisPool(url: url, options: Self.options) : .patient(url))
      return
    }
    let server = try PostgreSQLServer(settings: settings)
    try await FleetSessions.createTable(on: try PostgreSQLPool(server.url))
    (redis, postgreSQL, bouncer) = (nil, server, kind == .pgbouncer ? try PgBouncer(server) : nil)
    url = bouncer?.url ?? server.url
    var options = PostgreSQLPoolOptions()
    let limit = Duration.seconds(givesUpSoon ? 2 : 60)
    (options.acquireTimeout, options.connectTimeout, options.queryTimeout) = (limit, limit, limit)
    records = PostgreSQLSessionRecords(
      client: try PostgreSQLPool(url, options: options), schema: "\"nova\"", listens: kind == .postgresql)
  }

  static var options: RedisPool.Options {
    var options = RedisPool.Options()
    (options.timeout, options.connectTimeout) = (.seconds(2), .seconds(2))
    options.backoff = Backoff(base: .milliseconds(10), factor: 2, maximum: .milliseconds(50))
    return options
  }

  static func redisRecords(_ pool: RedisPool) -> RedisSessionRecords {
    RedisSessionRecords(client: pool, subscriber: pool, prefix: "nova:", retention: .seconds(1000))
  }

  /// Ends as in a loss of power; PostgreSQL keeps its data, and Redis what ``persist()`` saved.
  func stop() {
    redis?.stop()
    postgreSQL?.kill()
  }

  func start() throws {
    try redis?.start()
    try postgreSQL?.start()
  }

  func persist() async throws {
    if redis != nil { _ = try await RedisPool.patient(url).send(["SAVE"]) }
  }

  /// Loses everything.
  func lose() async throws {
    if let redis { _ = try await RedisPool.patient("redis+unix://\(redis.socket)").send(["FLUSHALL"]) }
    try postgreSQL?.ask("TRUNCATE nova.sessions")
  }

  /// Loses the leases only.
  func loseLeases() async throws {
    try postgreSQL?.ask("UPDATE nova.sessions SET lease_owner = NULL, lease_until = NULL")
    guard let redis else { return }
    let pool = try RedisPool.patient("redis+unix://\(redis.socket)")
    for key in try await pool.send(["KEYS", "nova:session:*"]).array ?? [] {
      _ = try await pool.send(["HDEL", RedisArgument(key.bytes ?? []), "owner", "until", "leased"])
    }
  }

  /// Starts a machine as a process.
  func process(_ gateway: RotatingServer, handle: String = "ada", _ options: String...) throws -> ProgramRun {
    try ProgramRun(
      [kind.rawValue, url, gateway.origin, handle] + options, executable: ProgramRun.program("FleetMachine"))
  }
}
