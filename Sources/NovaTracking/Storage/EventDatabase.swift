import NovaAnalytics
import NovaCore
import NovaSQLite

/// The events on the disk, and the counts. One thread at a time.
final class EventDatabase {
  /// The version of the tables, in `user_version`.
  static let version = 1

  private static let schema = """
    CREATE TABLE events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, occurred_at INTEGER NOT NULL, size INTEGER NOT NULL, event BLOB NOT NULL
    );
    CREATE TABLE counts (kind TEXT, reason TEXT, count INTEGER NOT NULL, PRIMARY KEY (kind, reason)) WITHOUT ROWID;
    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """

  private let connection: SQLiteConnection
  /// Events up to this number were sent, also if they could not be deleted.
  private var handled: Int64 = 0
  /// What waits, as of a version of the data.
  private var known: (version: Int, size: WaitingSize)?

  /// - Throws: ``NewerDatabase``, or `SQLiteError`.
  init(opening path: String) throws {
    connection = try SQLiteConnection(opening: path, durability: .normal)
    let version = try connection.userVersion()
    guard version <= Self.version else { throw NewerDatabase() }
    guard version < Self.version else { return }
    try connection.transaction {
      // Another process can have created them meanwhile.
      guard try connection.userVersion() == 0 else { return }
      try connection.execute(Self.schema)
      try connection.setUserVersion(Self.version)
    }
  }

  func close() { connection.close() }

  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try connection.transaction(body) } catch {
      known = nil
      throw error
    }
  }

  // MARK: Events

  /// Adds events, within a transaction. They get the next sequence numbers.
  func insert(_ events: [AnalyticsEvent]) throws {
    var size = try waiting()
    let insertion = try connection.statement("INSERT INTO events (occurred_at, size, event) VALUES (?, ?, ?)")
    for event in events {
      let json = try event.jsonUTF8()
      try insertion.bind(event.occurredAtMs, json.count, json).run()
      size.count += 1
      size.bytes += json.count
    }
    known = (try connection.dataVersion(), size)
  }

  /// How many events wait, and their bytes.
  func waiting() throws -> WaitingSize {
    let version = try connection.dataVersion()
    if let known, known.version == version { return known.size }
    let size = try connection.statement("SELECT count(*), coalesce(sum(size), 0) FROM events WHERE sequence > ?")
      .bind(handled).firstRow { WaitingSize(count: $0.int(0), bytes: $0.int(1)) }
    known = (version, size ?? WaitingSize())
    return size ?? WaitingSize()
  }

  /// When the oldest event happened, in Unix milliseconds.
  func oldest() throws -> Int64? {
    try connection.statement("SELECT occurred_at FROM events WHERE sequence > ? ORDER BY sequence LIMIT 1")
      .bind(handled).firstRow { $0.int64(0) }
  }

  /// The oldest events, at least one if there is one.
  func batch(count: Int, bytes: Int) throws -> EventBatch {
    var batch = EventBatch(last: handled, isStored: true)
    var size = 0
    let selection = try connection.statement(
      "SELECT sequence, size, event FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?"
    ).bind(handled, count)
    defer { selection.reset() }
    while try selection.step() {
      size += selection.int(1)
      if !batch.events.isEmpty, size > bytes { break }
      batch.last = selection.int64(0)
      if var event = try? AnalyticsEvent(jsonUTF8: selection.bytes(2)) {
        event.sequence = batch.last
        batch.events.append(event)
      } else {
        batch.unreadableCount += 1
      }
    }
    return batch
  }

  /// Deletes the events up to a number, and adds what became of them to the counts.
  func remove(upTo sequence: Int64, adding counts: TrackingCounts) throws {
    // Whether or not the disk is full: they are not sent again by this process.
    handled = max(handled, sequence)
    known = nil
    try transaction {
      try connection.statement("DELETE FROM events WHERE sequence <= ?").bind(sequence).run()
      try add(counts)
    }
  }

  /// Deletes the oldest events beyond the bounds, within a transaction.
  ///
  /// - Returns: how many.
  func trim(toCount maximumCount: Int, bytes maximumBytes: Int) throws -> Int {
    var size = try waiting()
    guard size.count > maximumCount || size.bytes > maximumBytes else { return 0 }
    var (cut, dropped) = (handled, 0)
    let selection = try connection.statement("SELECT sequence, size FROM events WHERE sequence > ? ORDER BY sequence")
      .bind(handled)
    while size.count > maximumCount || size.bytes > maximumBytes, try selection.step() {
      cut = selection.int64(0)
      size.count -= 1
      size.bytes -= selection.int(1)
      dropped += 1
    }
    selection.reset()
    try connection.statement("DELETE FROM events WHERE sequence <= ?").bind(cut).run()
    known = (try connection.dataVersion(), size)
    return dropped
  }

  /// Deletes the events that happened before a time, in Unix milliseconds.
  ///
  /// - Returns: how many.
  func removeEvents(before time: Int64) throws -> Int {
    try connection.statement("DELETE FROM events WHERE occurred_at < ?").bind(time).run()
    let count = connection.changedRowCount
    if count > 0 { known = nil }
    return count
  }

  /// Deletes all events, so that nothing of them stays in the files.
  func removeAll() throws {
    known = nil
    try connection.execute("PRAGMA secure_delete=ON")
    try transaction { try connection.execute("DELETE FROM events; DELETE FROM settings") }
    try connection.shrink()
  }

  // MARK: Counts and settings

  /// Adds to the counts, within a transaction.
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

  /// The reason, or one for all beyond the limit.
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

  var anonymousID: String? {
    get throws {
      try connection.statement("SELECT value FROM settings WHERE name = 'anonymous_id'").firstRow { $0.text(0) }
    }
  }

  func setAnonymousID(_ id: String) throws {
    try connection.statement("INSERT OR REPLACE INTO settings VALUES ('anonymous_id', ?)").bind(id).run()
  }

  /// The stored ID, or else this one, which is stored.
  func anonymousID(orStore id: String) throws -> String {
    try transaction {
      if let stored = try anonymousID { return stored }
      try setAnonymousID(id)
      return id
    }
  }
}

/// A later version of the SDK has changed the tables.
struct NewerDatabase: Error {}
