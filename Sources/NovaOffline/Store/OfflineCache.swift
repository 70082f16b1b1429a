import NovaCore
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
    let sequence: Int64
    let generation: Int
    let overlapsWrite: Bool
  }

  private let path: String
  private let maximumBytes: Int
  private let clock: any CallClock
  private let executor = FileExecutor(label: "NovaOffline.cache")
  nonisolated let signal = ChangeSignal()

  private var database: SQLiteConnection?
  /// Why the file could not be opened; it is tried again after a while.
  private var openFailure: (error: any Error, until: ContinuousClock.Instant)?
  private(set) var problem: String?
  private var partitions: [String: Int64] = [:]
  private var overlays: [String: Overlay] = [:]
  /// The writes that are on their way to the gateway, by account.
  private var writesInProgress: [String: Int] = [:]
  /// How often each account was forgotten: answers that were requested before are not stored.
  private var generations: [String: Int] = [:]
  private var changesSinceEviction = 0
  private var used: [String: [String: Set<String>]] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let gateway: String

  init(path: String, gateway: String, maximumBytes: Int, clock: any CallClock) {
    self.path = path
    self.gateway = gateway
    self.maximumBytes = maximumBytes
    self.clock = clock
  }

  // MARK: The file

  private var now: Int64 { Int64(clock.unixTime * 1000) }

  private func opened() throws -> SQLiteConnection {
    if let database { return database }
    if let (error, until) = openFailure, clock.now < until { throw error }
    do {
      let (database, problem) = try CacheFile.open(path)
      switch problem {
      case .damaged: self.problem = "\(path) was damaged and begun anew"
      case .older: self.problem = "\(path) was of an older version and begun anew"
      case nil: self.problem = nil
      }
      self.database = database
      openFailure = nil
      return database
    } catch {
      problem = "\(error)"
      openFailure = (error, clock.now.advanced(by: .seconds(10)))
      throw error
    }
  }

  /// Runs `body` with the facts of an account.
  private func work<Value>(_ account: String, _ body: (FactTables) throws -> Value) throws -> Value {
    do {
      let database = try opened()
      return try body(FactTables(database: database, partition: partition(account, database), now: now))
    } catch let error as SQLiteError where error.kind == .corrupt || error.kind == .notADatabase {
      // Begun anew with the next use.
      problem = "\(error)"
      close()
      throw error
    }
  }

  private func partition(_ account: String, _ database: SQLiteConnection) throws -> Int64 {
    if let partition = partitions[account] { return partition }
    let partition = try FactTables.partition(gateway: gateway, account: account, in: database)
    partitions[account] = partition
    return partition
  }

  func close() {
    database?.close()
    database = nil
    partitions = [:]
  }

  // MARK: Reads

  /// Answers a read from stored facts; nil if one is missing.
  func answer(_ rule: ReadRule, _ request: any ProtoMessage, account: String) throws -> Answer? {
    try work(account) { tables in
      try tables.database.reading {
        let reader = FactReader(tables, overlays[account] ?? Overlay())
        var response = rule.newResponse()
        if rule.isRecorded {
          let key = try Self.key(request)
          guard let (body, storedAt) = try tables.responses.entry(rule.rpc.id, request: key),
            let recorded = try? rule.rpc.responseType.init(jsonUTF8: body)
          else { return nil }
          reader.note(reader.overlay.expired.contains(rule.rpc.id) ? 0 : storedAt)
          response = recorded
        }
        guard let value = rule.visit(request, response, reader) else { return nil }
        if let failure = reader.failure { throw failure }
        if reader.isMissing { return nil }
        for (kind, ids) in reader.used { used[account, default: [:]][kind, default: []].formUnion(ids) }
        return Answer(value: value, age: age(reader.storedAt, at: tables.now))
      }
    }
  }

  /// A record, with its age; nil if it is not stored as a whole.
  func record(
    _ type: any StoredRecord.Type, _ id: String, account: String
  ) throws -> (record: any ProtoMessage, age: Duration?)? {
    func record<Record: StoredRecord>(_ type: Record.Type) throws -> (record: any ProtoMessage, age: Duration?)? {
      try work(account) { tables in
        let reader = FactReader(tables, overlays[account] ?? Overlay())
        var (record, found): (Record?, Bool) = (nil, false)
        reader.record(id, &record, found: &found)
        if let failure = reader.failure { throw failure }
        return record.map { ($0, age(reader.storedAt, at: tables.now)) }
      }
    }
    return try record(type)
  }

  /// A time in the future, of a clock that was set back since, says nothing.
  private func age(_ storedAt: Int64?, at now: Int64) -> Duration? {
    guard let storedAt else { return .zero }
    return storedAt > 0 && storedAt <= now ? .milliseconds(now - storedAt) : nil
  }

  private static func key(_ request: any ProtoMessage) throws -> String {
    String(decoding: try request.jsonUTF8(.request), as: UTF8.self)
  }

  /// Call before a request is sent.
  func start(account: String) -> Start {
    let sequence = try? work(account) { try $0.writeCount() }
    return Start(
      sequence: sequence ?? 0, generation: generations[account] ?? 0, overlapsWrite: writesInProgress[account] ?? 0 > 0)
  }

  /// Stores the facts of an answer of the gateway.
  ///
  /// - Returns: the answer with what waiting writes change about it.
  func learn(
    _ rule: ReadRule, _ request: any ProtoMessage, _ response: any ProtoMessage, since start: Start, account: String
  ) throws -> any ProtoMessage {
    guard start.generation == generations[account] ?? 0 else { return response }
    try work(account) { tables in
      try tables.database.transaction {
        let overlapsWrite =
          try start.overlapsWrite || writesInProgress[account] ?? 0 > 0 || tables.writeCount() != start.sequence
        let storedAt = overlapsWrite ? 0 : tables.now
        let learner = FactLearner(tables, sequence: start.sequence, storedAt: storedAt)
        _ = rule.visit(request, response, learner)
        if let failure = learner.failure { throw failure }
        if rule.isRecorded {
          try tables.responses.put(
            rule.rpc.id, request: Self.key(request), body: response.jsonUTF8(.response), sequence: start.sequence,
            storedAt: storedAt)
        }
        try touchUsed(tables, account)
      }
    }
    changed()
    guard let overlay = overlays[account], !overlay.isEmpty else { return response }
    return try answer(rule, request, account: account)?.value ?? response
  }

  private func touchUsed(_ tables: FactTables, _ account: String) throws {
    for (kind, ids) in used.removeValue(forKey: account) ?? [:] { try tables.records.touch(kind, ids) }
  }

  // MARK: Writes

  /// Call before a write is sent.
  func beginWrite(account: String) -> Int64 {
    writesInProgress[account, default: 0] += 1
    return (try? work(account) { try $0.writeCount() }) ?? 0
  }

  /// Call when a write has ended, after ``confirm(_:_:_:began:newID:time:isRepeated:account:)``.
  func endWrite(account: String) {
    let count = (writesInProgress[account] ?? 0) - 1
    writesInProgress[account] = count > 0 ? count : nil
  }

  /// Stores what a write has changed.
  func confirm(
    _ rule: WriteRule, _ request: any ProtoMessage, _ response: (any ProtoMessage)?, began: Int64, newID: String,
    time: Int64, isRepeated: Bool, account: String
  ) throws {
    try work(account) { tables in
      try tables.database.transaction {
        let change = ConfirmedChange(
          tables, sequence: try tables.nextWrite(), began: began, newID: newID, time: time, isRepeated: isRepeated)
        rule.effect(request, response, change)
        if let failure = change.failure { throw failure }
      }
    }
    changed()
  }

  /// Sets the writes that wait, in order. What they change is shown on top of the stored facts.
  ///
  /// - Parameter waiting: read here, so that of two callers the later one has the later state.
  func show(account: String, _ waiting: @Sendable () -> [OutboxEntry]) {
    let entries = waiting()
    var overlay = Overlay()
    for entry in entries {
      guard let rule = OfflineRules.write(entry.rpc.id) else { continue }
      overlay.add(rule, entry.request, newID: entry.newID, time: Int64(entry.createdAt))
    }
    overlays[account] = overlay
    signal.send()
  }

  /// The answer that a waiting write probably gets.
  func answer(
    of rule: WriteRule, _ request: any ProtoMessage, newID: String, account: String
  ) -> (any ProtoMessage)? {
    let overlay = overlays[account] ?? Overlay()
    let answer = try? work(account) { tables in
      let reader = FactReader(tables, overlay)
      return reader.tolerating { rule.answer(request, newID, reader) }
    }
    // The write waits, also if the stored facts cannot be read.
    return (answer ?? nil) ?? rule.answer(request, newID, WaitingFacts(overlay))
  }

  /// Whether a waiting write would change a relation; nil if that is not known.
  func relation(_ name: RelationName, account: String) -> Bool? {
    try? work(account) { try $0.relation(name)?.isRelated }
  }

  // MARK: Upkeep

  private func changed() {
    signal.send()
    changesSinceEviction += 1
    guard changesSinceEviction >= 64 else { return }
    changesSinceEviction = 0
    do { try evict() } catch { problem = "\(error)" }
  }

  private func evict() throws {
    let database = try opened()
    guard try database.size().used > maximumBytes else { return }
    for account in Array(used.keys) {
      try work(account) { tables in try tables.database.transaction { try touchUsed(tables, account) } }
    }
    try Eviction(database: database, target: maximumBytes / 5 * 4).run()
  }

  /// Forgets what was read for an account, or for all.
  func forget(account: String?) throws {
    if let account {
      generations[account, default: 0] += 1
      try work(account) { tables in try tables.database.transaction { try tables.removeAll() } }
    } else {
      for account in generations.keys { generations[account, default: 0] += 1 }
      for account in partitions.keys where generations[account] == nil { generations[account] = 1 }
      let database = try opened()
      try database.transaction {
        for table in CacheSchema.tables where table != "partitions" { try database.execute("DELETE FROM \(table)") }
      }
    }
    try opened().shrink()
    signal.send()
  }

  /// The number that changes when another process has written.
  func dataVersion() -> Int? { try? opened().dataVersion() }

  /// How much is stored.
  func info() throws -> CacheInfo {
    let database = try opened()
    func count(_ table: String) throws -> Int {
      try database.statement("SELECT count(*) FROM \(table)").firstRow { $0.int(0) } ?? 0
    }
    var kinds: [String: Int] = [:]
    try database.statement("SELECT kind, count(*) FROM records WHERE body IS NOT NULL GROUP BY kind")
      .forEachRow { kinds[$0.text(0)] = $0.int(1) }
    let oldest =
      try database.statement("SELECT min(stored_at) FROM records WHERE stored_at > 0")
      .firstRow { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
    return CacheInfo(
      path: path, usedBytes: try database.size().used, maximumBytes: maximumBytes, accounts: try count("partitions"),
      records: kinds, lists: try count("lists"), counts: try count("numbers"), responses: try count("responses"),
      oldest: age(oldest, at: now).flatMap { oldest == nil ? nil : $0 }, problem: problem)
  }
}
