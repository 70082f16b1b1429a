import NovaAuth
import NovaCache
import NovaCore
import NovaFleet
import NovaLibc
import NovaPostgreSQL
import NovaRedis

/// What the calls of both users share in this process, and through the stores with the other processes.
struct WalkerServices: Sendable {
  let fleet: FleetSessions
  let client: APIClient
  let images: MediaCache
  let database: PostgreSQLPool
  let outbox: FleetOutbox
  let replica: FleetOutboxReplica

  init(_ arguments: WalkerArguments) throws {
    let key = String(repeating: "a1", count: 32)
    let keys = try FleetKeys(names: key, sealing: [("1", key)])
    let redis = try RedisPool(url: arguments.redis)
    database = try PostgreSQLPool(arguments.postgreSQL)
    let clock = OffsetClock(seconds: arguments.clock)
    var overrides = ConfigurationOverrides()
    overrides.baseURL = arguments.gateway
    let configuration = try APIConfiguration(overrides)
    let name = arguments.name
    let auth = AuthService(
      client: APIClient(configuration: configuration) {
        $0.middlewares = [StampMiddleware(name: name, isLimited: false)]
        $0.clock = clock
      })
    // Short, because processes are killed while they hold leases.
    let options = FleetSessionOptions(lease: .seconds(2))
    fleet =
      arguments.engine == "redis"
      ? FleetSessions(redis: redis, keys: keys, auth: auth, options: options, clock: clock)
      : FleetSessions(postgreSQL: database, keys: keys, auth: auth, options: options, clock: clock)
    let limit = try FleetLimit("gateway", rate: arguments.rate, burst: arguments.burst)
    let limiter = FleetLimiter(limit, store: RedisLimitStore(redis))
    let middlewares: [any Middleware] = [FleetLimitMiddleware(limiter), StampMiddleware(name: name, isLimited: true)]
    var calls = FleetCallStore.Options()
    calls.cache.loadTime = .seconds(1)
    let store = FleetCallStore(redis, messages: redis, keys: keys, options: calls, clock: clock)
    client = APIClient(configuration: configuration) {
      ($0.middlewares, $0.store, $0.clock) = (middlewares, store, clock)
    }
    images = MediaCache(client: client, cache: HTTPCache(shared: FleetResponses(redis, keys: keys)))
    outbox = try FleetOutbox(database)
    replica = try Self.replica(
      name, outbox, database: database, fleet: fleet, configuration: configuration, middlewares: middlewares,
      clock: clock)
  }

  private static func replica(
    _ name: String, _ outbox: FleetOutbox, database: PostgreSQLPool, fleet: FleetSessions,
    configuration: APIConfiguration, middlewares: [any Middleware], clock: OffsetClock
  ) throws -> FleetOutboxReplica {
    let client = APIClient(configuration: configuration) { ($0.middlewares, $0.clock) = (middlewares, clock) }
    var options = FleetOutboxOptions(owner: name)
    (options.lease, options.pollInterval) = (.seconds(2), .milliseconds(100))
    return FleetOutboxReplica(outbox, client: client, sessions: fleet, listener: database, options: options)
  }

  func sessions(of user: WalkerUser) throws -> SessionManager { try fleet.sessions(of: user.id) }
}

/// Adds the process to each request, and when the limit let it pass.
struct StampMiddleware: Middleware {
  let name: String
  let isLimited: Bool

  func intercept(_ request: HTTPRequest, _ context: CallContext, next: @escaping Next) async throws -> HTTPResponse {
    var request = request
    request.headers["X-Walk-Process"] = name
    if isLimited { request.headers["X-Walk-Time"] = "\(Self.microseconds)" }
    return try await next(request)
  }

  /// Of a clock that all processes of the computer share.
  private static var microseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }
}
