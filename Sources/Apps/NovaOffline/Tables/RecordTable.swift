import NovaCore
import NovaSQLite

/// Messages with an identity, as canonical JSON.
struct RecordTable {
  let database: SQLiteConnection
  let partition: Int64
  let now: Int64
  /// The sequence of the records that are stored.
  let sequence: Int64

  /// What is stored about a record.
  enum Entry<Record> {
    /// It was deleted, or does not exist.
    case gone(storedAt: Int64)
    /// Only some of its fields are known.
    case part(Record, storedAt: Int64)
    case whole(Record, storedAt: Int64)
  }

  func entry<Record: StoredRecord>(_ id: String, _ type: Record.Type = Record.self) throws -> Entry<Record>? {
    try database.statement(
      "SELECT body, is_whole, stored_at, number, used_at FROM records WHERE partition = ? AND kind = ? AND id = ?"
    ).bind(partition, Record.kind, id).firstRow { row in
      let storedAt = row.int64(2)
      if row.isNull(0) { return .gone(storedAt: storedAt) }
      // An earlier version may have written a body that cannot be read.
      guard let record = try? Record(jsonUTF8: row.bytes(0)) else { return nil }
      return row.bool(1) ? .whole(record, storedAt: storedAt) : .part(record, storedAt: storedAt)
    } ?? nil
  }

  /// When the gateway stated that a record does not exist, in Unix milliseconds; nil if it has not.
  func goneSince(_ kind: String, _ id: String) throws -> Int64? {
    try database.statement(
      "SELECT stored_at FROM records WHERE partition = ? AND kind = ? AND id = ? AND body IS NULL"
    ).bind(partition, kind, id).firstRow { $0.int64(0) }
  }

  /// Forgets that a record does not exist.
  func removeGone(_ kind: String, _ id: String) throws {
    try database.statement(
      "DELETE FROM records WHERE partition = ? AND kind = ? AND id = ? AND body IS NULL AND sequence <= ?"
    ).bind(partition, kind, id, sequence).run()
  }

  /// Stores a record, unless what is stored is newer.
  ///
  /// - Parameters:
  ///   - isWhole: whether all of its fields are set.
  ///   - storedAt: when the gateway stated it, in Unix milliseconds; 0 if that is not sure.
  func put<Record: StoredRecord>(_ record: Record, isWhole: Bool = true, storedAt: Int64) throws {
    try put(
      Record.kind, record.recordID, body: record.jsonUTF8(.request), isWhole: isWhole, storedAt: storedAt)
  }

  /// Notes that a record does not exist.
  func putGone(_ kind: String, _ id: String, storedAt: Int64) throws {
    try put(kind, id, body: nil, isWhole: true, storedAt: storedAt)
  }

  private func put(_ kind: String, _ id: String, body: [UInt8]?, isWhole: Bool, storedAt: Int64) throws {
    try database.statement(
      """
      INSERT INTO records (partition, kind, id, body, is_whole, sequence, stored_at, used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (partition, kind, id) DO UPDATE SET
        body = excluded.body, is_whole = excluded.is_whole, sequence = excluded.sequence, stored_at = excluded.stored_at,
        used_at = excluded.used_at
      WHERE excluded.sequence >= sequence
      """
    ).bind(partition, kind, id, body, isWhole, sequence, storedAt, now).run()
  }

  /// Notes that records were used, for the eviction of those that were not.
  func touch(_ kind: String, _ ids: some Sequence<String>) throws {
    let update = try database.statement(
      "UPDATE records SET used_at = ? WHERE partition = ? AND kind = ? AND id = ? AND used_at < ?")
    for id in ids { try update.bind(now, partition, kind, id, now).run() }
  }
}

/// Answers that cannot be made of facts, by their requests.
struct ResponseTable {
  let database: SQLiteConnection
  let partition: Int64
  let now: Int64
  /// The sequence of the answers that are stored.
  let sequence: Int64

  struct Entry {
    let number: Int64
    let body: [UInt8]
    let storedAt: Int64
  }

  func entry(_ rpc: String, request: String) throws -> Entry? {
    try database.statement(
      "SELECT number, body, stored_at FROM responses WHERE partition = ? AND rpc = ? AND request = ?"
    ).bind(partition, rpc, request).firstRow { Entry(number: $0.int64(0), body: $0.bytes(1), storedAt: $0.int64(2)) }
  }

  func put(_ rpc: String, request: String, body: [UInt8], storedAt: Int64) throws {
    try database.statement(
      """
      INSERT INTO responses (partition, rpc, request, body, sequence, stored_at, used_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (partition, rpc, request) DO UPDATE SET
        body = excluded.body, sequence = excluded.sequence, stored_at = excluded.stored_at, used_at = excluded.used_at
      WHERE excluded.sequence >= sequence
      """
    ).bind(partition, rpc, request, body, sequence, storedAt, now).run()
  }

  /// Takes the age from the stored answers of an RPC.
  func expire(_ rpc: String) throws {
    try database.statement("UPDATE responses SET stored_at = 0, sequence = ? WHERE partition = ? AND rpc = ?")
      .bind(sequence, partition, rpc).run()
  }
}
