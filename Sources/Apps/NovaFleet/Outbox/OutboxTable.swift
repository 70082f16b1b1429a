import NovaCore
import NovaOffline
import NovaPostgreSQL

/// The SQL of entries on their way. Each function is one statement for the entries of many subjects, and changes only
/// entries whose subject is still leased under the generation that it names.
struct OutboxTable: Sendable {
  let client: any PostgreSQLClient
  let schema: String
  /// Whether delivered entries are kept for some time.
  let keepsDelivered: Bool

  /// The columns that ``StoredEntry/init(_:)`` reads, of `e`.
  static let columns = """
    e.id, e.subject, e.rpc, e.request::text AS request, e.key, e.new_id, e.state, e.attempts, \
    extract(epoch FROM e.created_at)::float8 AS created, extract(epoch FROM e.first_attempt_at)::float8 AS first, \
    extract(epoch FROM e.last_attempt_at)::float8 AS last, extract(epoch FROM e.next_attempt_at)::float8 AS next, \
    e.failure_code, e.failure_message
    """

  /// An entry on its way, as changes name it.
  struct Place: Sendable {
    let id: Int64
    let key: String
    let lease: OutboxLease
  }

  /// The start of each change: `held` has the entries that may be changed. The rows of their subjects stay locked until
  /// the change is done, so that no other replica can lease the subjects before.
  private func held(_ columns: String = "", _ types: String = "") -> String {
    """
    WITH held AS MATERIALIZED (
      SELECT g.* FROM (
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]\(types))
          AS u (id, key, subject, generation\(columns)) ORDER BY subject
      ) g CROSS JOIN LATERAL (
        SELECT FROM \(schema).outbox_subjects s WHERE s.subject = g.subject AND s.generation = g.generation FOR SHARE
      ) s
    )
    """
  }

  private func parameters(_ places: [Place]) -> [PostgreSQLValue] {
    [
      .integers(places.map(\.id)), .texts(places.map(\.key)), .texts(places.map(\.lease.subject)),
      .integers(places.map(\.lease.generation)),
    ]
  }

  // MARK: Reading

  /// The entries that a replica works on next.
  struct Window: Sendable {
    /// The first waiting entries, and the refused ones that create something, by ascending ID.
    var entries: [StoredEntry] = []
    /// Whether the subject's later writes may name what earlier ones have created.
    var hasIDs = false
    /// Whether there may be more waiting entries.
    var isFull = false
  }

  /// Reads the first entries of subjects.
  ///
  /// - Parameter limit: the maximum number of waiting entries of each subject.
  func windows(of leases: [OutboxLease], limit: Int) async throws -> [Window] {
    let rows = try await client.query(
      """
      SELECT \(Self.columns),
        EXISTS (SELECT FROM \(schema).outbox_ids i WHERE i.subject = e.subject) AS has_ids
      FROM unnest($1::text[]) AS l (subject) CROSS JOIN LATERAL (
        (SELECT * FROM \(schema).outbox_entries e WHERE e.subject = l.subject AND e.state = 'waiting'
          ORDER BY e.id LIMIT $2::bigint)
        UNION ALL
        (SELECT * FROM \(schema).outbox_entries e WHERE e.subject = l.subject AND e.state = 'dead'
          AND e.new_id IS NOT NULL ORDER BY e.id DESC LIMIT 1000)
      ) e ORDER BY e.id
      """, [.texts(leases.map(\.subject)), .integer(Int64(limit))])
    var windows: [String: Window] = [:]
    for row in rows {
      let entry = try StoredEntry(row)
      windows[entry.identity, default: Window()].entries.append(entry)
      if try row.value("has_ids", as: Bool.self) { windows[entry.identity]?.hasIDs = true }
    }
    return leases.map { lease in
      var window = windows[lease.subject] ?? Window()
      window.isFull = window.entries.count { !$0.isDead } >= limit
      return window
    }
  }

  /// The IDs that the gateway gave to what a subject's writes created, by temporary ID; nil for one that is unknown.
  func realIDs(_ temporary: Set<String>, of subject: String) async throws -> [String: String?] {
    let rows = try await client.query(
      """
      SELECT temporary, real FROM \(schema).outbox_ids
      WHERE subject = $1::text AND temporary = ANY ($2::text[])
      """, [.text(subject), .texts(Array(temporary))])
    var ids: [String: String?] = [:]
    for row in rows {
      ids.updateValue(try row.value("real", as: String?.self), forKey: try row.value("temporary"))
    }
    return ids
  }

  // MARK: Changes

  /// An entry that took effect.
  struct Finish: Sendable {
    let place: Place
    /// What the gateway calls what the entry created; nil if that is unknown.
    let realID: String?
  }

  /// The next step of a subject's delivery, of which a replica makes many at a time.
  enum Advance: Sendable {
    /// An entry is about to be sent, after another one that took effect.
    case attempt(Place, after: Finish?)
    case finish(Finish)

    var attempt: Place? {
      if case .attempt(let place, _) = self { place } else { nil }
    }

    var finish: Finish? {
      switch self {
      case .attempt(_, let finish): finish
      case .finish(let finish): finish
      }
    }
  }

  /// What became of an ``Advance``.
  struct Advanced: Sendable {
    /// The attempt that was noted; nil for an entry that must not be sent.
    var attempt: Attempt?
    /// Whether the entry that took effect was removed.
    var isFinished = false
  }

  /// An attempt as it was noted.
  struct Attempt: Sendable {
    let attempts: Int
    let first: Double
    let last: Double
  }

  /// Notes that entries are about to be sent; removes those that took effect, and notes the IDs of what they created.
  /// Both in one statement, because each costs the database more than the entries in it.
  func advance(_ steps: [Advance]) async throws -> [Advanced] {
    let places = steps.map { $0.attempt ?? $0.finish?.place }
    let rows = try await client.query(
      """
      SELECT * FROM \(schema).outbox_advance(
        $1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::boolean)
      """,
      [
        .texts(places.map { $0?.lease.subject }), .integers(places.map { $0?.lease.generation }),
        .integers(steps.map { $0.finish?.place.id }), .texts(steps.map { $0.finish?.place.key }),
        .texts(steps.map { $0.finish?.realID }), .integers(steps.map { $0.attempt?.id }),
        .texts(steps.map { $0.attempt?.key }), .boolean(keepsDelivered),
      ])
    var (tried, done): ([Int64: Attempt], Set<Int64>) = ([:], [])
    for row in rows {
      let id = try row.value(0, as: Int64.self)
      if let attempts = try row.value(1, as: Int?.self) {
        tried[id] = Attempt(attempts: attempts, first: try row.value(2), last: try row.value(3))
      } else {
        done.insert(id)
      }
    }
    return steps.map { step in
      Advanced(
        attempt: step.attempt.flatMap { tried[$0.id] },
        isFinished: step.finish.map { done.contains($0.place.id) } ?? false)
    }
  }

  /// A change of an entry that did not take effect.
  struct Setback: Sendable {
    enum Kind: String, Sendable {
      /// The entry waits for another attempt.
      case later
      /// The entry becomes a dead letter.
      case dead
      /// The entry gets another key.
      case key
    }

    let place: Place
    let kind: Kind
    var failure: OutboxFailure?
    var firstAttemptAt: Double?
    var nextAttemptAt: Double?
    var key = ""
  }

  /// Notes setbacks.
  ///
  /// - Returns: whether each was noted.
  func note(_ setbacks: [Setback]) async throws -> [Bool] {
    let rows = try await client.query(
      """
      \(held(", kind, code, message, first, next, new_key",
        ", $5::text[], $6::text[], $7::text[], $8::float8[], $9::float8[], $10::text[]"))
      UPDATE \(schema).outbox_entries e SET
        state = CASE h.kind WHEN 'dead' THEN 'dead' ELSE e.state END,
        ended_at = CASE h.kind WHEN 'dead' THEN statement_timestamp() END,
        key = CASE h.kind WHEN 'key' THEN h.new_key ELSE e.key END,
        failure_code = CASE h.kind WHEN 'key' THEN e.failure_code ELSE h.code END,
        failure_message = CASE h.kind WHEN 'key' THEN e.failure_message ELSE h.message END,
        first_attempt_at = CASE h.kind WHEN 'key' THEN NULL WHEN 'dead' THEN e.first_attempt_at
          ELSE CASE WHEN h.first >= 0 THEN to_timestamp(h.first) END END,
        last_attempt_at = CASE h.kind WHEN 'key' THEN NULL ELSE e.last_attempt_at END,
        next_attempt_at = CASE WHEN h.kind = 'later' AND h.next >= 0 THEN to_timestamp(h.next)
          WHEN h.kind = 'key' THEN e.next_attempt_at END
      FROM held h WHERE e.id = h.id AND e.key = h.key AND e.state = 'waiting'
      RETURNING e.id
      """,
      parameters(setbacks.map(\.place)) + [
        .texts(setbacks.map(\.kind.rawValue)), .texts(setbacks.map { $0.failure?.code.rawValue ?? "" }),
        .texts(setbacks.map { $0.failure?.message ?? "" }), .doubles(setbacks.map { $0.firstAttemptAt ?? -1 }),
        .doubles(setbacks.map { $0.nextAttemptAt ?? -1 }), .texts(setbacks.map(\.key)),
      ])
    let noted = Set(try rows.map { try $0.value("id", as: Int64.self) })
    return setbacks.map { noted.contains($0.place.id) }
  }
}

extension StoredEntry {
  /// The entry in a row of ``OutboxTable/columns``.
  init(_ row: PostgreSQLRow) throws {
    self.init(
      id: try row.value("id"), identity: try row.value("subject"), rpc: try row.value("rpc"),
      request: Array(try row.value("request", as: String.self).utf8), key: try row.value("key"),
      createdAt: try row.value("created"))
    newID = try row.value("new_id", as: String?.self)
    attempts = try row.value("attempts")
    isDead = try row.value("state", as: String.self) == "dead"
    firstAttemptAt = try row.value("first", as: Double?.self)
    lastAttemptAt = try row.value("last", as: Double?.self)
    nextAttemptAt = try row.value("next", as: Double?.self)
    if let code = try row.value("failure_code", as: String?.self) {
      failure = (code, try row.value("failure_message", as: String?.self) ?? "")
    }
  }
}
