import NovaCore
import NovaSQLite

/// The entries in `outbox.db`, and their image in memory. Every change is on the disk when its function returns, or has
/// not happened. Not `Sendable`.
final class OutboxDatabase {
  let connection: SQLiteConnection
  private let rule: @Sendable (String) -> WriteRule?
  /// The readable entries by id, as they were when they were last read.
  private var known: [Int64: OutboxEntry] = [:]
  /// Real ids by identity and temporary id.
  private(set) var realIDs: [Identity: [String: String]] = [:]
  /// The ids of the entries that this version of the SDK cannot read. They stay in the file.
  private(set) var unreadable: [Int64] = []
  private(set) var queue = OutboxQueue()
  /// Counts the changes of the queue.
  private(set) var generation = 0
  private var dataVersion: Int?
  /// The entries and real ids that the change in progress has written.
  private var written = Written()

  private struct Written {
    var entries: Set<Int64> = []
    var realIDs: [(identity: Identity, temporary: String, real: String)] = []
    var hasForgottenIDs = false
  }

  /// How long a temporary id is translated after its write took effect.
  static let idLifetime: Double = 30 * 86_400

  /// Opens or creates the database.
  ///
  /// - Parameter rule: the rule of an RPC, by its id.
  /// - Throws: `SQLiteError`, also for a file whose pages are damaged; ``OutboxProblem``.
  init(
    opening path: String, busyTimeout: Duration = .seconds(5), rule: @escaping @Sendable (String) -> WriteRule?
  ) throws {
    self.rule = rule
    connection = try SQLiteConnection(opening: path, durability: .full, busyTimeout: busyTimeout)
    // What was delivered must not be found in the pages of a damaged file, and sent again.
    try connection.execute("PRAGMA secure_delete=ON")
    try OutboxSchema.prepare(connection)
    let report = try connection.statement("PRAGMA quick_check(1)").firstRow { $0.text(0) }
    if let report, report != "ok" { throw SQLiteError(.corrupt, "its pages are damaged", path: path) }
    try checkTables()
    try reload()
  }

  /// A damaged page of the schema can leave sound pages with other tables.
  ///
  /// - Throws: `SQLiteError`.
  private func checkTables() throws {
    do {
      _ = try connection.statement("SELECT \(OutboxRow.columns) FROM entries LIMIT 0").firstRow { _ in }
      _ = try connection.statement("SELECT account, temporary, real, time FROM ids LIMIT 0").firstRow { _ in }
    } catch let error as SQLiteError where error.kind == .other {
      throw SQLiteError(.corrupt, "its tables are damaged: \(error.message)", path: connection.path)
    }
  }

  func close() { connection.close() }

  // MARK: Reading

  /// Reads what other processes have written.
  func refresh() throws {
    if try connection.dataVersion() != dataVersion { try reload() }
  }

  /// Reads the entries that are new or have changed.
  func reload() throws {
    let version = try connection.dataVersion()
    var stale: [Int64] = []
    var current: [Int64: OutboxEntry] = [:]
    var unreadable: [Int64] = []
    try connection.reading {
      try connection.statement("SELECT id, revision FROM entries").forEachRow { row in
        let id = row.int64(0)
        if let entry = known[id], entry.revision == row.int64(1) { current[id] = entry } else { stale.append(id) }
      }
      let selection = try connection.statement("SELECT \(OutboxRow.columns) FROM entries WHERE id = ?")
      for id in stale {
        if let entry = try selection.bind(id).firstRow({ OutboxRow.entry($0, rule) }) ?? nil {
          current[id] = entry
        } else {
          unreadable.append(id)
        }
      }
      realIDs = try readRealIDs()
    }
    dataVersion = version
    let isChanged = !stale.isEmpty || current.count != known.count || unreadable != self.unreadable
    self.unreadable = unreadable
    known = current
    guard isChanged else { return }
    queue = OutboxQueue(current.values.sorted { $0.id < $1.id })
    generation += 1
  }

  /// Reads the entries that this connection has written.
  private func readWritten() throws {
    if written.hasForgottenIDs { realIDs = try readRealIDs() }
    for id in written.realIDs { realIDs[id.identity, default: [:]][id.temporary] = id.real }
    guard !written.entries.isEmpty else { return }
    var (changed, removed): ([OutboxEntry], [Int64]) = ([], [])
    let selection = try connection.statement("SELECT \(OutboxRow.columns) FROM entries WHERE id = ?")
    for id in written.entries.sorted() {
      let entry = try selection.bind(id).firstRow({ OutboxRow.entry($0, rule) }) ?? nil
      known[id] = entry
      if let entry { changed.append(entry) } else { removed.append(id) }
    }
    queue.update(changed, removing: removed)
    generation += 1
  }

  private func readRealIDs() throws -> [Identity: [String: String]] {
    var ids: [Identity: [String: String]] = [:]
    try connection.statement("SELECT account, temporary, real FROM ids").forEachRow { row in
      guard let identity = Identity(storedText: row.text(0)) else { return }
      ids[identity, default: [:]][row.text(1)] = row.text(2)
    }
    return ids
  }

  /// Changes the database in one transaction that sees what other processes have written, and reads it back.
  func change<Value>(_ body: () throws -> Value) throws -> Value {
    written = Written()
    do {
      let value = try connection.transaction {
        try refresh()
        return try body()
      }
      try readWritten()
      return value
    } catch {
      // What was read inside of the transaction may never have been written.
      dataVersion = nil
      throw error
    }
  }

  // MARK: Enqueueing

  /// A write to put into the outbox.
  struct NewEntry {
    var identity: Identity
    var rule: WriteRule
    var request: any ProtoMessage
    var key: String
    var newID: String?
    var wouldChange: Bool?
    /// Whether the gateway may have seen it.
    var mayHaveLeft = false
  }

  /// Puts a write behind the others, unless another one stands for it.
  ///
  /// - Parameter beforeCommit: called when everything is written, and not yet on the disk.
  /// - Returns: the entry; nil if the write was cancelled out.
  func enqueue(
    _ new: NewEntry, now: Double, beforeCommit: () -> Void = {}
  ) throws -> (entry: OutboxEntry?, isJoined: Bool) {
    let (id, isJoined): (Int64?, Bool) = try change {
      var new = new
      new.request = RequestIDs.replacing(realIDs[new.identity] ?? [:], in: new.request) ?? new.request
      if let id = try sameKey(new) { return (id, true) }
      switch decide(new) {
      case .join(let id): return (id, true)
      case .append(let dropped):
        for id in dropped { try delete(id) }
        let id = try insert(new, now: now)
        beforeCommit()
        return (id, false)
      case .cancelOut(let id):
        try delete(id)
        beforeCommit()
        return (nil, false)
      }
    }
    return (id.flatMap { queue.entry($0) }, isJoined)
  }

  private func decide(_ new: NewEntry) -> Opposites.Decision {
    // What the gateway may have seen goes its way.
    guard !new.mayHaveLeft, let undoing = new.rule.undoing, let relation = undoing.relation(new.request) else {
      return .append(dropping: [])
    }
    return Opposites.decide(queue.setting(relation, new.identity), setting: undoing.isRelated)
  }

  /// The entry that has the key of a write; its request must be the same.
  private func sameKey(_ new: NewEntry) throws -> Int64? {
    let entry = queue.entries.first {
      $0.identity == new.identity && $0.key.hasSameBytes(as: new.key) && $0.rpc.id == new.rule.rpc.id
    }
    guard let entry else { return nil }
    guard try OutboxRow.text(entry.request) == OutboxRow.text(new.request) else {
      throw APIError(
        .invalidArgument, "another write in the outbox has this idempotency key; use a new key for each new call",
        rpc: new.rule.rpc.id)
    }
    return entry.id
  }

  private func insert(_ new: NewEntry, now: Double) throws -> Int64 {
    let attempt: Double? = new.mayHaveLeft ? now : nil
    return try connection.statement(
      """
      INSERT INTO entries (account, rpc, request, key, new_id, entities, would_change, created_at, first_attempt_at, \
      last_attempt_at, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """
    ).bind(
      new.identity.storedText, new.rule.rpc.id, try OutboxRow.text(new.request), new.key, new.newID,
      OutboxRow.text(new.rule.entities(new.request)), new.wouldChange, now, attempt, attempt, new.mayHaveLeft ? 1 : 0
    ).firstRow { row in
      written.entries.insert(row.int64(0))
      return row.int64(0)
    } ?? 0
  }

  func delete(_ id: Int64) throws {
    written.entries.insert(id)
    try connection.statement("DELETE FROM entries WHERE id = ?").bind(id).run()
  }

  /// Removes an entry unless it has another key meanwhile.
  func delete(_ entry: OutboxEntry) throws {
    written.entries.insert(entry.id)
    try connection.statement("DELETE FROM entries WHERE id = ? AND key = ?").bind(entry.id, entry.key).run()
  }

  /// Remembers which id the gateway has given to what an entry creates.
  func setRealID(_ real: String, of temporary: String, _ identity: Identity, now: Double) throws {
    try connection.statement("INSERT OR REPLACE INTO ids (account, temporary, real, time) VALUES (?, ?, ?, ?)")
      .bind(identity.storedText, temporary, real, now).run()
    written.realIDs.append((identity, temporary, real))
  }

  /// Forgets the real ids that are too old.
  func forgetRealIDs(now: Double) throws {
    try connection.statement("DELETE FROM ids WHERE time < ? RETURNING 1").bind(now - Self.idLifetime).forEachRow { _ in
      written.hasForgottenIDs = true
    }
  }

  /// Gives the entries of an identity, and what is known about them, to another one.
  func move(from old: Identity, to new: Identity) throws {
    try change {
      // The same write under the same key is one.
      try connection.statement("UPDATE OR REPLACE entries SET account = ?, revision = revision + 1 WHERE account = ?")
        .bind(new.storedText, old.storedText).run()
      try connection.statement("UPDATE OR REPLACE ids SET account = ? WHERE account = ?").bind(
        new.storedText, old.storedText
      ).run()
    }
    try reload()
  }

  // MARK: Updates

  /// - Returns: the entry as it is now; nil if it is gone or has another key.
  func update(
    _ entry: OutboxEntry, setting assignments: String, _ values: (any SQLiteValue)?...
  ) throws -> OutboxEntry? {
    try change { try runUpdate(entry, setting: assignments, values) }
    guard let current = queue.entry(entry.id), current.key == entry.key else { return nil }
    return current
  }

  /// Changes an entry unless it has another key meanwhile: then somebody has edited it.
  func runUpdate(_ entry: OutboxEntry, setting assignments: String, _ values: [(any SQLiteValue)?]) throws {
    written.entries.insert(entry.id)
    let statement = try connection.statement(
      "UPDATE entries SET \(assignments), revision = revision + 1 WHERE id = ? AND key = ?")
    for (index, value) in values.enumerated() {
      if let value { statement.bind(value, at: index) } else { statement.bindNull(at: index) }
    }
    try statement.bind(entry.id, at: values.count).bind(entry.key, at: values.count + 1).run()
  }
}
