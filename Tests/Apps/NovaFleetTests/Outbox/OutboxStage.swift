import NovaCore
import NovaFleet
import NovaOffline
import NovaPostgreSQL
import NovaSocial
import NovaTestSupport
import Testing

/// An outbox in a real database, a gateway that counts, and replicas in this process.
struct OutboxStage: Sendable {
  static let gatewayURL = "http://localhost:8080"
  let cluster: PostgreSQLServer
  let pool: PostgreSQLPool
  let outbox: FleetOutbox
  let gateway = CountingGateway()
  let client: APIClient

  /// - Parameter pool: makes the pool. Default: with direct connections.
  init(
    pool makePool: (PostgreSQLServer) throws -> PostgreSQLPool = { try PostgreSQLPool($0.url) }
  ) async throws {
    let cluster = try PostgreSQLServer()
    try await self.init(cluster: cluster, pool: try makePool(cluster))
  }

  init(cluster: PostgreSQLServer, pool: PostgreSQLPool) async throws {
    (self.cluster, self.pool) = (cluster, pool)
    outbox = try FleetOutbox(pool)
    try await outbox.prepare()
    client = try .test(gateway, baseURL: Self.gatewayURL, token: nil, clock: ContinuousClock())
  }

  static func identity(_ user: String) -> Identity { Identity(gateway: gatewayURL, caller: .user(user)) }

  func replica(
    listener: (any PostgreSQLClient)? = nil, client: APIClient? = nil, log: CapturedLog? = nil,
    _ change: (inout FleetOutboxOptions) -> Void = { _ in },
    tokens: @escaping FleetOutboxReplica.Tokens = { try AccessToken("token-\($0.user ?? "")") }
  ) -> FleetOutboxReplica {
    var options = FleetOutboxOptions(owner: "test")
    options.pollInterval = .milliseconds(50)
    options.lease = .seconds(5)
    change(&options)
    return FleetOutboxReplica(
      outbox, client: client ?? self.client, listener: listener, options: options, logger: log?.logger, tokens: tokens)
  }

  @discardableResult
  func like(
    _ post: String, by user: String, key: String? = nil, in client: (any PostgreSQLClient)? = nil
  ) async throws -> Int64 {
    try await outbox.enqueue(
      SocialRPC.createLike, CreateLikeRequest(userId: user, postId: post), user: user, gateway: Self.gatewayURL,
      key: key, in: client)
  }

  /// Runs replicas until the outbox has no waiting writes.
  func deliverAll(by replicas: [FleetOutboxReplica]) async throws {
    let tasks = replicas.map { replica in Task { await replica.run() } }
    try await waitUntil { try await outbox.statistics().waiting == 0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
