import NovaCore
import NovaEvents
import NovaSQLite

/// The stored facts of all identities in `cache.db`, and what waiting writes change about them.
actor OfflineCache {
  /// An answer made of stored facts.
  struct Answer: Sendable {
    var value: any ProtoMessage
    /// How old the oldest of its facts is; nil if that is not sure.
    var age: Duration?
  }

  /// What was known when a request began.
  struct Start: Sendable {
    /// How many writes were confirmed.
    let sequence: Int64
    /// For what is forgotten and for the events that are noted from now on.
    let moment: (forgotten: Int, events: Int)
    /// Whether another write was on its way.
    let overlapsWrite: Bool
    /// In Unix milliseconds.
    let time: Int64
  }

  private let database: CacheDatabase
  private let maximumBytes: Int
  private let executor = FileExecutor(label: "NovaOffline.cache")
  nonisolated let signal = ChangeSignal()

  private var overlays: [Identity: Overlay] = [:]
  private var shownWrites: [Identity: ShownWrites] = [:]
  /// The writes that are on their way to the gateway, by identity.
  private var writesInProgress: [Identity: Int] = [:]
  /// When each identity was forgotten: answers that were requested before are not stored.
  private var forgotten = LastChanges()
  /// The identities whose stored facts miss a write and could not be removed.
  private var distrusted: Set<Identity> = []
  /// Whether everything was to be forgotten and could not be removed.
  private var distrustsAll = false
  private var arrivals: [Arrival] = []
  /// The events that were noted for an identity.
  private var notedEvents = RecentSet<Int>(capacity: rememberedEvents)
  /// When events were noted for each identity.
  private var events = LastChanges()
  private var isStoringSoon = false
  /// Whether `used` has as many identities as are collected.
  private var isUseComplete = false
  private var used: [Identity: FactReader.Used] = [:]
  private var eviction: Task<Void, Never>?

  /// What the gateway has sent and is still to be stored, in this order.
  private enum Arrival {
    case answer(ReceivedAnswer)
    case event(ReceivedEvent)

    var isEvent: Bool { if case .event = self { true } else { false } }

    var identity: Identity {
      switch self {
      case .answer(let answer): answer.identity
      case .event(let event): event.identity
      }
    }

    func store(in tables: FactTables) throws {
      switch self {
      case .answer(let answer): try answer.store(in: tables)
      case .event(let event): try event.store(in: tables)
      }
    }
  }

  /// How many arrivals are stored together.
  private static let arrivalsAtOnce = 48
  /// How many events are remembered.
  private static let rememberedEvents = 10_000
  /// For how many identities the use of what is stored is collected before it is noted.
  private static let identitiesInUse = 200
  /// How long an arrival waits for others.
  private static let storingDelay = Duration.milliseconds(20)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(path: String, maximumBytes: Int, clock: any CallClock) {
    database = CacheDatabase(path: path, clock: clock)
    self.maximumBytes = maximumBytes
  }

  // MARK: Reads

  /// Answers a read from stored facts; nil if one is missing.
  func answer(_ rule: ReadRule, _ request: any ProtoMessage, identity: Identity) throws -> Answer? {
    try read(identity) { tables in
      let reader = FactReader(tables, overlays[identity] ?? Overlay())
      var response = rule.newResponse()
      if rule.isRecorded {
        guard let stored = try tables.responses.entry(rule.rpc.id, request: request.canonicalText()),
          let recorded = try? rule.rpc.responseType.init(jsonUTF8: stored.body)
        else { return nil }
        reader.note(response: stored.number, reader.overlay.expired.contains(rule.rpc.id) ? 0 : stored.storedAt)
        response = recorded
      }
      guard let value = rule.visit(request, response, reader) else { return nil }
      if let failure = reader.failure { throw failure }
      if reader.isMissing { return nil }
      if used.count >= Self.identitiesInUse, used[identity] == nil { isUseComplete = true }
      used[identity, default: FactReader.Used()].formUnion(reader.used)
      return Answer(value: value, age: Self.age(reader.storedAt, at: tables.now))
    }
  }

  /// A record, with its age; nil if it is not stored as a whole.
  func record(
    _ type: any StoredRecord.Type, _ id: String, identity: Identity
  ) throws -> (record: any ProtoMessage, age: Duration?)? {
    func record<Record: StoredRecord>(_ type: Record.Type) throws -> (record: any ProtoMessage, age: Duration?)? {
      try read(identity) { tables in
        let reader = FactReader(tables, overlays[identity] ?? Overlay())
        var (record, found): (Record?, Bool) = (nil, false)
        reader.record(id, &record, found: &found)
        if let failure = reader.failure { throw failure }
        return record.map { ($0, Self.age(reader.storedAt, at: tables.now)) }
      }
    }
    return try record(type)
  }

  /// A time in the future, of a clock that was set back since, says nothing.
  private static func age(_ storedAt: Int64?, at now: Int64) -> Duration? {
    guard let storedAt else { return .zero }
    return storedAt > 0 && storedAt <= now ? .milliseconds(now - storedAt) : nil
  }

  /// Reads the facts of an identity, after what is still to be stored.
  private func read<Value>(_ identity: Identity, _ body: (FactTables) throws -> Value) throws -> Value {
    storeArrivals()
    if isUseComplete { storeUse() }
    if distrustsAll { try forget(identity: nil) }
    if distrusted.contains(identity) { try forget(identity: identity) }
    return try database.read(identity, body)
  }

  // MARK: Answers of the gateway

  /// Call before a request is sent.
  func start(identity: Identity) -> Start {
    // Events count as writes; answers that are still to be stored do not.
    if arrivals.contains(where: \.isEvent) { storeArrivals() }
    let sequence = try? database.read(identity) { try $0.writeCount() }
    return Start(
      sequence: sequence ?? 0, moment: (forgotten.now, events.now),
      overlapsWrite: writesInProgress[identity] ?? 0 > 0, time: database.now)
  }

  /// Takes the facts of an answer of the gateway. They are stored soon, together with those of others: ids are in no
  /// order, so that each transaction writes to places all over the file. Reads see them at once.
  ///
  /// - Returns: the answer with what waiting writes change about it.
  func learn(
    _ response: any ProtoMessage, to call: StoredCall, _ rule: ReadRule, since start: Start
  ) throws -> any ProtoMessage {
    let (request, identity) = (call.request, call.identity)
    if forgotten.hasChanged(identity, since: start.moment.forgotten) { return response }
    let received = ReceivedAnswer(
      rule: rule, request: request, response: response, identity: identity, sequence: start.sequence,
      overlapsWrite: start.overlapsWrite || writesInProgress[identity] ?? 0 > 0, time: database.now)
    add(.answer(received))
    shownWrites[identity]?.noteArrivals(in: response, rule.rpc, &overlays[identity, default: Overlay()])
    signal.send()
    guard let overlay = overlays[identity], !overlay.isEmpty else { return response }
    // What is stored would be older than the answer.
    if storeArrivals().contains(identity) { return response }
    return try answer(rule, request, identity: identity)?.value ?? response
  }

  /// Takes what events say about stored facts. It is stored as answers are.
  ///
  /// - Parameter serverTime: the time of the gateway's clock, in Unix seconds.
  func note(_ events: [Event], identity: Identity, serverTime: Double) {
    for event in events {
      // The subscriptions of a client list what others have received. An event without an id cannot be recognized.
      if !event.id.isEmpty, !notedEvents.insert(id: "\(event.id) \(identity.storedText) \(identity.gateway)") {
        continue
      }
      self.events.note(identity)
      add(.event(ReceivedEvent(event: event, identity: identity, serverTime: serverTime)))
    }
    signal.send()
  }

  private func add(_ arrival: Arrival) {
    arrivals.append(arrival)
    if arrivals.count < Self.arrivalsAtOnce { storeArrivalsSoon() } else { storeArrivals() }
  }

  private func storeArrivalsSoon() {
    guard !isStoringSoon else { return }
    isStoringSoon = true
    Task { [weak self] in
      // Real time, whatever the clock of ages says: nobody can see the difference.
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
  /// - Returns: the identities of which something could not be stored.
  @discardableResult private func storeArrivals() -> Set<Identity> {
    guard !arrivals.isEmpty else { return [] }
    var failed: Set<Identity> = []
    let received = Dictionary(grouping: arrivals, by: \.identity)
    arrivals = []
    for (identity, arrivals) in received {
      do { try store(arrivals, identity) } catch {
        failed.insert(identity)
        // Only one of them can be to blame, unless it is the file.
        if arrivals.count > 1, !error.isAboutTheFile { for arrival in arrivals { try? store([arrival], identity) } }
        // Without its events, what is stored would not be what it seems to be.
        if arrivals.contains(where: \.isEvent) { forgetAfterFailure(identity) }
      }
    }
    evictIfNeeded()
    return failed
  }

  /// The cache's problem tells of a failure: the calls have their answers.
  private func store(_ arrivals: [Arrival], _ identity: Identity) throws {
    try database.write(identity) { tables in
      for arrival in arrivals { try arrival.store(in: tables) }
      try tables.touch(used.removeValue(forKey: identity) ?? FactReader.Used())
    }
  }

  // MARK: Writes

  /// Call before a write is sent.
  func beginWrite(identity: Identity) -> Start {
    defer { writesInProgress[identity, default: 0] += 1 }
    return start(identity: identity)
  }

  /// Call when a write has ended, after ``confirm(_:identity:showing:)``.
  func endWrite(identity: Identity) {
    let count = (writesInProgress[identity] ?? 0) - 1
    writesInProgress[identity] = count > 0 ? count : nil
  }

  /// Stores what a write has changed. If that fails, all that is stored for the identity is forgotten: nothing is better
  /// than what is wrong.
  ///
  /// - Parameter waiting: the writes of an identity that still wait, so that no observer sees the write both stored and
  ///   waiting, or neither.
  func confirm(
    _ write: ConfirmedWrite, identity: Identity, showing waiting: (@Sendable () -> [OutboxEntry])? = nil
  ) {
    // After a sign-out, nothing is stored.
    if !forgotten.hasChanged(identity, since: write.start.moment.forgotten) {
      storeArrivals()
      var write = write
      // An event that came meanwhile may tell of the write, or of what happened after it.
      if events.hasChanged(identity, since: write.start.moment.events) { write.isRepeated = true }
      // This one is among those in progress.
      write.overlapsWrite = write.start.overlapsWrite || writesInProgress[identity] ?? 0 > 1
      do { try database.write(identity, write.store) } catch { forgetAfterFailure(identity) }
      evictIfNeeded()
    }
    if let waiting { setOverlay(waiting(), identity) }
    signal.send()
  }

  /// Forgets all that is stored for an identity, because a change of it could not be stored.
  private func forgetAfterFailure(_ identity: Identity) {
    distrusted.insert(identity)
    try? forget(identity: identity)
  }

  /// Sets the writes that wait, in order. What they change is shown on top of the stored facts.
  ///
  /// - Parameters:
  ///   - identity: whose writes; nil for those of all.
  ///   - owners: the identities that have any. This and `waiting` are read here, so that of two callers the later one has
  ///     the later state.
  func show(
    _ identity: Identity?, owners: @Sendable () -> [Identity], _ waiting: @Sendable (Identity) -> [OutboxEntry]
  ) {
    for identity in identity.map({ [$0] }) ?? Array(Set(overlays.keys).union(owners())) {
      setOverlay(waiting(identity), identity)
    }
    signal.send()
  }

  private func setOverlay(_ waiting: [OutboxEntry], _ identity: Identity) {
    guard !waiting.isEmpty else {
      (overlays[identity], shownWrites[identity]) = (nil, nil)
      return
    }
    shownWrites[identity, default: ShownWrites()].show(waiting, in: &overlays[identity, default: Overlay()])
  }

  /// The answer that a waiting write probably gets.
  func answer(
    of rule: WriteRule, _ request: any ProtoMessage, newID: String, identity: Identity
  ) -> (any ProtoMessage)? {
    let overlay = overlays[identity] ?? Overlay()
    let answer = try? read(identity) { tables in
      let reader = FactReader(tables, overlay)
      return reader.tolerating { rule.answer(request, newID, reader) }
    }
    // The write waits, also if the stored facts cannot be read.
    return (answer ?? nil) ?? rule.answer(request, newID, WaitingFacts(overlay))
  }

  /// Whether users are related; nil if that is not known.
  func relation(_ name: RelationName, identity: Identity) -> Bool? {
    try? read(identity) { try $0.relation(name)?.isRelated }
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

  /// Notes what was only read since the last answer was stored.
  private func storeUse() {
    isUseComplete = false
    guard !used.isEmpty else { return }
    try? database.writing { _ in
      for (identity, used) in used { try database.touch(used, of: identity) }
    }
    used = [:]
  }

  /// One step, so that others can read in between.
  private func evict(_ eviction: inout Eviction) -> Bool {
    // A file that cannot be written is full of what can be read.
    if (try? database.use { try eviction.step(in: $0) }) == true { return true }
    try? database.use { try $0.shrink() }
    self.eviction = nil
    return false
  }

  /// Forgets what was read for an identity, or for all.
  func forget(identity: Identity?) throws {
    forgotten.note(identity)
    // Until it is done, nothing of it is shown.
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
          for table in CacheSchema.tables where table != "partitions" { try database.execute("DELETE FROM \(table)") }
        }
      }
      try? database.use { try $0.shrink() }
    } catch {
      // A file that cannot be written can still be removed.
      try database.beginAnew(because: error)
    }
    if let identity { distrusted.remove(identity) } else { (distrusted, distrustsAll) = ([], false) }
    signal.send()
  }

  /// How many identities something is kept in memory for, at the most.
  var identityCount: Int {
    max(
      overlays.count, shownWrites.count, writesInProgress.count, distrusted.count, used.count, forgotten.identityCount)
  }

  /// The number that changes when another process has written.
  func dataVersion() -> Int? { try? database.use { try $0.dataVersion() } }

  /// How much is stored, when what is too much is removed.
  func info() async throws -> CacheInfo {
    storeArrivals()
    await eviction?.value
    return try database.use { connection in
      func count(_ table: String) throws -> Int {
        try connection.statement("SELECT count(*) FROM \(table)").firstRow { $0.int(0) } ?? 0
      }
      var kinds: [String: Int] = [:]
      try connection.statement("SELECT kind, count(*) FROM records WHERE body IS NOT NULL GROUP BY kind")
        .forEachRow { kinds[$0.text(0)] = $0.int(1) }
      let oldest =
        try connection.statement("SELECT min(stored_at) FROM records WHERE stored_at > 0")
        .firstRow { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
      return CacheInfo(
        path: database.path, usedBytes: try connection.size().used, maximumBytes: maximumBytes,
        accounts: try count("partitions"), records: kinds, lists: try count("lists"), counts: try count("numbers"),
        responses: try count("responses"), oldest: oldest.flatMap { Self.age($0, at: database.now) },
        problem: database.currentProblem)
    }
  }

  /// Stores what is still to be stored, and closes the file for good.
  func end() async {
    signal.end()
    storeArrivals()
    storeUse()
    await eviction?.value
    storeArrivals()
    database.end()
  }
}
