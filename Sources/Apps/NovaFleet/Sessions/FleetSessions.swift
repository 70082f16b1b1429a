public import NovaAuth
public import NovaCore
public import NovaPostgreSQL
public import NovaRedis

/// The sessions of many users on many machines, in Redis or PostgreSQL. Of all machines, one refreshes a session, and
/// the others use the result.
///
/// ```swift
/// let fleet = FleetSessions(redis: try RedisPool(url: url), keys: keys, auth: nova.auth)
/// try await fleet.sessions(of: handle).signIn(email: email, password: password)
/// let mine = nova.with { $0.tokens = fleet.sessions(of: handle) }
/// ```
///
/// Tokens are encrypted before they leave the process, and handles are stored as keyed hashes.
public final class FleetSessions: Sendable {
  private struct Member {
    let manager: SessionManager
    let store: FleetSessionStore
    var use = 0
  }

  private struct State {
    var members: [String: Member] = [:]
    var uses = 0
  }

  private let records: any SessionRecords
  private let keys: FleetKeys
  private let auth: AuthService
  private let options: FleetSessionOptions
  private let clock: any CallClock
  private let state = Locked(State())

  /// Creates sessions on Redis or Valkey. Reads and sends nothing yet.
  ///
  /// - Parameters:
  ///   - redis: the client. If it is also a ``RedisSubscriber``, waiting machines are notified at once.
  ///   - keys: the keys that all machines have.
  ///   - auth: the service for signing in and out, and for refreshing. Its client needs no tokens.
  ///   - prefix: the beginning of the names of keys and channels. Default: `nova:`.
  ///   - retention: how long a session is kept after its last change: longer than refresh tokens are valid. Default: 90
  ///     days.
  ///   - options: how to refresh.
  ///   - clock: the clock for waits and expiry. Leases are measured by the server's clock.
  public convenience init(
    redis: any RedisClient, keys: FleetKeys, auth: AuthService, prefix: String = "nova:",
    retention: Duration = .seconds(90 * 86_400), options: FleetSessionOptions = FleetSessionOptions(),
    clock: any CallClock = ContinuousClock()
  ) {
    self.init(
      RedisSessionRecords(
        client: redis, subscriber: redis as? any RedisSubscriber, prefix: prefix, retention: retention),
      keys: keys, auth: auth, options: options, clock: clock)
  }

  /// Creates sessions on PostgreSQL, in the table that ``createTable(on:schema:)`` creates. Reads and sends nothing
  /// yet.
  ///
  /// - Parameters:
  ///   - postgreSQL: the client.
  ///   - keys: the keys that all machines have.
  ///   - auth: the service for signing in and out, and for refreshing. Its client needs no tokens.
  ///   - schema: the schema of the table. Default: `nova`.
  ///   - listens: whether waiting machines use `LISTEN`, which PgBouncer does not support in transaction mode. Default:
  ///     true.
  ///   - options: how to refresh.
  ///   - clock: the clock for waits and expiry. Leases are measured by the server's clock.
  public convenience init(
    postgreSQL: any PostgreSQLClient, keys: FleetKeys, auth: AuthService, schema: String = "nova",
    listens: Bool = true, options: FleetSessionOptions = FleetSessionOptions(),
    clock: any CallClock = ContinuousClock()
  ) {
    self.init(
      PostgreSQLSessionRecords(client: postgreSQL, schema: schema.quotedIdentifier, listens: listens),
      keys: keys, auth: auth, options: options, clock: clock)
  }

  init(
    _ records: any SessionRecords, keys: FleetKeys, auth: AuthService, options: FleetSessionOptions,
    clock: any CallClock
  ) {
    (self.records, self.keys, self.auth, self.options, self.clock) = (records, keys, auth, options, clock)
  }

  /// The manager of a user's session, for signing in and out, and as the `tokens` of calls.
  ///
  /// - Parameter handle: what identifies the session to your program: the user's ID, or the ID of a web session.
  /// - Throws: ``FleetKeyError`` if libcrypto is missing.
  public func sessions(of handle: String) throws(FleetKeyError) -> SessionManager {
    let name = try keys.name(of: handle, for: "session")
    return state.withLock { state in
      state.uses += 1
      var member = state.members[name] ?? makeMember(name)
      member.use = state.uses
      state.members[name] = member
      if state.members.count > options.maximumUsers { Self.release(&state, keeping: options.maximumUsers) }
      return member.manager
    }
  }

  /// The number of users whose managers are in memory.
  public var userCount: Int { state.withLock { $0.members.count } }

  private func makeMember(_ name: String) -> Member {
    let store = FleetSessionStore(name: name, records: records, keys: keys, options: options, clock: clock)
    let manager = SessionManager(store: store, auth: auth, policy: options.refreshing, clock: clock)
    return Member(manager: manager, store: store)
  }

  /// Releases the tenth that was used least recently, so that it need not be searched for each time, but no tokens that
  /// only this machine has.
  private static func release(_ state: inout State, keeping maximum: Int) {
    let uses = state.members.values.map(\.use).sorted()
    let oldest = uses[min(uses.count - 1, uses.count - maximum + maximum / 10)]
    state.members = state.members.filter { $0.value.use >= oldest || $0.value.store.isUnsaved }
  }

  // MARK: Schema

  /// The SQL that creates the table. It can be run again.
  public static func tableSQL(schema: String = "nova") -> String {
    let schema = schema.quotedIdentifier
    return """
      CREATE SCHEMA IF NOT EXISTS \(schema);
      CREATE TABLE IF NOT EXISTS \(schema).sessions (
        name text PRIMARY KEY,
        generation bigint NOT NULL DEFAULT 0,
        sealed bytea,
        ended text NOT NULL DEFAULT '',
        token text NOT NULL DEFAULT '',
        write text NOT NULL DEFAULT '',
        changed_at timestamptz NOT NULL DEFAULT now(),
        lease_owner text,
        lease_until timestamptz,
        lease_token text NOT NULL DEFAULT ''
      );
      """
  }

  /// Creates the schema and the table, unless they exist. Several machines may do so at once. A role without the privilege
  /// to create them may call it, too, once they exist.
  ///
  /// - Throws: what the client throws.
  public static func createTable(on client: any PostgreSQLClient, schema: String = "nova") async throws {
    let statements = tableSQL(schema: schema).parts(between: ";", keepsEmpty: false).filter { $0.contains("CREATE") }
    try await client.create(
      statements, unless: "to_regclass($1)", finds: "\(schema.quotedIdentifier).sessions")
  }
}
