import NovaCore
import NovaSQLite

/// The stored facts of one identity in `cache.db`, for one read or one change of them.
///
/// Each fact has two times. `sequence` is how many writes were confirmed when the fact was requested or changed: a fact
/// never replaces one with a higher sequence. `storedAt` is when the gateway stated it, in Unix milliseconds; 0 if that
/// is not sure, so that the fact has no age and `cacheFirst` reads it again. To *doubt* a fact is to set `storedAt` to
/// 0.
struct FactTables {
  let database: SQLiteConnection
  let partition: Int64
  /// The identity's user; nil if the user is unknown, or there is none.
  let user: String?
  /// Now, in Unix milliseconds.
  let now: Int64
  /// The sequence of the facts that are stored through this value. A confirmed write has its own number.
  var sequence: Int64 = 0

  var records: RecordTable { RecordTable(database: database, partition: partition, now: now, sequence: sequence) }
  var numbers: NumberTable { NumberTable(database: database, partition: partition, sequence: sequence) }
  var lists: ListTable { ListTable(database: database, partition: partition, now: now, sequence: sequence) }
  var responses: ResponseTable { ResponseTable(database: database, partition: partition, now: now, sequence: sequence) }

  /// The same tables, to store facts with another sequence.
  func with(sequence: Int64) -> FactTables {
    var tables = self
    tables.sequence = sequence
    return tables
  }

  // MARK: The identity

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

  /// Forgets everything but the number of writes, so that an answer on its way does not count as a later one.
  func removeAll() throws {
    for table in CacheFile.tables where table != "partitions" && table != "items" {
      try database.statement("DELETE FROM \(table) WHERE partition = ?").bind(partition).run()
    }
  }

  // MARK: Facts that follow from others

  /// A relation, by itself or as a list shows it; nil if it is unknown.
  func relation(_ name: RelationName) throws -> (isRelated: Bool, storedAt: Int64)? {
    if let relation = try numbers.relation(name) { return (relation.isRelated, relation.storedAt) }
    for list in OfflineRules.relation(name.kind)?.lists ?? [] {
      guard let known = try lists.list(ListName(list.kind, [name[list.key]])) else { continue }
      if let index = try lists.index(of: name[list.item], in: known) {
        return (true, try lists.items(of: known, in: index..<index + 1).first?.storedAt ?? 0)
      }
      // A list that is known as a whole also shows who is not in it.
      if let time = try lists.knownWholeSince(known) { return (false, time) }
    }
    return nil
  }

  /// The same, but nil if it is uncertain, too.
  func certainRelation(_ name: RelationName) throws -> (isRelated: Bool, storedAt: Int64)? {
    try relation(name).flatMap { $0.storedAt > 0 ? $0 : nil }
  }

  /// A count, by itself or as the length of the list with the same name; nil if it is unknown.
  func count(_ name: CountName) throws -> NumberTable.Entry? {
    if let count = try numbers.count(name) { return count }
    guard let list = try lists.list(ListName(name.kind, name.key)), let length = list.length else { return nil }
    return NumberTable.Entry(value: Int64(length), storedAt: list.storedAt, sequence: list.sequence)
  }

  /// The records that are removed with a record, found in its lists.
  ///
  /// - Returns: their ids, and whether these are all.
  func children<Record: StoredRecord>(of record: Record) throws -> (ids: [String], isComplete: Bool) {
    guard Record.haveChildren else { return ([], true) }
    guard let name = record.places.compactMap(\.list).first, let list = try lists.list(name) else { return ([], false) }
    let known = try lists.items(of: list, in: 0..<PageName.longestList)
    let children = try known.filter { item in
      guard case .whole(let other, _) = try records.entry(item.id, Record.self) else { return false }
      return other.parentID.hasSameBytes(as: record.recordID)
    }
    return (children.map(\.id), list.length == known.count)
  }

  // MARK: Visibility

  /// Doubts all facts that were stored before a relation changed, if the change can change what the user may see. Which
  /// facts depend on it is unknown: the author of a post with likes may not be stored, for example.
  /// Answers that were requested before the change are not stored.
  func doubtVisibility(after name: RelationName, _ isRelated: Bool) throws {
    guard OfflineRules.relation(name.kind)?.visibility.contains(isRelated ? .set : .cleared) == true else { return }
    try database.statement(
      """
      UPDATE items SET stored_at = 0 WHERE list IN (SELECT number FROM lists WHERE partition = ? AND sequence < ?)
      """
    ).bind(partition, sequence).run()
    for table in ["records", "numbers", "lists", "responses"] {
      try database.statement("UPDATE \(table) SET stored_at = 0, sequence = ? WHERE partition = ? AND sequence < ?")
        .bind(sequence, partition, sequence).run()
    }
  }

  // MARK: Use

  /// Notes what was used. What was not used for the longest time is removed first.
  func touch(_ used: FactUse) throws {
    for (kind, ids) in used.records { try records.touch(kind, ids) }
    for (table, numbers) in [("lists", used.lists), ("responses", used.responses)] {
      let update = try database.statement("UPDATE \(table) SET used_at = ? WHERE number = ? AND used_at < ?")
      for number in numbers { try update.bind(now, number, now).run() }
    }
  }
}

/// The stored facts that answers have used.
struct FactUse {
  /// The ids of records, by kind.
  var records: [String: Set<String>] = [:]
  /// The numbers of lists.
  var lists: Set<Int64> = []
  /// The numbers of answers that are stored as a whole.
  var responses: Set<Int64> = []

  mutating func formUnion(_ other: FactUse) {
    for (kind, ids) in other.records { records[kind, default: []].formUnion(ids) }
    lists.formUnion(other.lists)
    responses.formUnion(other.responses)
  }
}

/// A record's kind and id.
struct RecordKey: Hashable, Sendable {
  let kind: String
  @ExactText var id: String

  init(_ kind: String, _ id: String) {
    self.kind = kind
    self.id = id
  }
}
