import NovaCore
import NovaEvents
import NovaSQLite

/// The stored facts of all accounts in `cache.db`, and what waiting writes change about them.
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
    let generation: Int
    /// Whether another write was on its way.
    let overlapsWrite: Bool
    /// In Unix milliseconds.
    let time: Int64
    /// How many events were noted.
    let eventCount: Int
  }

  private let database: CacheDatabase
  let gateway: String
  private let maximumBytes: Int
  private let executor = FileExecutor(label: "NovaOffline.cache")
  nonisolated let signal = ChangeSignal()

  private var overlays: [String: Overlay] = [:]
  private var shownWrites: [String: ShownWrites] = [:]
  /// The writes that are on their way to the gateway, by account.
  private var writesInProgress: [String: Int] = [:]
  /// How often each account was forgotten: answers that were requested before are not stored.
  private var generations: [String: Int] = [:]
  /// The accounts whose stored facts miss a write and could not be removed.
  private var distrusted: Set<String> = []
  private var arrivals: [Arrival] = []
  /// The ids of the events that were noted, by account.
  private var notedEvents: [String: RecentIDs] = [:]
  /// How many events were noted, by account.
  private var eventCounts: [String: Int] = [:]
  private var isStoringSoon = false
  private var used: [String: FactReader.Used] = [:]
  private var eviction: Task<Void, Never>?

  /// What the gateway has sent and is still to be stored, in this order.
  private enum Arrival {
    case answer(ReceivedAnswer)
    case event(ReceivedEvent)

    var isEvent: Bool { if case .event = self { true } else { false } }

    var account: String {
      switch self {
      case .answer(let answer): answer.account
      case .event(let event): event.account
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
  /// How many ids of events are remembered for an account.
  private static let rememberedEvents = 10_000
  /// How long an arrival waits for others.
  private static let storingDelay = Duration.milliseconds(20)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(path: String, gateway: String, maximumBytes: Int, clock: any CallClock) {
    database = CacheDatabase(path: path, gateway: gateway, clock: clock)
    self.gateway = gateway
    self.maximumBytes = maximumBytes
  }

  // MARK: Reads

  /// Answers a read from stored facts; nil if one is missing.
  func answer(_ rule: ReadRule, _ request: any ProtoMessage, account: String) throws -> Answer? {
    try read(account) { tables in
      let reader = FactReader(tables, overlays[account] ?? Overlay())
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
      used[account, default: FactReader.Used()].formUnion(reader.used)
      return Answer(value: value, age: Self.age(reader.storedAt, at: tables.now))
    }
  }

  /// A record, with its age; nil if it is not stored as a whole.
  func record(
    _ type: any StoredRecord.Type, _ id: String, account: String
  ) throws -> (record: any ProtoMessage, age: Duration?)? {
    func record<Record: StoredRecord>(_ type: Record.Type) throws -> (record: any ProtoMessage, age: Duration?)? {
      try read(account) { tables in
        let reader = FactReader(tables, overlays[account] ?? Overlay())
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

  /// Reads the facts of an account, after what is still to be stored.
  private func read<Value>(_ account: String, _ body: (FactTables) throws -> Value) throws -> Value {
    storeArrivals()
    if distrusted.contains(account) { try forget(account: account) }
    return try database.read(account, body)
  }

  // MARK: Answers of the gateway

  /// Call before a request is sent.
  func start(account: String) -> Start {
    // Events count as writes; answers that are still to be stored do not.
    if arrivals.contains(where: \.isEvent) { storeArrivals() }
    let sequence = try? database.read(account) { try $0.writeCount() }
    return Start(
      sequence: sequence ?? 0, generation: generations[account] ?? 0, overlapsWrite: writesInProgress[account] ?? 0 > 0,
      time: database.now, eventCount: eventCounts[account] ?? 0)
  }

  /// Takes the facts of an answer of the gateway. They are stored soon, together with those of others: ids are in no
  /// order, so that each transaction writes to places all over the file. Reads see them at once.
  ///
  /// - Returns: the answer with what waiting writes change about it.
  func learn(
    _ rule: ReadRule, _ request: any ProtoMessage, _ response: any ProtoMessage, since start: Start, account: String
  ) throws -> any ProtoMessage {
    guard start.generation == generations[account] ?? 0 else { return response }
    let received = ReceivedAnswer(
      rule: rule, request: request, response: response, account: account, sequence: start.sequence,
      overlapsWrite: start.overlapsWrite || writesInProgress[account] ?? 0 > 0, time: database.now)
    add(.answer(received))
    shownWrites[account]?.noteArrivals(in: response, rule.rpc, &overlays[account, default: Overlay()])
    signal.send()
    guard let overlay = overlays[account], !overlay.isEmpty else { return response }
    // What is stored would be older than the answer.
    if storeArrivals().contains(account) { return response }
    return try answer(rule, request, account: account)?.value ?? response
  }

  /// Takes what events say about stored facts. It is stored as answers are.
  func note(_ events: [Event], account: String) {
    for event in events {
      // The subscriptions of a client list what others have received. An event without an id cannot be recognized.
      if !event.id.isEmpty,
        !notedEvents[account, default: RecentIDs(capacity: Self.rememberedEvents)].insert(event.id)
      {
        continue
      }
      eventCounts[account, default: 0] += 1
      add(.event(ReceivedEvent(event: event, account: account)))
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
  /// - Returns: the accounts of which something could not be stored.
  @discardableResult private func storeArrivals() -> Set<String> {
    guard !arrivals.isEmpty else { return [] }
    var failed: Set<String> = []
    let received = Dictionary(grouping: arrivals, by: \.account)
    arrivals = []
    for (account, arrivals) in received {
      do { try store(arrivals, account) } catch {
        failed.insert(account)
        // Only one of them can be to blame, unless it is the file.
        if arrivals.count > 1, !error.isAboutTheFile { for arrival in arrivals { try? store([arrival], account) } }
        // Without its events, what is stored would not be what it seems to be.
        if arrivals.contains(where: \.isEvent) { forgetAfterFailure(account) }
      }
    }
    evictIfNeeded()
    return failed
  }

  /// The cache's problem tells of a failure: the calls have their answers.
  private func store(_ arrivals: [Arrival], _ account: String) throws {
    try database.write(account) { tables in
      for arrival in arrivals { try arrival.store(in: tables) }
      try tables.touch(used.removeValue(forKey: account) ?? FactReader.Used())
    }
  }

  // MARK: Writes

  /// Call before a write is sent.
  func beginWrite(account: String) -> Start {
    defer { writesInProgress[account, default: 0] += 1 }
    return start(account: account)
  }

  /// Call when a write has ended, after ``confirm(_:account:showing:)``.
  func endWrite(account: String) {
    let count = (writesInProgress[account] ?? 0) - 1
    writesInProgress[account] = count > 0 ? count : nil
  }

  /// Stores what a write has changed. If that fails, all that is stored for the account is forgotten: nothing is better
  /// than what is wrong.
  ///
  /// - Parameter waiting: the writes of an account that still wait, so that no observer sees the write both stored and
  ///   waiting, or neither.
  func confirm(
    _ write: ConfirmedWrite, account: String, showing waiting: (@Sendable (_ account: String) -> [OutboxEntry])? = nil
  ) {
    // After a sign-out, nothing is stored.
    if write.start.generation == generations[account] ?? 0 {
      storeArrivals()
      var write = write
      // An event that came meanwhile may tell of the write, or of what happened after it.
      if write.start.eventCount != eventCounts[account] ?? 0 { write.isRepeated = true }
      // This one is among those in progress.
      write.overlapsWrite = write.start.overlapsWrite || writesInProgress[account] ?? 0 > 1
      do { try database.write(account, write.store) } catch { forgetAfterFailure(account) }
      evictIfNeeded()
    }
    if let waiting { setOverlay(waiting(account), account) }
    signal.send()
  }

  /// Forgets all that is stored for an account, because a change of it could not be stored.
  private func forgetAfterFailure(_ account: String) {
    distrusted.insert(account)
    try? forget(account: account)
  }

  /// Sets the writes that wait, in order. What they change is shown on top of the stored facts; also of accounts that were
  /// signed in before, and may be again.
  ///
  /// - Parameter waiting: read here, so that of two callers the later one has the later state.
  func show(account: String, _ waiting: @Sendable (_ account: String) -> [OutboxEntry]) {
    for account in Set(overlays.keys).union([account]) { setOverlay(waiting(account), account) }
    signal.send()
  }

  private func setOverlay(_ waiting: [OutboxEntry], _ account: String) {
    shownWrites[account, default: ShownWrites()].show(waiting, in: &overlays[account, default: Overlay()])
  }

  /// The answer that a waiting write probably gets.
  func answer(
    of rule: WriteRule, _ request: any ProtoMessage, newID: String, account: String
  ) -> (any ProtoMessage)? {
    let overlay = overlays[account] ?? Overlay()
    let answer = try? read(account) { tables in
      let reader = FactReader(tables, overlay)
      return reader.tolerating { rule.answer(request, newID, reader) }
    }
    // The write waits, also if the stored facts cannot be read.
    return (answer ?? nil) ?? rule.answer(request, newID, WaitingFacts(overlay))
  }

  /// Whether users are related; nil if that is not known.
  func relation(_ name: RelationName, account: String) -> Bool? {
    try? read(account) { try $0.relation(name)?.isRelated }
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
    for (account, used) in used { try? database.write(account) { try $0.touch(used) } }
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

  /// Forgets what was read for an account, or for all.
  func forget(account: String?) throws {
    let accounts =
      account.map { [$0] } ?? Array(Set(generations.keys).union(database.accounts).union(arrivals.map(\.account)))
    arrivals.removeAll { accounts.contains($0.account) }
    for account in accounts {
      generations[account, default: 0] += 1
      used[account] = nil
    }
    // Until it is done, nothing of it is shown.
    distrusted.formUnion(accounts)
    do {
      if let account {
        try database.write(account) { try $0.removeAll() }
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
    distrusted.subtract(accounts)
    signal.send()
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
