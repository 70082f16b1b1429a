import NovaAnalytics
import NovaCore
import NovaSQLite

/// Where events wait: in the database, or in memory while the database cannot be used. One thread at a time; never
/// throws.
///
/// Each method tries the database through `use`, which opens it when needed and turns every failure into nil and a
/// `problem`. Events and counts that could not be stored stay in `overflow` and `counts`; the next `append` that
/// succeeds stores them first. A damaged database is moved aside and recreated. A database of a newer SDK, or a missing
/// library, is a `refusal`: the program then works in memory until it ends.
final class AnalyticsStorage {
  private let directory: TrackingDirectory
  private let options: TrackingOptions
  private let clock: any CallClock
  private var database: AnalyticsDatabase?
  /// Why the program cannot use a database until it ends.
  private var refusal: String?
  private(set) var problem: String?
  /// Whether the last use of the database failed.
  private(set) var isUnusable = false
  /// The events that could not be stored. Their sequence numbers continue those of the database, as far as known.
  private var overflow: AnalyticsQueue
  private var lastSequence: Int64 = 0
  /// The counts that are not in the database yet.
  private var counts = TrackingCounts()
  private var anonymousID: AnonymousID?
  /// How often the user has opted out. Events tracked before the last time are not added.
  private var generation = 0
  /// How many events the database had when that was last known.
  private var storedCount = 0

  init(_ directory: TrackingDirectory, options: TrackingOptions, clock: any CallClock) {
    self.directory = directory
    self.options = options
    self.clock = clock
    overflow = AnalyticsQueue(maximumCount: options.maximumEvents, maximumBytes: options.maximumBytes)
  }

  // MARK: Adding

  /// Adds events, and removes the oldest ones beyond the limits.
  ///
  /// - Returns: false if the user has opted out, perhaps in another process.
  func append(_ events: [TrackedEvent], _ added: TrackingCounts, generation: Int) -> Bool {
    guard generation == self.generation, !directory.isOptedOut else {
      anonymousID = nil
      return false
    }
    counts.add(added)
    let isStored: Void? = use { database in
      try database.transaction {
        try database.insert(Array(overflow.all) + events)
        counts.addLost(.full, try database.trim(toCount: options.maximumEvents, bytes: options.maximumBytes))
        try database.add(counts)
      }
      counts = TrackingCounts()
      _ = overflow.removeAll()
    }
    if isStored == nil { for event in events { keep(event) } }
    return true
  }

  private func keep(_ tracked: TrackedEvent) {
    var tracked = tracked
    tracked.token = nil
    lastSequence += 1
    tracked.event.sequence = lastSequence
    counts.addLost(.full, overflow.append(tracked))
  }

  /// How many events wait, in memory and on the disk.
  var waiting: WaitingSize {
    let stored = use(creating: false) { try $0.waiting() } ?? WaitingSize()
    storedCount = stored.count
    return WaitingSize(count: stored.count + overflow.count, bytes: stored.bytes + overflow.byteCount)
  }

  // MARK: Callers

  /// How many events of each caller wait, in memory and on the disk.
  var sizes: [AnalyticsCaller: WaitingSize] {
    var sizes = use(creating: false) { try $0.sizes() } ?? [:]
    for tracked in overflow.all { sizes[tracked.caller, default: WaitingSize()].add(tracked.event.approximateSize) }
    return sizes
  }

  /// The callers whose events wait, the one with the oldest event first.
  var callers: [AnalyticsCaller] {
    var callers = use(creating: false) { try $0.callers() } ?? []
    var known = Set(callers)
    for tracked in overflow.all where known.insert(tracked.caller).inserted { callers.append(tracked.caller) }
    return callers
  }

  /// Gives a caller's events to another one, such as those of `anonymous` to the user who has signed in.
  func move(from caller: AnalyticsCaller, to other: AnalyticsCaller) {
    _ = use(creating: false) { database in try database.transaction { try database.move(from: caller, to: other) } }
    overflow.update { if $0.caller == caller { $0.caller = other } }
  }

  // MARK: Sending

  /// The oldest waiting events of one caller, or of all; empty if the user has opted out, perhaps in another process.
  func batch(of caller: AnalyticsCaller?, count: Int, bytes: Int) -> AnalyticsBatch {
    guard !directory.isOptedOut else { return AnalyticsBatch() }
    var lostCount = 0
    let stored = use(creating: false) { database in
      var batch = try database.batch(of: caller, count: count, bytes: bytes)
      // Unreadable events are removed with the batch that follows them. Without one, they are removed here.
      while batch.events.isEmpty, batch.unreadableCount > 0 {
        try database.remove(batch.sequences, adding: batch.losses)
        lostCount += batch.unreadableCount
        batch = try database.batch(of: caller, count: count, bytes: bytes)
      }
      return batch
    }
    if let stored, !stored.events.isEmpty {
      lastSequence = max(lastSequence, stored.sequences.max() ?? 0)
      var batch = stored
      batch.lostCount = lostCount
      return batch
    }
    var (batch, size) = (AnalyticsBatch(lostCount: lostCount), 0)
    for tracked in overflow.all where caller == nil || tracked.caller == caller {
      size += tracked.event.approximateSize
      if batch.events.count == count || !batch.events.isEmpty && size > bytes { break }
      batch.events.append(tracked.event)
      if !tracked.isAttempted { batch.newCount += 1 }
      batch.sequences.append(tracked.event.sequence)
    }
    return batch
  }

  /// Notes that the gateway may see the events of a batch from now on.
  func noteAttempt(_ batch: AnalyticsBatch) {
    guard batch.newCount > 0 else { return }
    if batch.isStored {
      _ = use { try $0.noteAttempt(batch.sequences) }
    } else {
      let sequences = Set(batch.sequences)
      overflow.update { if sequences.contains($0.event.sequence) { $0.isAttempted = true } }
    }
  }

  /// Removes a batch that was sent or rejected.
  func remove(_ batch: AnalyticsBatch, _ added: TrackingCounts) {
    counts.add(added)
    counts.add(batch.losses)
    guard batch.isStored else { return overflow.remove(Set(batch.sequences)) }
    let isDone: Void? = use { database in
      try database.remove(batch.sequences, adding: counts)
    }
    if isDone != nil { counts = TrackingCounts() }
  }

  /// Removes the events that have waited for too long.
  func removeExpired() {
    let (now, uptime) = (Milliseconds.clamped(clock.unixTime * 1000), Uptime(clock.now))
    let age = Milliseconds.clamped(options.retention / .milliseconds(1))
    let expired = use(creating: false) { try $0.removeEvents(olderThan: age, at: now, uptime) }
    counts.addLost(.expired, expired ?? 0)
  }

  // MARK: The user

  /// The anonymous ID of the client's own user: the stored one, unless it belongs to another user.
  func loadAnonymousID(of caller: AnalyticsCaller) -> String {
    if let anonymousID, anonymousID.caller == caller { return anonymousID.id }
    let mine = (anonymousID ?? AnonymousID(caller: caller)).taken(by: caller)
    if directory.isOptedOut { return mine.id }
    let stored = use { try $0.anonymousID(of: caller, orStore: mine) } ?? mine
    anonymousID = stored
    return stored.id
  }

  func setAnonymousID(_ id: AnonymousID) {
    anonymousID = id
    _ = use { database in try database.transaction { try database.setAnonymousID(id) } }
  }

  /// Gives the stored anonymous ID to a user who signs in, or replaces it if it belongs to another user.
  func takeOverAnonymousID(_ caller: AnalyticsCaller) {
    if anonymousID != nil || SystemIO.exists(directory.database) { _ = loadAnonymousID(of: caller) }
  }

  /// Deletes all events and the anonymous ID.
  ///
  /// - Returns: why they could not be deleted; nil if they were.
  func removeAll(generation: Int) -> String? {
    self.generation = max(self.generation, generation)
    _ = overflow.removeAll()
    anonymousID = nil
    directory.removeDamagedCopies()
    guard SystemIO.exists(directory.database) else { return nil }
    return use { try $0.removeAll() } == nil ? problem ?? "the database cannot be opened" : nil
  }

  /// Fills in what the storage has, without creating any file.
  func describe(_ status: inout TrackingStatus) {
    let stored = use(creating: false) { (try $0.counts(), try $0.oldest(), try $0.anonymousID) }
    var all = stored?.0 ?? TrackingCounts()
    all.add(counts)
    status.sentCount = all.sent
    status.lost = all.lost
    status.rejected = all.rejected
    status.droppedPropertyCount = all.droppedProperties
    status.waitingCount = waiting.count
    let oldest = stored?.1 ?? overflow.all.first?.event.occurredAtMs
    status.oldestEventTime = oldest.map { Double($0) / 1000 }
    status.anonymousID = (anonymousID ?? stored?.2)?.id ?? ""
    status.storageProblem = problem
    status.isStorageUnusable = isUnusable
  }

  // MARK: The database

  /// Uses the database.
  ///
  /// - Parameter creating: whether to create the database if it does not exist.
  /// - Returns: nil if it does not exist, or its use has failed; ``problem`` then has the reason.
  private func use<Value>(creating: Bool = true, _ body: (AnalyticsDatabase) throws -> Value) -> Value? {
    do {
      if database == nil, !creating, try !directory.hasDatabase { return nil }
      guard let database = try opened() else { return nil }
      let value = try body(database)
      isUnusable = false
      return value
    } catch {
      failed(error)
      isUnusable = true
      return nil
    }
  }

  private func opened() throws -> AnalyticsDatabase? {
    if let database { return database }
    guard refusal == nil else { return nil }
    try directory.create()
    do { database = try AnalyticsDatabase(opening: directory.database) } catch let error as SQLiteError {
      guard error.isDamage else { throw error }
      try recreateDatabase(after: error)
    }
    return database
  }

  private func failed(_ error: any Error) {
    switch error {
    case is NewerDatabase:
      refusal = "the database was written by a newer version of NovaSDK; update this program"
      problem = refusal
    case let error as SQLiteError where error.kind == .missingLibrary:
      refusal = error.description
      problem = refusal
    case let error as SQLiteError where error.isDamage:
      do { try recreateDatabase(after: error) } catch { problem = "\(error)" }
    case let error as SystemError: problem = "cannot use \(directory.path): \(error.reason)"
    default: problem = "\(error)"
    }
  }

  /// Moves a damaged database aside, and opens a new one.
  private func recreateDatabase(after error: SQLiteError) throws {
    database?.close()
    database = nil
    let copy = try directory.moveDatabaseAside(unixTime: Milliseconds.clamped(clock.unixTime * 1000) / 1000)
    problem = "the database was damaged and was recreated; the old one is \(copy)"
    counts.addLost(.storage, max(storedCount, 1))
    storedCount = 0
    database = try AnalyticsDatabase(opening: directory.database)
    if let anonymousID { try database?.setAnonymousID(anonymousID) }
  }
}

/// Events to send with one request.
struct AnalyticsBatch: Sendable {
  var events: [AnalyticsEvent] = []
  /// The sequence numbers of the events, and of unreadable ones.
  var sequences: [Int64] = []
  /// Whether the events come from the database.
  var isStored = false
  /// The number of events that the gateway cannot have seen yet.
  var newCount = 0
  /// The number of events in the database that cannot be read.
  var unreadableCount = 0
  /// The number of unreadable events before the batch that were removed, because no readable event was left to send.
  var lostCount = 0

  /// The unreadable events, as losses.
  var losses: TrackingCounts {
    var counts = TrackingCounts()
    counts.addLost(.storage, unreadableCount)
    return counts
  }
}

/// A change of the client's own user that the storage does not have yet.
struct UserChange: Sendable {
  let own: AnalyticsCaller
  /// The new anonymous ID; nil if it stays.
  let anonymousID: String?
}

extension AnalyticsStorage {
  /// Applies the changes of the user that the storage does not have yet, and takes something from the state in the same
  /// step: an event that was tracked after a change must not be stored before it.
  func applyChanges<Taken>(of state: Locked<TrackerState>, taking take: (inout TrackerState) -> Taken) -> Taken {
    let (changes, taken) = state.withLock { state in (state.takeChanges(), take(&state)) }
    for change in changes { apply(change) }
    return taken
  }

  private func apply(_ change: UserChange) {
    if let id = change.anonymousID {
      setAnonymousID(AnonymousID(id: id, caller: change.own))
    } else {
      takeOverAnonymousID(change.own)
    }
    // A user who signs in takes over the earlier events.
    if change.own != .anonymous { move(from: .anonymous, to: change.own) }
  }
}
