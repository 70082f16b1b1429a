internal import NovaCore
internal import NovaPostgreSQL

/// Sessions on PostgreSQL: one row for each, which also has the lease. Every function is one statement, so it works
/// with PgBouncer in transaction mode.
struct PostgreSQLSessionRecords: SessionRecords {
  private let client: ReadCommittedClient
  private let schema: String
  private let listens: Bool

  /// - Parameters:
  ///   - schema: the schema, already quoted.
  ///   - listens: whether the client can listen, which it cannot through a pooler.
  init(client: any PostgreSQLClient, schema: String, listens: Bool) {
    (self.client, self.schema, self.listens) = (ReadCommittedClient(client), schema, listens)
  }

  var engine: String { "PostgreSQL" }

  static let channel = "nova_sessions"

  private static let fields = """
    generation, coalesce(sealed, ''::bytea) AS sealed, ended, token,
    extract(epoch FROM clock_timestamp())::float8 AS time
    """

  func read(_ name: String) async throws -> SessionRecord {
    let rows = try await client.query(
      "SELECT \(Self.fields) FROM \(schema).sessions WHERE name = $1", [.text(name)])
    return try rows.first.map(Self.record) ?? SessionRecord(generation: 0)
  }

  func acquire(_ name: String, owner: String, for duration: Duration) async throws -> LeaseAnswer {
    let rows = try await client.query(
      """
      WITH acquired AS (
        INSERT INTO \(schema).sessions AS s (name, lease_owner, lease_until, lease_token)
        SELECT $1, $2, clock_timestamp() + $3 * interval '1 millisecond', ''
        -- A lease that is certainly valid needs no row lock, for which many machines would queue.
        WHERE NOT EXISTS (
          SELECT FROM \(schema).sessions WHERE name = $1 AND lease_owner <> $2 AND lease_token = token
            AND lease_until > clock_timestamp())
        ON CONFLICT (name) DO UPDATE
        SET lease_owner = excluded.lease_owner, lease_until = excluded.lease_until, lease_token = s.token
        WHERE s.lease_owner IS NULL OR s.lease_owner = excluded.lease_owner OR s.lease_until <= clock_timestamp()
          OR s.lease_token <> s.token
        RETURNING \(Self.fields)
      )
      SELECT true AS is_acquired, 0::float8 AS rest, \(Self.fields) FROM acquired
      UNION ALL
      SELECT false, coalesce(greatest(0, extract(epoch FROM lease_until - clock_timestamp())), 0)::float8,
        \(Self.fields)
      FROM \(schema).sessions WHERE name = $1 AND NOT EXISTS (SELECT FROM acquired)
      """, [.text(name), .text(owner), .double(duration / .milliseconds(1))])
    guard let row = rows.first else { return .busy(SessionRecord(generation: 0), remaining: .zero) }
    if try row.value("is_acquired", as: Bool.self) { return .acquired(try Self.record(row)) }
    return .busy(try Self.record(row), remaining: .seconds(try row.value("rest", as: Double.self)))
  }

  func renew(_ name: String, owner: String, for duration: Duration) async throws -> Bool {
    // Rows, because not every client reports how many were changed.
    try await !client.query(
      """
      UPDATE \(schema).sessions SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
      WHERE name = $1 AND lease_owner = $2 RETURNING name
      """, [.text(name), .text(owner), .double(duration / .milliseconds(1))]
    ).isEmpty
  }

  func release(_ name: String, owner: String) async throws {
    // Those that wait were notified when the session was replaced, and its lease has not counted since.
    _ = try await client.query(
      """
      WITH released AS (
        UPDATE \(schema).sessions SET lease_owner = NULL, lease_until = NULL WHERE name = $1 AND lease_owner = $2
        RETURNING name, lease_token = token AS is_awaited
      )
      SELECT pg_notify('\(Self.channel)', name) FROM released WHERE is_awaited
      """, [.text(name), .text(owner)])
  }

  func replace(_ name: String, with record: SessionRecord, expected: Int64?, write: String) async throws -> Bool {
    let parameters: [PostgreSQLValue] = [
      .text(name), .integer(record.generation), .bytes(record.sealed), .text(record.end?.text ?? ""),
      .text(record.token), .text(write), expected.map { .integer($0) } ?? .null,
    ]
    // A row that does not exist has the generation 0.
    let rows = try await client.query(
      """
      WITH replaced AS (
        INSERT INTO \(schema).sessions AS s (name, generation, sealed, ended, token, write, changed_at)
        SELECT $1, $2::bigint, $3::bytea, $4, $5, $6, clock_timestamp() WHERE coalesce($7::bigint, 0) = 0
          OR EXISTS (SELECT FROM \(schema).sessions WHERE name = $1)
        ON CONFLICT (name) DO UPDATE
        SET generation = excluded.generation, sealed = excluded.sealed, ended = excluded.ended,
          token = excluded.token, write = excluded.write, changed_at = excluded.changed_at
        WHERE s.write = excluded.write OR s.generation = $7::bigint
          OR $7::bigint IS NULL AND s.generation < excluded.generation
        RETURNING name
      )
      SELECT pg_notify('\(Self.channel)', name) FROM replaced
      """, parameters)
    return !rows.isEmpty
  }

  func changes(of name: String) -> AsyncStream<Void> {
    guard listens else { return AsyncStream { $0.finish() } }
    let names = client.notifications(on: Self.channel)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        do { for try await other in names where other == name || other.isEmpty { continuation.yield() } } catch {}
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private static func record(_ row: PostgreSQLRow) throws -> SessionRecord {
    SessionRecord(
      generation: try row.value("generation"), sealed: try row.value("sealed"),
      end: SessionRecord.End(text: try row.value("ended")), token: try row.value("token"),
      time: try row.value("time"))
  }
}
