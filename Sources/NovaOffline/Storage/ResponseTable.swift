import NovaSQLite

/// Answers that cannot be composed of facts, by their requests.
struct ResponseTable {
  let database: SQLiteConnection
  let partition: Int64
  let now: Int64

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

  func put(_ rpc: String, request: String, body: [UInt8], sequence: Int64, storedAt: Int64) throws {
    try database.statement(
      """
      INSERT INTO responses (partition, rpc, request, body, sequence, stored_at, used_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (partition, rpc, request) DO UPDATE SET
        body = excluded.body, sequence = excluded.sequence, stored_at = excluded.stored_at, used_at = excluded.used_at
      WHERE excluded.sequence >= sequence
      """
    ).bind(partition, rpc, request, body, sequence, storedAt, now).run()
  }

  /// Lets the stored answers of an RPC count as too old.
  func expire(_ rpc: String, sequence: Int64) throws {
    try database.statement("UPDATE responses SET stored_at = 0, sequence = ? WHERE partition = ? AND rpc = ?")
      .bind(sequence, partition, rpc).run()
  }
}
