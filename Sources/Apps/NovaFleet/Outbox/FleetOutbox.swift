public import NovaCore
public import NovaOffline
public import NovaPostgreSQL

/// An outbox in the database of your application: writes that are queued in the same transaction as your own rows, and
/// delivered to the gateway by any ``FleetOutboxReplica``.
///
/// ```swift
/// let outbox = FleetOutbox(client)
/// try await outbox.prepare()
/// try await client.transaction { client in
///   try await client.query("UPDATE orders SET …", […])
///   try await outbox.enqueue(SocialRPC.createLike, request, user: "ada", gateway: "https://api.nova.social", in: client)
/// }
/// ```
///
/// From any other client or language, queue a write with `SELECT nova.enqueue(…)`, or with an `INSERT`, see
/// docs/fleet-outbox.md.
public struct FleetOutbox: Sendable {
  /// Runs the statements; may use a pooler in transaction mode.
  public let client: any PostgreSQLClient
  /// The schema of the tables.
  public let schema: FleetOutboxSchema
  /// Runs all statements that are not part of a transaction of the application.
  let database: ReadCommittedClient

  /// Creates an outbox over a client.
  ///
  /// - Parameter schema: the schema of the tables. Default: `nova`.
  /// - Throws: ``FleetOutboxError`` for an invalid name.
  public init(_ client: any PostgreSQLClient, schema: String = "nova") throws {
    self.client = client
    database = ReadCommittedClient(client)
    self.schema = try FleetOutboxSchema(schema)
  }

  var name: String { schema.schema }

  /// Creates the tables, or brings them to this version.
  ///
  /// - Throws: ``FleetOutboxError`` for tables of a later version; errors of the client.
  public func prepare() async throws { try await schema.prepare(client) }

  // MARK: Queueing

  /// Queues a write. It is delivered after the transaction is committed, or never if it is rolled back.
  ///
  /// - Parameters:
  ///   - rpc: a call that can wait.
  ///   - request: is validated now.
  ///   - user: the ID of the user whose write it is.
  ///   - gateway: exactly the base URL of the replicas' client, as the `gateway` of an `Identity` has it.
  ///   - key: the idempotency key; the same key a second time is the same write, while the outbox has it. Default: a new
  ///     one.
  ///   - newID: a temporary ID of what the write creates, another one for each record, which later requests of the same
  ///     user may name until the gateway has given the real one. Default: none.
  ///   - transaction: the client that your transaction has passed to you. Default: nil, a transaction of its own.
  /// - Returns: the write's ID.
  /// - Throws: `APIError`: `invalidArgument`; `failedPrecondition` if the call cannot wait. Errors of the client.
  @discardableResult
  public func enqueue<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, user: String, gateway: String, key: String? = nil,
    newID: String? = nil, in transaction: (any PostgreSQLClient)? = nil
  ) async throws -> OutboxEntry.ID {
    try await enqueue(
      rpc.descriptor, request, user: user, gateway: gateway, key: key, newID: newID, in: transaction)
  }

  /// The same for a call that is known only at run time.
  @discardableResult
  public func enqueue(
    _ rpc: RPCDescriptor, _ request: any ProtoMessage, user: String, gateway: String, key: String? = nil,
    newID: String? = nil, in transaction: (any PostgreSQLClient)? = nil
  ) async throws -> OutboxEntry.ID {
    guard OfflineRules.write(rpc.id)?.canWait == true else {
      throw APIError(
        .failedPrecondition, "this call cannot wait in the outbox", advice: "send it with the client", rpc: rpc.id)
    }
    try Outbox.check(request, of: rpc)
    let rows = try await (transaction ?? database).query(
      "SELECT \(name).enqueue($1::text, $2::text, $3::text, $4::jsonb, $5::text, $6::text) AS id",
      [
        .text(user), .text(gateway), .text(rpc.id), .text(try StoredEntry.text(request)),
        key.map { .text($0) } ?? .null,
        newID.map { .text($0) } ?? .null,
      ])
    return try rows.first?.value("id", as: Int64.self) ?? 0
  }

  // MARK: Looking

  /// How full the outbox is.
  ///
  /// - Throws: errors of the client.
  public func statistics() async throws -> FleetOutboxStatistics {
    let rows = try await database.query(
      """
      SELECT (SELECT count(*) FROM \(name).outbox_entries WHERE state = 'waiting') AS waiting,
        (SELECT count(*) FROM \(name).outbox_entries WHERE state = 'dead') AS dead,
        (SELECT count(*) FROM \(name).outbox_subjects WHERE owner IS NOT NULL AND wake_at > now()) AS leased,
        (SELECT count(*) FROM \(name).outbox_subjects WHERE owner IS NOT NULL AND wake_at <= now()) AS expired,
        coalesce((SELECT extract(epoch FROM now() - created_at) FROM \(name).outbox_entries
          WHERE state = 'waiting' ORDER BY id LIMIT 1), 0)::float8 AS oldest
      """, [])
    guard let row = rows.first else { return FleetOutboxStatistics() }
    return FleetOutboxStatistics(
      waiting: try row.value("waiting"), dead: try row.value("dead"),
      oldestAge: max(0, try row.value("oldest")), leasedSubjects: try row.value("leased"),
      expiredLeases: try row.value("expired"))
  }

  /// The writes that are not delivered, oldest first: waiting, blocked, and refused.
  ///
  /// - Parameters:
  ///   - identity: whose; nil for everyone's.
  ///   - onlyDead: whether those that wait are left out. Default: false.
  ///   - id: only those after this one.
  ///   - limit: the maximum number.
  /// - Throws: errors of the client.
  public func entries(
    of identity: Identity? = nil, onlyDead: Bool = false, after id: OutboxEntry.ID = 0, limit: Int = 1000
  ) async throws -> [OutboxEntry] {
    try await page(of: identity, onlyDead: onlyDead, after: id, limit: limit).entries
  }

  /// Rows of the outbox, also those that this version of the SDK cannot read.
  package struct Page: Sendable {
    package let entries: [OutboxEntry]
    /// Of another version, or with a request that does not match the contract.
    package let unreadable: [StoredEntry]
    /// The ID of the last row; nil without rows.
    package let last: OutboxEntry.ID?
  }

  /// As ``entries(of:onlyDead:after:limit:)``.
  package func page(
    of identity: Identity? = nil, onlyDead: Bool = false, after id: OutboxEntry.ID = 0, limit: Int = 1000
  ) async throws -> Page {
    let stored = try await stored(of: identity, onlyDead: onlyDead, after: id, limit: limit)
    return Page(
      entries: try await resolved(stored), unreadable: stored.filter { $0.entry() == nil }, last: stored.last?.id)
  }

  /// The entries of these rows, between which no others are. Those that wait for a refused one are blocked.
  func resolved(_ stored: [StoredEntry]) async throws -> [OutboxEntry] {
    guard let first = stored.first?.id else { return [] }
    let subjects = Set(stored.lazy.filter { !$0.isDead }.map(\.identity))
    let creators = subjects.isEmpty ? [] : try await creators(of: subjects, before: first)
    let entries = creators.compactMap { $0.entry() } + stored.compactMap { $0.entry() }
    return OutboxQueue(entries).entries.filter { $0.id >= first }
  }

  /// The earlier writes that create something, of those subjects where one of them was refused.
  private func creators(of subjects: Set<String>, before id: OutboxEntry.ID) async throws -> [StoredEntry] {
    try await database.query(
      """
      SELECT \(OutboxTable.columns) FROM \(name).outbox_entries e
      WHERE e.subject IN (
        SELECT d.subject FROM \(name).outbox_entries d
        WHERE d.subject = ANY ($1::text[]) AND d.state = 'dead' AND d.new_id IS NOT NULL AND d.id < $2::bigint)
        AND e.state IN ('waiting', 'dead') AND e.new_id IS NOT NULL AND e.id < $2::bigint
      ORDER BY e.id LIMIT 100000
      """, [.texts(subjects.sorted()), .integer(id)]
    ).map { try StoredEntry($0) }
  }

  package func stored(
    of identity: Identity?, onlyDead: Bool, after id: OutboxEntry.ID, limit: Int
  ) async throws -> [StoredEntry] {
    try await database.query(
      """
      SELECT \(OutboxTable.columns) FROM \(name).outbox_entries e
      WHERE e.id > $1::bigint AND ($2::text = '' OR e.subject = $2::text)
        AND (e.state = 'dead' OR (NOT $3::boolean AND e.state = 'waiting')) ORDER BY e.id LIMIT $4::bigint
      """, [.integer(id), .text(identity?.subject ?? ""), .boolean(onlyDead), .integer(Int64(limit))]
    ).map { try StoredEntry($0) }
  }

  /// A write that is not delivered.
  ///
  /// - Throws: ``FleetOutboxError`` `notFound`; `failedPrecondition` if this version of the SDK cannot read it.
  public func entry(_ id: OutboxEntry.ID) async throws -> OutboxEntry {
    guard let entry = try await resolved([stored(id)]).first else { throw Self.unreadable(id) }
    return entry
  }

  /// The row of a write that is not delivered.
  ///
  /// - Throws: ``FleetOutboxError`` `notFound`.
  package func stored(_ id: OutboxEntry.ID) async throws -> StoredEntry {
    guard let stored = try await stored(of: nil, onlyDead: false, after: id - 1, limit: 1).first, stored.id == id else {
      throw Self.notFound(id)
    }
    return stored
  }

  static func unreadable(_ id: OutboxEntry.ID) -> FleetOutboxError {
    FleetOutboxError(
      .failedPrecondition,
      "entry \(id) cannot be read: another version of NovaSDK has written it, or its request does not match the "
        + "contract")
  }

  /// Which replica delivers an identity's writes now, and for how many seconds it has the lease unless it renews it.
  package func lease(of identity: Identity) async throws -> (owner: String, seconds: Double)? {
    let rows = try await database.query(
      """
      SELECT owner, extract(epoch FROM wake_at - now())::float8 AS seconds FROM \(name).outbox_subjects
      WHERE subject = $1::text AND owner IS NOT NULL AND wake_at > now()
      """, [.text(identity.subject)])
    return try rows.first.map { (try $0.value("owner"), try $0.value("seconds")) }
  }

  static func notFound(_ id: OutboxEntry.ID) -> FleetOutboxError {
    FleetOutboxError(
      .notFound, "not found: entry \(id) is not in the outbox", advice: "it may have been delivered")
  }
}

/// How full an outbox is.
public struct FleetOutboxStatistics: Sendable, Hashable {
  /// The number of writes that wait, with those that depend on a refused one.
  public var waiting = 0
  /// The number of writes that were refused.
  public var dead = 0
  /// The age of the oldest waiting write in seconds; 0 without one.
  public var oldestAge: Double = 0
  /// The number of subjects that replicas deliver now.
  public var leasedSubjects = 0
  /// The number of leases that have ended and were not released: of replicas that were killed or stopped.
  public var expiredLeases = 0
}
