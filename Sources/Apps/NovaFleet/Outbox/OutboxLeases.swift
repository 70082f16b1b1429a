import NovaCore
import NovaPostgreSQL

/// The SQL of subjects and their leases. Each function is one statement, so that a pooler can run each on another
/// connection.
struct OutboxLeases: Sendable {
  let client: any PostgreSQLClient
  let schema: String
  /// The name of this replica, for operators.
  let owner: String
  /// How long a lease lasts, in seconds.
  let duration: Double
  /// Which subjects are delivered: those of a gateway.
  let gateway: String
  /// The only subject that is delivered; nil for all of the gateway.
  var only: String?

  /// Notes which subjects have new writes, at most 1000 at a time.
  ///
  /// - Returns: how many arrivals were read.
  func absorb() async throws -> Int64 {
    let rows = try await client.query("SELECT \(schema).outbox_absorb() AS count", [])
    return try rows.first?.value("count", as: Int64.self) ?? 0
  }

  /// Leases subjects that are due, or whose lease has ended.
  ///
  /// - Returns: the leases, and the database's time in Unix seconds if there are any.
  func claim(_ count: Int) async throws -> (leases: [OutboxLease], time: Double?) {
    let rows = try await client.query(
      """
      WITH due AS (
        SELECT subject, owner IS NOT NULL AS was_leased FROM \(schema).outbox_subjects
        WHERE wake_at <= statement_timestamp() AND right(subject, length($3::text)) = $3::text
          AND ($5::text = '' OR subject = $5::text)
        ORDER BY wake_at LIMIT $4::bigint FOR UPDATE SKIP LOCKED
      )
      UPDATE \(schema).outbox_subjects s SET owner = $1::text, generation = nextval('\(schema).outbox_generations'), has_news = false,
        wake_at = statement_timestamp() + $2::float8 * interval '1 second'
      FROM due WHERE s.subject = due.subject
      RETURNING s.subject, s.generation, due.was_leased, extract(epoch FROM clock_timestamp())::float8 AS time
      """,
      [
        .text(owner), .double(duration), .text(" at \(gateway)"), .integer(Int64(count)), .text(only ?? ""),
      ])
    let leases = try rows.map { row in
      OutboxLease(
        subject: try row.value("subject"), generation: try row.value("generation"),
        isTakenOver: try row.value("was_leased"))
    }
    return (leases, try rows.first?.value("time", as: Double.self))
  }

  /// Prolongs leases.
  ///
  /// - Returns: the subjects whose leases continue.
  func renew(_ leases: [OutboxLease]) async throws -> Set<String> {
    let rows = try await client.query(
      """
      WITH held AS (
        SELECT s.subject FROM \(schema).outbox_subjects s
        JOIN unnest($1::text[], $2::bigint[]) AS l (subject, generation) USING (subject, generation)
        ORDER BY s.subject FOR UPDATE OF s
      )
      UPDATE \(schema).outbox_subjects s SET wake_at = statement_timestamp() + $3::float8 * interval '1 second'
      FROM held WHERE s.subject = held.subject RETURNING s.subject
      """,
      [.texts(leases.map(\.subject)), .integers(leases.map(\.generation)), .double(duration)])
    return Set(try rows.map { try $0.value("subject", as: String.self) })
  }

  /// Gives leases back. Subjects without writes are forgotten.
  func release(_ releases: [OutboxRelease]) async throws {
    _ = try await client.query(
      "SELECT \(schema).outbox_release($1::text[], $2::bigint[], $3::float8[], $4::float8[])",
      [
        .texts(releases.map(\.lease.subject)), .integers(releases.map(\.lease.generation)),
        .doubles(releases.map { $0.dueIn.map { max(0, $0) } ?? -1 }), .doubles(releases.map(\.rest)),
      ])
  }

  /// Finds subjects whose writes wait although nothing has announced them, for example after a backup was restored.
  ///
  /// - Returns: how many were found.
  func sweep() async throws -> Int64 {
    let rows = try await client.query(
      """
      WITH RECURSIVE waiting AS (
        (SELECT subject FROM \(schema).outbox_entries WHERE state = 'waiting' ORDER BY subject LIMIT 1)
        UNION ALL
        SELECT (SELECT e.subject FROM \(schema).outbox_entries e WHERE e.state = 'waiting' AND e.subject > w.subject
          ORDER BY e.subject LIMIT 1)
        FROM waiting w WHERE w.subject IS NOT NULL
      ), added AS (
        INSERT INTO \(schema).outbox_subjects (subject, wake_at, has_news)
          SELECT subject, statement_timestamp(), true FROM waiting WHERE subject IS NOT NULL
          AND NOT EXISTS (SELECT FROM \(schema).outbox_subjects s WHERE s.subject = waiting.subject)
          ORDER BY subject
        ON CONFLICT (subject) DO NOTHING RETURNING 1
      )
      SELECT count(*) AS count FROM added
      """, [])
    return try rows.first?.value("count", as: Int64.self) ?? 0
  }
}
