import NovaCore
import NovaSQLite

/// The stored facts of one identity, and the time of what is done with them.
struct FactTables {
  let database: SQLiteConnection
  let partition: Int64
  /// The identity's user; nil if the user is unknown, or there is none.
  let user: String?
  /// Now, in Unix milliseconds.
  let now: Int64

  var records: RecordTable { RecordTable(database: database, partition: partition, now: now) }
  var numbers: NumberTable { NumberTable(database: database, partition: partition) }
  var lists: ListTable { ListTable(database: database, partition: partition, now: now) }
  var responses: ResponseTable { ResponseTable(database: database, partition: partition, now: now) }

  /// How many writes were confirmed.
  func writeCount() throws -> Int64 {
    try database.statement("SELECT writes FROM partitions WHERE id = ?").bind(partition).firstRow { $0.int64(0) } ?? 0
  }

  /// Counts a confirmed write.
  ///
  /// - Returns: its number, from 1.
  func nextWrite() throws -> Int64 {
    try database.statement("UPDATE partitions SET writes = writes + 1 WHERE id = ?").bind(partition).run()
    return try writeCount()
  }

  /// Notes what was used, for the eviction of what was not.
  func touch(_ used: FactReader.Used) throws {
    for (kind, ids) in used.records { try records.touch(kind, ids) }
    for (table, numbers) in [("lists", used.lists), ("responses", used.responses)] {
      let update = try database.statement("UPDATE \(table) SET used_at = ? WHERE number = ? AND used_at < ?")
      for number in numbers { try update.bind(now, number, now).run() }
    }
  }

  /// Forgets everything but the number of writes, so that an answer on its way is not taken for a later one.
  func removeAll() throws {
    for table in CacheSchema.tables where table != "partitions" && table != "items" {
      try database.statement("DELETE FROM \(table) WHERE partition = ?").bind(partition).run()
    }
  }

  /// Finds the partition of an identity; nil if nothing was stored for it yet.
  static func partition(of identity: Identity, in database: SQLiteConnection) throws -> Int64? {
    try database.statement("SELECT id FROM partitions WHERE gateway = ? AND account = ?")
      .bind(identity.gateway, identity.storedText).firstRow { $0.int64(0) }
  }

  /// Adds the partition of an identity.
  static func addPartition(of identity: Identity, to database: SQLiteConnection) throws -> Int64 {
    try database.statement("INSERT INTO partitions (gateway, account) VALUES (?, ?) RETURNING id")
      .bind(identity.gateway, identity.storedText).firstRow { $0.int64(0) } ?? 0
  }
}
