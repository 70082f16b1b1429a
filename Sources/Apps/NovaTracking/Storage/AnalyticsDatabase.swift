import NovaAnalytics
import NovaCore
import NovaSQLite

/// The events, counts, and settings on the disk. One thread at a time.
///
/// Several processes may use the file at once, so what is cached (`known`) is valid only for one `data_version` of
/// SQLite. If events were sent but cannot be deleted, because the disk is full for example, their sequence numbers stay
/// in `handled`: all methods ignore those events, and the next `remove` deletes them.
final class AnalyticsDatabase {
  /// The version of the tables, in `user_version`.
  static let version = 2

  private static let schema = """
    CREATE TABLE tracked_events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, occurred_at INTEGER NOT NULL, size INTEGER NOT NULL, event BLOB NOT NULL,
      caller TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX events_by_caller ON tracked_events (caller, sequence);
    CREATE TABLE counts (kind TEXT, reason TEXT, count INTEGER NOT NULL, PRIMARY KEY (kind, reason)) WITHOUT ROWID;
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """

  /// Columns added later, which older programs ignore: when the event was tracked, on a clock that cannot be set, and
  /// the start of its age if the time of day was wrong when it was tracked.
  private static let uptimes = """
    ALTER TABLE tracked_events ADD COLUMN boot TEXT NOT NULL DEFAULT '';
    ALTER TABLE tracked_events ADD COLUMN uptime INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tracked_events ADD COLUMN counted_from INTEGER;
    """

  /// A column added even later: whether the gateway may have seen the event.
  private static let attempts = "ALTER TABLE tracked_events ADD COLUMN attempted INTEGER NOT NULL DEFAULT 0"

  private let connection: SQLiteConnection
  /// The events that were sent, but could not be deleted.
  private var handled: Set<Int64> = []
  /// How many events wait in this version of the data.
  private var known: (version: Int, size: WaitingSize)?

  /// - Throws: ``NewerDatabase``, or `SQLiteError`.
  init(opening path: String) throws {
    connection = try SQLiteConnection(opening: path, durability: .normal)
    guard try connection.userVersion() <= Self.version else { throw NewerDatabase() }
    try connection.upgradeSchema(to: Self.version) { found in
      switch found {
      case 0: try connection.execute(Self.schema)
      case 1: try addCallers()
      default: throw NewerDatabase()
      }
    }
    for (column, change) in [("counted_from", Self.uptimes), ("attempted", Self.attempts)] where try !has(column) {
      try connection.transaction { if try !has(column) { try connection.execute(change) } }
    }
  }

  /// Upgrades the tables of version 1. Renames the events' table, because a running program of that version would send
  /// the events of all callers with one token. Without the table, it keeps its events in memory.
  private func addCallers() throws {
    try connection.execute(
      """
      ALTER TABLE events RENAME TO tracked_events;
      ALTER TABLE tracked_events ADD COLUMN caller TEXT NOT NULL DEFAULT '';
      CREATE INDEX events_by_caller ON tracked_events (caller, sequence);
      """)
    var callers: [(sequence: Int64, caller: String)] = []
    try connection.statement("SELECT sequence, event FROM tracked_events").forEachRow { row in
      guard let user = (try? AnalyticsEvent(jsonUTF8: row.bytes(1)))?.userId else { return }
      callers.append((row.int64(0), AnalyticsCaller.user(user).stored))
    }
    let update = try connection.statement("UPDATE tracked_events SET caller = ? WHERE sequence = ?")
    for (sequence, caller) in callers { try update.bind(caller, sequence).run() }
  }

  private func has(_ column: String) throws -> Bool {
    let selection = try connection.statement("SELECT 1 FROM pragma_table_info('tracked_events') WHERE name = ?")
    return try selection.bind(column).firstRow { _ in true } ?? false
  }

  func close() { connection.close() }

  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try connection.transaction(body) } catch {
      known = nil
      throw error
    }
  }

  // MARK: Events

  /// Adds events with the next sequence numbers. Call it within a transaction.
  func insert(_ events: [TrackedEvent]) throws {
    var size = try waiting()
    let insertion = try connection.statement(
      "INSERT INTO tracked_events (occurred_at, size, event, caller, boot, uptime, attempted) VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    for tracked in events {
      let json = try tracked.event.jsonUTF8()
      try insertion.bind(
        tracked.event.occurredAtMs, json.count, json, tracked.caller.stored, tracked.uptime.boot,
        tracked.uptime.milliseconds, tracked.isAttempted
      ).run()
      size.add(json.count)
    }
    known = (try connection.dataVersion(), size)
  }

  /// How many events wait, and their bytes.
  func waiting() throws -> WaitingSize {
    let version = try connection.dataVersion()
    if let known, known.version == version { return known.size }
    var total = WaitingSize()
    for size in try sizes().values { total.add(size) }
    known = (version, total)
    return total
  }

  /// How many events of each caller wait.
  func sizes() throws -> [AnalyticsCaller: WaitingSize] {
    var sizes: [AnalyticsCaller: WaitingSize] = [:]
    guard handled.isEmpty else {
      try connection.statement("SELECT sequence, caller, size FROM tracked_events").forEachRow { row in
        guard !handled.contains(row.int64(0)) else { return }
        sizes[AnalyticsCaller(stored: row.text(1)), default: WaitingSize()].add(row.int(2))
      }
      return sizes
    }
    try connection.statement("SELECT caller, count(*), sum(size) FROM tracked_events GROUP BY caller").forEachRow {
      row in
      let size = WaitingSize(count: row.int(1), bytes: row.int(2))
      sizes[AnalyticsCaller(stored: row.text(0)), default: WaitingSize()].add(size)
    }
    return sizes
  }

  /// The callers whose events wait, the one with the oldest event first.
  func callers() throws -> [AnalyticsCaller] {
    var callers: [AnalyticsCaller] = []
    try connection.statement("SELECT caller FROM tracked_events GROUP BY caller ORDER BY min(sequence)").forEachRow {
      callers.append(AnalyticsCaller(stored: $0.text(0)))
    }
    return callers
  }

  /// Gives a caller's events to another one.
  func move(from caller: AnalyticsCaller, to other: AnalyticsCaller) throws {
    try connection.statement("UPDATE tracked_events SET caller = ? WHERE caller = ?").bind(other.stored, caller.stored)
      .run()
  }

  /// When the oldest event happened, in Unix milliseconds.
  func oldest() throws -> Int64? {
    let selection = try connection.statement(
      "SELECT sequence, occurred_at FROM tracked_events ORDER BY sequence LIMIT ?"
    ).bind(handled.count + 1)
    defer { selection.reset() }
    while try selection.step() {
      if !handled.contains(selection.int64(0)) { return selection.int64(1) }
    }
    return nil
  }

  /// The oldest events of one caller, or of all; at least one if any event waits.
  func batch(of caller: AnalyticsCaller?, count: Int, bytes: Int) throws -> AnalyticsBatch {
    var batch = AnalyticsBatch(isStored: true)
    var size = 0
    let isOne = caller == nil ? "" : "WHERE caller = ? "
    let selection = try connection.statement(
      "SELECT sequence, size, event, attempted FROM tracked_events \(isOne)ORDER BY sequence LIMIT ?")
    let limit = count > Int.max - handled.count ? count : count + handled.count
    if let caller { selection.bind(caller.stored, limit) } else { selection.bind(limit) }
    defer { selection.reset() }
    while batch.sequences.count < count, try selection.step() {
      let sequence = selection.int64(0)
      if handled.contains(sequence) { continue }
      size += selection.int(1)
      if !batch.events.isEmpty, size > bytes { break }
      batch.sequences.append(sequence)
      if var event = try? AnalyticsEvent(jsonUTF8: selection.bytes(2)) {
        event.sequence = sequence
        batch.events.append(event)
        if !selection.bool(3) { batch.newCount += 1 }
      } else {
        batch.unreadableCount += 1
      }
    }
    return batch
  }

  /// Notes that the gateway may see these events from now on.
  func noteAttempt(_ sequences: [Int64]) throws {
    try transaction {
      let update = try connection.statement("UPDATE tracked_events SET attempted = 1 WHERE sequence = ?")
      for sequence in sequences { try update.bind(sequence).run() }
    }
  }

  /// Deletes these events, and adds what has become of them to the counts.
  func remove(_ sequences: [Int64], adding counts: TrackingCounts) throws {
    // This process does not send them again, even if they cannot be deleted.
    handled.formUnion(sequences)
    known = nil
    try transaction {
      try delete(Array(handled))
      try add(counts)
    }
    handled = []
  }

  private func delete(_ sequences: [Int64]) throws {
    let deletion = try connection.statement("DELETE FROM tracked_events WHERE sequence = ?")
    for sequence in sequences { try deletion.bind(sequence).run() }
  }

  /// Deletes the oldest events beyond the limits. Call it within a transaction.
  ///
  /// - Returns: the number of deleted events.
  func trim(toCount maximumCount: Int, bytes maximumBytes: Int) throws -> Int {
    var size = try waiting()
    guard size.count > maximumCount || size.bytes > maximumBytes else { return 0 }
    var dropped: [Int64] = []
    let selection = try connection.statement("SELECT sequence, size FROM tracked_events ORDER BY sequence")
    while size.count > maximumCount || size.bytes > maximumBytes, try selection.step() {
      guard !handled.contains(selection.int64(0)) else { continue }
      dropped.append(selection.int64(0))
      size.count -= 1
      size.bytes -= selection.int(1)
    }
    selection.reset()
    try delete(dropped)
    known = (try connection.dataVersion(), size)
    return dropped.count
  }

  /// The time before which no event can have happened, in Unix milliseconds. A clock that reports an earlier time has
  /// not been set yet.
  private static let earliest: Int64 = 1_735_689_600_000

  /// Deletes the events that are older than `age`, in milliseconds.
  ///
  /// If the machine has not restarted since the event was tracked, the age comes from a clock that cannot be set.
  /// Otherwise, it is the difference of the times of day; if the event's time is impossible, its age starts now.
  ///
  /// - Parameters:
  ///   - time: the time of day, in Unix milliseconds.
  ///   - uptime: the time since the start of the machine.
  /// - Returns: the number of deleted events.
  func removeEvents(olderThan age: Int64, at time: Int64, _ uptime: Uptime) throws -> Int {
    try transaction {
      // Only if this clock has been set.
      if time >= Self.earliest {
        try connection.statement(
          """
          UPDATE tracked_events SET counted_from = ? WHERE (boot <> ? OR boot = '') AND \
          (ifnull(counted_from, occurred_at) < ? OR ifnull(counted_from, occurred_at) > ?)
          """
        ).bind(time, uptime.boot, Self.earliest, time).run()
      }
      try connection.statement(
        """
        DELETE FROM tracked_events WHERE CASE WHEN boot = ? AND boot <> '' AND uptime <= ? \
        THEN ? - uptime > ? ELSE ? - ifnull(counted_from, occurred_at) > ? END
        """
      ).bind(uptime.boot, uptime.milliseconds, uptime.milliseconds, age, time, age).run()
    }
    let count = connection.changedRowCount
    if count > 0 { known = nil }
    return count
  }

  /// Deletes all events and settings, and overwrites them in the file.
  func removeAll() throws {
    known = nil
    try connection.execute("PRAGMA secure_delete=ON")
    try transaction { try connection.execute("DELETE FROM tracked_events; DELETE FROM settings") }
    try connection.shrink()
  }

  // MARK: Counts and settings

  /// Adds to the counts. Call it within a transaction.
  func add(_ counts: TrackingCounts) throws {
    var changes: [(kind: String, reason: String, count: Int)] = [
      ("sent", "", counts.sent), ("dropped_properties", "", counts.droppedProperties),
    ]
    for (reason, count) in counts.lost { changes.append(("lost", reason.rawValue, count)) }
    for (reason, count) in counts.rejected { changes.append(("rejected", try known(reason), count)) }
    let addition = try connection.statement(
      "INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count")
    for change in changes where change.count > 0 {
      try addition.bind(change.kind, change.reason, change.count).run()
    }
  }

  /// The reason, or the common one for all reasons beyond the limit.
  private func known(_ reason: String) throws -> String {
    let reasons = try counts().rejected
    let isKnown = reasons[reason] != nil || reasons.count < TrackingCounts.mostReasons
    return isKnown ? reason : TrackingCounts.otherReason
  }

  func counts() throws -> TrackingCounts {
    var counts = TrackingCounts()
    try connection.statement("SELECT kind, reason, count FROM counts").forEachRow { row in
      let (reason, count) = (row.text(1), row.int(2))
      switch row.text(0) {
      case "sent": counts.sent = count
      case "dropped_properties": counts.droppedProperties = count
      case "lost": counts.addLost(LossReason(rawValue: reason) ?? .storage, count)
      default: counts.addRejected(reason, count)
      }
    }
    return counts
  }

  var anonymousID: AnonymousID? {
    get throws {
      guard let id = try setting("anonymous_id") else { return nil }
      return AnonymousID(id: id, caller: AnalyticsCaller(stored: try setting("anonymous_id_caller") ?? ""))
    }
  }

  func setAnonymousID(_ id: AnonymousID) throws {
    try connection.statement("INSERT OR REPLACE INTO settings VALUES ('anonymous_id', ?), ('anonymous_id_caller', ?)")
      .bind(id.id, id.caller.stored).run()
  }

  /// Stores and returns the caller's anonymous ID: the stored one if it may become the caller's; otherwise, a new one.
  ///
  /// - Parameter first: used in place of the stored one if none is stored.
  func anonymousID(of caller: AnalyticsCaller, orStore first: AnonymousID) throws -> AnonymousID {
    try transaction {
      let stored = try anonymousID
      let taken = (stored ?? first).taken(by: caller)
      if taken != stored { try setAnonymousID(taken) }
      return taken
    }
  }

  private func setting(_ name: String) throws -> String? {
    try connection.statement("SELECT value FROM settings WHERE name = ?").bind(name).firstRow { $0.text(0) }
  }
}

/// A newer version of the SDK has changed the tables.
struct NewerDatabase: Error {}
