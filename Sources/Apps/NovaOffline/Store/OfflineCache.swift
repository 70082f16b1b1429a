import NovaCore
import NovaEvents
import NovaSQLite

/// The stored facts of all identities in `cache.db`, and what waiting writes change about them.
///
/// - Reads are answered from the tables, with the identity's overlay on top (``FactReader``).
/// - Answers and events of the gateway are collected in memory for 20 ms and stored together (``Arrival``). Each read
///   stores them first, so it sees them at once.
/// - Confirmed writes are stored at once (``ConfirmedWrite``). If that fails, everything that is stored for the
///   identity is forgotten: no data is better than wrong data.
/// - A ``RequestStart`` holds what was known when a request was sent. It shows whether a write, an event, or a sign-out
///   came between the request and its answer.
actor OfflineCache {
  /// An answer made of stored facts.
  struct Answer: Sendable {
    var value: any ProtoMessage
    /// The age of the oldest of its facts; nil if that is not sure.
    var age: Duration?
  }

  private let database: CacheDatabase
  private let maximumBytes: Int
  private let executor = FileExecutor(label: "NovaOffline.cache")
  /// Counts the changes that observers see.
  nonisolated let changes = LatestValue(0)

  /// The identities with waiting writes.
  private var shownWrites: [Identity: ShownWrites] = [:]
  /// How many writes are being sent, by identity.
  private var writesInProgress: [Identity: Int] = [:]
  /// When each identity was forgotten: answers that were requested earlier are not stored.
  private var forgotten = LastChanges<Identity>(capacity: rememberedIdentities)
  /// When events were noted for each identity.
  private var events = LastChanges<Identity>(capacity: rememberedIdentities)
  /// The events that were noted for an identity.
  private var notedEvents = RecentSet<Int>(capacity: rememberedEvents)
  /// The identities whose stored facts lack a change, and could not be removed.
  private var distrusted: Set<Identity> = []
  /// Whether everything was to be forgotten, and could not be removed.
  private var distrustsAll = false
  private var arrivals: [any Arrival] = []
  private var isStoringSoon = false
  /// What reads have used since it was last noted in the tables.
  private var used: [Identity: FactUse] = [:]
  /// Whether `used` has as many identities as are collected.
  private var isUseComplete = false
  private var eviction: Task<Void, Never>?

  /// How many arrivals are stored together at most.
  private static let arrivalsAtOnce = 48
  /// For how many identities the moments of changes are remembered.
  private static let rememberedIdentities = 1_000
  /// How many events are remembered.
  private static let rememberedEvents = 10_000
  /// For how many identities the use of stored facts is collected before it is noted.
  private static let identitiesInUse = 200
  /// How long an arrival waits for others.
  private static let storingDelay = Duration.milliseconds(20)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(path: String, maximumBytes: Int, clock: any CallClock) {
    database = CacheDatabase(path: path, clock: clock)
    self.maximumBytes = maximumBytes
  }

  /// Lets observers read again.
  nonisolated func announce() { changes.update { $0 += 1 } }

  // MARK: Reads

  /// Answers a read from stored facts; nil if one is missing.
  func answer(_ rule: ReadRule, _ request: any ProtoMessage, identity: Identity) throws -> Answer? {
    try read(identity) { reader in
      var response = rule.newResponse()
      if rule.isRecorded {
        guard let recorded = try reader.response(of: rule, to: request) else { return nil }
        response = recorded
      }
      guard let value = try rule.visit(request, response, reader) else { return nil }
      if used.count >= Self.identitiesInUse, used[identity] == nil { isUseComplete = true }
      used[identity, default: FactUse()].formUnion(reader.used)
      return Answer(value: value, age: database.age(of: reader.storedAt, at: reader.tables.now))
    }
  }

  /// A record with its age; nil if the record is not stored as a whole.
  func record<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, identity: Identity
  ) throws -> (record: any ProtoMessage, age: Duration?)? {
    try read(identity) { reader in
      var (record, found): (Record?, Bool) = (nil, false)
      try reader.record(id, &record, found: &found)
      return record.map { ($0, database.age(of: reader.storedAt, at: reader.tables.now)) }
    }
  }

  /// Whether a relation is stored as true; nil if it is unknown or uncertain. Ignores waiting writes.
  func relation(_ name: RelationName, identity: Identity) -> Bool? {
    try? read(identity) { try $0.tables.certainRelation(name)?.isRelated }
  }

  /// The answer that a waiting write will probably get.
  func answer(
    of rule: WriteRule, to request: any ProtoMessage, newID: String, identity: Identity
  ) -> (any ProtoMessage)? {
    let answer = try? read(identity) { reader in
      try reader.tolerating { try rule.answer(request, newID, reader) }
    }
    // The write waits even if the stored facts cannot be read.
    return answer ?? (try? rule.answer(request, newID, WaitingFacts(overlay(of: identity))))
  }

  /// Reads the facts of an identity, after storing what has arrived; nil if a fact is missing.
  private func read<Value>(_ identity: Identity, _ body: (FactReader) throws -> Value?) throws -> Value? {
    storeArrivals()
    if isUseComplete { storeUse() }
    if distrustsAll { try forget(identity: nil) }
    if distrusted.contains(identity) { try forget(identity: identity) }
    return try database.read(identity) { tables in
      do { return try body(FactReader(tables, overlay(of: identity))) } catch is MissingFact { return nil }
    }
  }

  private func overlay(of identity: Identity) -> Overlay { shownWrites[identity]?.overlay ?? Overlay() }

  // MARK: Answers of the gateway

  /// Call before a request is sent.
  func start(identity: Identity) -> RequestStart {
    // Events count as writes; answers that are still to be stored do not.
    if arrivals.contains(where: { $0 is ReceivedEvent }) { storeArrivals() }
    let sequence = try? database.read(identity) { try $0.writeCount() }
    return RequestStart(
      sequence: sequence ?? 0, moment: (forgotten.now, events.now),
      overlapsWrite: writesInProgress[identity] ?? 0 > 0, time: database.now)
  }

  /// Takes the facts of an answer of the gateway. They are stored soon, together with those of other answers: ids are
  /// in no order, so each transaction writes to places all over the file.
  ///
  /// - Returns: the answer with the changes of waiting writes.
  func store(
    _ response: any ProtoMessage, to call: StoredCall, by rule: ReadRule, since start: RequestStart
  ) throws -> any ProtoMessage {
    let (request, identity) = (call.request, call.identity)
    if forgotten.hasChanged(identity, since: start.moment.forgotten) { return response }
    let received = ReceivedAnswer(
      rule: rule, request: request, response: response, identity: identity, sequence: start.sequence,
      overlapsWrite: start.overlapsWrite || writesInProgress[identity] ?? 0 > 0, time: database.now)
    add(received)
    shownWrites[identity]?.noteArrivals(in: response, of: rule.rpc)
    announce()
    if overlay(of: identity).isEmpty { return response }
    // The stored facts would be older than the answer.
    if storeArrivals().contains(identity) { return response }
    return try answer(rule, request, identity: identity)?.value ?? response
  }

  /// Takes events about stored facts. They are collected and stored as answers are.
  ///
  /// - Parameter serverTime: the time of the gateway's clock, in Unix seconds.
  func note(_ events: [Event], identity: Identity, serverTime: Double) {
    for event in events {
      // Several subscriptions of a client receive the same event. Events without an id cannot be recognized.
      if !event.id.isEmpty, !notedEvents.insert(id: "\(event.id) \(identity.storedText) \(identity.gateway)") {
        continue
      }
      self.events.note(identity)
      add(ReceivedEvent(event: event, identity: identity, serverTime: serverTime))
    }
    announce()
  }

  private func add(_ arrival: any Arrival) {
    arrivals.append(arrival)
    if arrivals.count < Self.arrivalsAtOnce { storeArrivalsSoon() } else { storeArrivals() }
  }

  private func storeArrivalsSoon() {
    guard !isStoringSoon else { return }
    isStoringSoon = true
    Task { [weak self] in
      // Real time, not that of the cache's clock: no caller can see the difference.
      try? await Task.sleep(for: Self.storingDelay)
      await self?.storeArrivalsNow()
    }
  }

  private func storeArrivalsNow() {
    isStoringSoon = false
    storeArrivals()
  }

  /// Stores what has arrived.
  ///
  /// - Returns: the identities with facts that could not be stored.
  @discardableResult private func storeArrivals() -> Set<Identity> {
    guard !arrivals.isEmpty else { return [] }
    var failed: Set<Identity> = []
    let received = Dictionary(grouping: arrivals) { $0.identity }
    arrivals = []
    for (identity, arrivals) in received {
      do { try store(arrivals, identity) } catch {
        failed.insert(identity)
        // Unless it is the file, only one of them can be to blame.
        if arrivals.count > 1, !error.isAboutTheFile { for arrival in arrivals { try? store([arrival], identity) } }
        // Without its events, the stored facts would be wrong.
        if arrivals.contains(where: { $0 is ReceivedEvent }) { forgetAfterFailure(identity) }
      }
    }
    evictIfNeeded()
    return failed
  }

  /// Stores arrivals of one identity. The calls have their answers, so a failure only shows in ``CacheInfo/problem``.
  private func store(_ arrivals: [any Arrival], _ identity: Identity) throws {
    try database.write(identity) { tables in
      for arrival in arrivals { try arrival.store(in: tables) }
      try tables.touch(used.removeValue(forKey: identity) ?? FactUse())
    }
  }

  // MARK: Writes

  /// Call before a write is sent.
  func beginWrite(identity: Identity) -> RequestStart {
    defer { writesInProgress[identity, default: 0] += 1 }
    return start(identity: identity)
  }

  /// Call when a write has ended, after ``confirm(_:identity:showing:)``.
  func endWrite(identity: Identity) {
    let count = (writesInProgress[identity] ?? 0) - 1
    writesInProgress[identity] = count > 0 ? count : nil
  }

  /// Stores what a write has changed. If that fails, all facts of the identity are forgotten.
  ///
  /// - Parameter waiting: returns the identity's writes that still wait, so that observers see the write either as
  ///   stored or as waiting, never as both or neither.
  func confirm(
    _ write: ConfirmedWrite, identity: Identity, showing waiting: (@Sendable () -> [OutboxEntry])? = nil
  ) {
    // After a sign-out, nothing is stored.
    if !forgotten.hasChanged(identity, since: write.start.moment.forgotten) {
      storeArrivals()
      var write = write
      // An event since then may be about the write, or about what happened after it.
      if events.hasChanged(identity, since: write.start.moment.events) { write.isRepeated = true }
      // This write is one of those in progress.
      write.overlapsWrite = write.start.overlapsWrite || writesInProgress[identity] ?? 0 > 1
      do { try database.write(identity, write.store) } catch { forgetAfterFailure(identity) }
      evictIfNeeded()
    }
    if let waiting { show(waiting(), identity) }
    announce()
  }

  /// Forgets all facts of an identity, because a change of them could not be stored.
  private func forgetAfterFailure(_ identity: Identity) {
    distrusted.insert(identity)
    try? forget(identity: identity)
  }

  /// Shows the changes of waiting writes on top of the stored facts, in order.
  ///
  /// - Parameters:
  ///   - identity: whose writes; nil for those of all.
  ///   - owners: returns the identities that have any. It and `waiting` are called here, so that of two callers the
  ///     later one has the later state.
  func show(
    _ identity: Identity?, owners: @Sendable () -> [Identity], waiting: @Sendable (Identity) -> [OutboxEntry]
  ) {
    for identity in identity.map({ [$0] }) ?? Array(Set(shownWrites.keys).union(owners())) {
      show(waiting(identity), identity)
    }
    announce()
  }

  private func show(_ waiting: [OutboxEntry], _ identity: Identity) {
    if waiting.isEmpty {
      shownWrites[identity] = nil
    } else {
      shownWrites[identity, default: ShownWrites()].show(waiting)
    }
  }

  // MARK: Upkeep

  /// Begins to remove what was not used for the longest time, if there is too much.
  private func evictIfNeeded() {
    guard eviction == nil, let size = try? database.use({ try $0.size() }), size.used > maximumBytes else { return }
    storeUse()
    eviction = Task { [weak self, maximumBytes] in
      var eviction = Eviction(target: maximumBytes / 5 * 4)
      while await self?.evict(&eviction) == true {}
    }
  }

  /// Notes in the tables what reads have used since answers were last stored.
  private func storeUse() {
    isUseComplete = false
    guard !used.isEmpty else { return }
    try? database.writing { _ in
      for (identity, used) in used { try database.touch(used, of: identity) }
    }
    used = [:]
  }

  /// Takes one step, so that reads can come in between.
  private func evict(_ eviction: inout Eviction) -> Bool {
    // A file that cannot be written keeps what it has, which can still be read.
    if (try? database.use { try eviction.step(in: $0) }) == true { return true }
    try? database.use { try $0.shrink() }
    self.eviction = nil
    return false
  }

  /// Forgets what was read for an identity, or for all.
  func forget(identity: Identity?) throws {
    forgotten.note(identity)
    // Until it is removed, none of it is shown.
    if let identity {
      arrivals.removeAll { $0.identity == identity }
      used[identity] = nil
      distrusted.insert(identity)
    } else {
      (arrivals, used, distrustsAll) = ([], [:], true)
    }
    do {
      if let identity {
        try database.write(identity) { try $0.removeAll() }
      } else {
        try database.writing { database in
          for table in CacheFile.tables where table != "partitions" { try database.execute("DELETE FROM \(table)") }
        }
      }
      try? database.use { try $0.shrink() }
    } catch {
      // A file that cannot be written can still be removed.
      try database.recreate(because: error)
    }
    if let identity { distrusted.remove(identity) } else { (distrusted, distrustsAll) = ([], false) }
    announce()
  }

  /// The largest number of identities that anything is kept for in memory.
  var identityCount: Int {
    max(shownWrites.count, writesInProgress.count, distrusted.count, used.count, forgotten.count)
  }

  /// The number that changes when another process has written.
  func dataVersion() -> Int? { try? database.use { try $0.dataVersion() } }

  /// How much is stored, after what is too much was removed.
  func info() async throws -> CacheInfo {
    storeArrivals()
    await eviction?.value
    return try database.info(maximumBytes: maximumBytes)
  }

  /// Stores what has arrived, and closes the file permanently.
  func end() async {
    changes.finish()
    storeArrivals()
    storeUse()
    await eviction?.value
    storeArrivals()
    database.end()
  }
}
