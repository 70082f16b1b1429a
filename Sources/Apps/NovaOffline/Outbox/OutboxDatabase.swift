import NovaCore
import NovaSQLite

/// The rows of `outbox.db`, and the entries in them. Every change is on the disk when its function returns, or has
/// not happened. Not `Sendable`.
///
/// All changes go through `change`: one transaction, which first reads what other processes have written, and whose own
/// rows are read back afterwards. An update names the key of the entry it is meant for: if the row has another key by
/// then, someone has edited the entry, and the update does nothing.
final class OutboxDatabase {
  private let connection: SQLiteConnection
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
  private static let idLifetime: Double = 30 * 86_400

  /// Opens or creates the database.
  ///
  /// - Parameter rule: returns the rule of an RPC by its id.
  /// - Throws: `SQLiteError`, also for a file whose pages are damaged, or that a later version has written.
  init(
    opening path: String, busyTimeout: Duration = .seconds(5), rule: @escaping @Sendable (String) -> WriteRule?
  ) throws {
    self.rule = rule
    connection = try SQLiteConnection(opening: path, durability: .full, busyTimeout: busyTimeout)
    // Delivered entries must not be found in the pages of a damaged file, and sent again.
    try connection.execute("PRAGMA secure_delete=ON")
    try OutboxSchema.prepare(connection)
    let report = try connection.statement("PRAGMA quick_check(1)").firstRow { $0.text(0) }
    if let report, report != "ok" { throw SQLiteError(.corrupt, "its pages are damaged", path: path) }
    try OutboxSchema.checkTables(connection)
    try reload()
  }

  func close() { connection.close() }

  // MARK: Reading

  /// Reads what other processes have written.
  func refresh() throws {
    if try connection.dataVersion() != dataVersion { try reload() }
  }

  /// Reads the entries that are new or have changed.
  private func reload() throws {
    let version = try connection.dataVersion()
    var stale: [Int64] = []
    var current: [Int64: OutboxEntry] = [:]
    var unreadable: [Int64] = []
    try connection.reading {
      try connection.statement("SELECT id, revision FROM entries").forEachRow { row in
        let id = row.int64(0)
        if let entry = known[id], entry.revision == row.int64(1) { current[id] = entry } else { stale.append(id) }
      }
      for id in stale { if let entry = try readEntry(id) { current[id] = entry } else { unreadable.append(id) } }
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
    for id in written.entries.sorted() {
      known[id] = try readEntry(id)
      if let entry = known[id] { changed.append(entry) } else { removed.append(id) }
    }
    queue.update(changed, removing: removed)
    unreadable.removeAll { removed.contains($0) }
    generation += 1
  }

  private func readEntry(_ id: Int64) throws -> OutboxEntry? {
    try connection.statement("SELECT \(OutboxRow.columns) FROM entries WHERE id = ?").bind(id)
      .firstRow { OutboxRow.entry($0, rule) } ?? nil
  }

  private func readRealIDs() throws -> [Identity: [String: String]] {
    var ids: [Identity: [String: String]] = [:]
    try connection.statement("SELECT account, temporary, real FROM ids").forEachRow { row in
      guard let identity = Identity(storedText: row.text(0)) else { return }
      ids[identity, default: [:]][row.text(1)] = row.text(2)
    }
    return ids
  }

  // MARK: Changes

  /// Changes the database in one transaction that sees what other processes have written, and reads it back.
  private func change<Value>(_ body: () throws -> Value) throws -> Value {
    written = Written()
    do {
      let value = try connection.transaction {
        try refresh()
        return try body()
      }
      try readWritten()
      return value
    } catch {
      // What was read inside the transaction may never have been written.
      dataVersion = nil
      throw error
    }
  }

  /// Changes an entry unless it has another key by now.
  private func update(_ entry: OutboxEntry, setting assignments: String, _ values: (any SQLiteValue)?...) throws {
    written.entries.insert(entry.id)
    try connection.statement("UPDATE entries SET \(assignments), revision = revision + 1 WHERE id = ? AND key = ?")
      .bind(all: values + [entry.id, entry.key]).run()
  }

  /// The entry as it is now; nil if it is gone or has another key.
  private func current(_ entry: OutboxEntry, key: String? = nil) -> OutboxEntry? {
    guard let current = queue.entry(entry.id), current.key == key ?? entry.key else { return nil }
    return current
  }

  private func delete(_ id: Int64) throws {
    written.entries.insert(id)
    try connection.statement("DELETE FROM entries WHERE id = ?").bind(id).run()
  }

  // MARK: Enqueueing

  /// A write to put into the outbox.
  struct NewEntry: Sendable {
    var identity: Identity
    var rule: WriteRule
    var request: any ProtoMessage
    /// Its idempotency key.
    var key: String
    /// The temporary id of what it creates, which no other write has; nil if it creates nothing.
    var newID: String?
    /// Whether a relation that it sets was different before, without the waiting writes; nil if unknown.
    var wouldChange: Bool?
    /// Whether the gateway may already have seen the write under this key.
    var mayHaveLeft = false
  }

  /// Puts a write after the others, unless an entry already counts for it. A dead letter with the same key waits again.
  ///
  /// - Parameter beforeCommit: called when everything is written, and not yet on the disk.
  func enqueue(_ new: NewEntry, now: Double, beforeCommit: () -> Void = {}) throws -> EnqueuedWrite {
    let (id, isJoined): (Int64?, Bool) = try change {
      var new = new
      new.request = RequestIDs.replacing(realIDs[new.identity] ?? [:], in: new.request) ?? new.request
      if let entry = try sameKey(new) {
        if entry.state == .dead {
          try revive(entry, attemptedAt: new.mayHaveLeft ? now : nil)
          beforeCommit()
        }
        return (entry.id, true)
      }
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
    guard let entry = id.flatMap({ queue.entry($0) }) else { return .cancelledOut }
    return isJoined ? .joined(entry) : .waiting(entry)
  }

  private func decide(_ new: NewEntry) -> RelationCollapse.Decision {
    // A write that the gateway may have seen must be sent.
    guard !new.mayHaveLeft, let undoing = new.rule.undoing, let relation = undoing.relation(new.request) else {
      return .append(dropping: [])
    }
    return RelationCollapse.decide(
      queue.setting(relation, new.identity), setting: undoing.isRelated, wouldChange: new.wouldChange)
  }

  /// The entry that has the key of a write; its request must be the same.
  private func sameKey(_ new: NewEntry) throws -> OutboxEntry? {
    let entry = queue.entries.first {
      $0.identity == new.identity && $0.key.hasSameBytes(as: new.key) && $0.rpc.id == new.rule.rpc.id
    }
    guard let entry else { return nil }
    guard try OutboxRow.text(entry.request) == OutboxRow.text(new.request) else {
      throw APIError(
        .invalidArgument, "another write in the outbox has this idempotency key",
        advice: "use a new key for each new call",
        rpc: new.rule.rpc.id)
    }
    return entry
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

  // MARK: Delivery

  /// Notes that an entry is about to be sent.
  ///
  /// - Returns: the entry as it is now; nil if it is gone or has another key.
  func noteAttempt(_ entry: OutboxEntry, now: Double) throws -> OutboxEntry? {
    try change {
      try update(
        entry, setting: "attempts = attempts + 1, first_attempt_at = ifnull(first_attempt_at, ?), last_attempt_at = ?",
        now, now)
    }
    return current(entry)
  }

  /// Notes why an attempt failed, and when the next one is due.
  ///
  /// - Parameter firstAttemptAt: nil if the gateway cannot have seen the entry.
  func noteFailure(
    _ failure: OutboxFailure, of entry: OutboxEntry, firstAttemptAt: Double?, nextAttemptAt: Double?
  ) throws {
    try change {
      try update(
        entry, setting: "failure_code = ?, failure_message = ?, first_attempt_at = ?, next_attempt_at = ?",
        failure.code.rawValue, failure.message, firstAttemptAt, nextAttemptAt)
    }
  }

  /// Gives an entry that never took effect a new key.
  ///
  /// - Returns: the entry with the new key; nil if it is gone or has yet another key.
  func replaceKey(of entry: OutboxEntry, by key: String) throws -> OutboxEntry? {
    try change { try setKey(key, of: entry) }
    return current(entry, key: key)
  }

  private func setKey(_ key: String, of entry: OutboxEntry) throws {
    try update(entry, setting: "key = ?, first_attempt_at = NULL, last_attempt_at = NULL", key)
  }

  /// Makes an entry a dead letter.
  func markDead(_ entry: OutboxEntry, _ failure: OutboxFailure) throws {
    try change {
      try update(
        entry, setting: "is_dead = 1, next_attempt_at = NULL, failure_code = ?, failure_message = ?",
        failure.code.rawValue, failure.message)
    }
  }

  /// Removes an entry that took effect, and gives the entries that are about what it creates the id that the gateway
  /// chose.
  ///
  /// - Parameters:
  ///   - realID: nil if that id is unknown; those entries are refused then.
  ///   - beforeCommit: called when everything is written, and not yet on the disk.
  func finish(_ entry: OutboxEntry, realID: String?, now: Double, beforeCommit: () -> Void = {}) throws {
    try change {
      written.entries.insert(entry.id)
      try connection.statement("DELETE FROM entries WHERE id = ? AND key = ?").bind(entry.id, entry.key).run()
      try forgetRealIDs(now: now)
      if let newID = entry.newID {
        if let realID { try setRealID(realID, of: newID, entry.identity, now: now) }
        for later in queue.dependents(of: entry) where later.values.contains(newID) {
          if let realID { try rename(newID, to: realID, in: later) } else { try orphan(later, of: entry) }
        }
      }
      beforeCommit()
    }
  }

  /// Remembers which id the gateway has given to what an entry creates.
  private func setRealID(_ real: String, of temporary: String, _ identity: Identity, now: Double) throws {
    try connection.statement("INSERT OR REPLACE INTO ids (account, temporary, real, time) VALUES (?, ?, ?, ?)")
      .bind(identity.storedText, temporary, real, now).run()
    written.realIDs.append((identity, temporary, real))
  }

  /// Forgets the real ids that are too old.
  private func forgetRealIDs(now: Double) throws {
    try connection.statement("DELETE FROM ids WHERE time < ? RETURNING 1").bind(now - Self.idLifetime).forEachRow { _ in
      written.hasForgottenIDs = true
    }
  }

  private func rename(_ temporary: String, to real: String, in entry: OutboxEntry) throws {
    let ids = [temporary: real]
    let request = RequestIDs.replacing(ids, in: entry.request) ?? entry.request
    try update(
      entry, setting: "request = ?, entities = ?", try OutboxRow.text(request),
      OutboxRow.text(RequestIDs.replacing(ids, in: entry.entities)))
  }

  private func orphan(_ entry: OutboxEntry, of creation: OutboxEntry) throws {
    try update(
      entry, setting: "is_dead = 1, failure_code = ?, failure_message = ?", APIError.Code.notFound.rawValue,
      "\(creation.rpc.id) took effect, but the id of what it created is not known; edit the write to name it, or "
        + "discard it")
  }

  // MARK: What users do

  /// Lets entries be sent again as soon as possible.
  ///
  /// - Parameter newKey: returns the key for an entry whose own key the gateway has forgotten; nil to keep its key.
  func revive(_ entries: [OutboxEntry], newKey: (OutboxEntry) -> String?) throws {
    try change {
      for entry in entries {
        try revive(entry)
        if let key = newKey(entry) { try setKey(key, of: entry) }
      }
    }
  }

  /// - Parameter time: when an attempt of which the entry does not know may have left; nil without one.
  private func revive(_ entry: OutboxEntry, attemptedAt time: Double? = nil) throws {
    try update(
      entry,
      setting: "is_dead = 0, next_attempt_at = NULL, attempts = 0, first_attempt_at = ifnull(first_attempt_at, ?)", time
    )
  }

  /// Replaces the request of an entry, which waits from then on.
  ///
  /// - Returns: false if the gateway may have seen the entry by now.
  func replace(
    _ entry: OutboxEntry, by request: any ProtoMessage, about entities: [String], key: String
  ) throws -> Bool {
    try change {
      // It may have been sent since it was read.
      guard let current = queue.entry(entry.id), current.state == .dead || !current.mayHaveLeft else { return }
      try update(
        entry,
        setting: """
          request = ?, entities = ?, key = ?, is_dead = 0, attempts = 0, first_attempt_at = NULL, \
          last_attempt_at = NULL, next_attempt_at = NULL, failure_code = NULL, failure_message = NULL
          """, try OutboxRow.text(request), OutboxRow.text(entities), key)
    }
    return current(entry, key: key) != nil
  }

  func discard(_ ids: [Int64]) throws {
    try change { for id in ids { try delete(id) } }
  }

  /// Gives the entries of an identity, and their real ids, to another identity.
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

  // MARK: Damaged files

  /// Whether the entries of a damaged file were taken over.
  func hasSalvaged(_ copy: String) -> Bool { OutboxSalvage.isDone(copy, in: connection) }

  /// Takes over the entries of a damaged file that can be read, in their order and under their keys, once.
  func salvage(_ copy: String) throws {
    let salvage = OutboxSalvage(reading: copy)
    try change { try salvage.insert(into: connection) }
    try reload()
  }
}
