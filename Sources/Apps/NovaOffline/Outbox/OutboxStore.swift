import NovaCore
import NovaSQLite

/// `outbox.db` and its image in memory. Operations on the file run on a thread that may block; the image can be read
/// without waiting.
///
/// The file can change under this process: another one writes to it (noticed by its data version), or moves it aside
/// because it is damaged (noticed by its ``FileID``). Each use therefore looks at both first, and looks at the second
/// one afterwards, too: what was written into a file that is moved aside at that moment would be lost, so it is written
/// again.
actor OutboxStore {
  private nonisolated let executor = FileExecutor(label: "NovaOffline.outbox")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The contents of the file, as of its last use.
  struct Image: Sendable {
    var queue = OutboxQueue()
    var realIDs: [Identity: [String: String]] = [:]
    /// What is wrong with the file, as a sentence.
    var problem: String?
    /// The ids of the entries that cannot be read.
    var unreadable: [Int64] = []
    /// Counts the changes of the queue.
    var version = 0
    /// When the file was last used, or tried.
    fileprivate var lastUse: ContinuousClock.Instant?
  }

  private nonisolated let memory = Locked(Image())
  private let path: String
  private nonisolated let clock: any CallClock
  private let rule: @Sendable (String) -> WriteRule?
  private var database: OutboxDatabase?
  private var isOver = false
  /// The generation of the database in the image.
  private var generation: Int?
  /// Which file the database has open.
  private var file: FileID?
  /// The report about damaged files; nil without any.
  private var damageProblem: String?
  /// Why a damaged file was not salvaged yet.
  private var salvageProblem: String?

  init(directory: String, clock: any CallClock, rule: @escaping @Sendable (String) -> WriteRule?) {
    path = "\(directory)/outbox.db"
    self.clock = clock
    self.rule = rule
  }

  // MARK: The image

  nonisolated var image: Image { memory.withLock { $0 } }
  nonisolated var queue: OutboxQueue { memory.withLock { $0.queue } }
  /// Counts the changes of the entries.
  nonisolated var version: Int { memory.withLock { $0.version } }

  /// The ids that the gateway gave to what an identity's writes created, by temporary id.
  nonisolated func realIDs(of identity: Identity) -> [String: String]? { memory.withLock { $0.realIDs[identity] } }

  /// The request with real ids in place of temporary ones, where they are known.
  nonisolated func withRealIDs(_ request: any ProtoMessage, identity: Identity) -> any ProtoMessage {
    guard let ids = realIDs(of: identity) else { return request }
    return RequestIDs.replacing(ids, in: request) ?? request
  }

  /// Whether the file was used within a time before now.
  nonisolated func wasUsed(within age: Duration) -> Bool {
    let last = memory.withLock { $0.lastUse }
    return last.map { $0.duration(to: clock.now) < age } ?? false
  }

  nonisolated func note(problem: String) { memory.withLock { $0.problem = problem } }

  // MARK: The file

  /// Runs `body` with the database, which is opened first if needed, and updates the image.
  ///
  /// - Throws: `APIError`: `failedPrecondition` if the file cannot be used, and what `body` throws.
  func use<Value: Sendable>(_ body: @Sendable (OutboxDatabase) throws -> Value) throws -> Value {
    if isOver { throw APIError.shutDown }
    defer {
      let now = clock.now
      memory.withLock { $0.lastUse = now }
    }
    do {
      return try attempt(body)
    } catch let error as SQLiteError where error.isDamage {
      // The damage was found only now. The new file is sound, so one more attempt is enough.
      let damaged = file
      close()
      do {
        if let damaged { try keep(try replaced(damaged)) }
        return try attempt(body)
      } catch { throw translate(error) }
    } catch {
      throw translate(error)
    }
  }

  private func attempt<Value>(_ body: (OutboxDatabase) throws -> Value) throws -> Value {
    var database = try opened()
    var value = try body(database)
    if file != FileID(at: path) {
      // Another process has just moved the file aside. Entries that it has already taken over are recognized by their
      // keys.
      database = try opened()
      value = try body(database)
    }
    publish(database, problem: nil)
    return value
  }

  /// The error for the caller, after noting it as the outbox's problem.
  private func translate(_ error: any Error) -> any Error {
    guard error is SQLiteError else { return error }
    let text = "\(error)"
    if let database { publish(database, problem: text) } else { memory.withLock { $0.problem = text } }
    return APIError(.failedPrecondition, "the outbox is not available, and nothing was queued", reason: text)
  }

  private func opened() throws -> OutboxDatabase {
    if let database, file == FileID(at: path) {
      try database.refresh()
      return database
    }
    close()
    let database = try open()
    try keep(database)
    return database
  }

  private func keep(_ database: OutboxDatabase) throws {
    self.database = database
    file = FileID(at: path)
    salvage(into: database)
    try database.refresh()
  }

  private func open() throws -> OutboxDatabase {
    do {
      return try OutboxDatabase(opening: path, rule: rule)
    } catch let error as SQLiteError where error.isDamage {
      return try replaced(nil)
    }
  }

  private func replaced(_ damaged: FileID?) throws -> OutboxDatabase {
    try DatabaseFiles(path).replace(damaged, unixTime: clock.unixTime) {
      try OutboxDatabase(opening: path, rule: rule)
    }
  }

  /// Takes over the readable entries of damaged files, each file once, also if the process that moved it aside has ended.
  private func salvage(into database: OutboxDatabase) {
    let file = DatabaseFiles(path)
    guard file.copies.contains(where: { !database.hasSalvaged($0) }) else { return }
    do {
      try file.repairing {
        try database.refresh()
        for copy in file.copies where !database.hasSalvaged(copy) { try database.salvage(copy) }
      }
      salvageProblem = nil
    } catch {
      salvageProblem = "the changes in it are not taken over yet: \(error)"
    }
  }

  /// The report about damaged files; nil without any.
  private var damage: String? {
    guard let copy = DatabaseFiles(path).copies.last else { return nil }
    return salvageProblem.map { "\(copy) is damaged, and \($0)" } ?? DatabaseFiles.report(of: copy)
  }

  private func publish(_ database: OutboxDatabase, problem: String?) {
    let unreadable = database.unreadable
    let isNews = generation != database.generation
    generation = database.generation
    let (queue, realIDs) = (database.queue, database.realIDs)
    // Reads the directory, so not at every use.
    if isNews || problem != nil { damageProblem = damage }
    let problem = problem ?? damageProblem ?? self.problem(of: unreadable)
    memory.withLock { image in
      (image.queue, image.realIDs, image.problem, image.unreadable) = (queue, realIDs, problem, unreadable)
      if isNews { image.version += 1 }
    }
  }

  private func problem(of unreadable: [Int64]) -> String? {
    guard let first = unreadable.first else { return nil }
    if unreadable.count == 1 {
      return
        "entry \(first) in \(path) cannot be read, and is not sent: it is damaged, or another version of NovaSDK wrote it, "
        + "which can send it; if it is damaged, discard it (nova outbox discard \(first))"
    }
    let ids = unreadable.prefix(5).map { "\($0)" } + (unreadable.count > 5 ? ["others"] : [])
    return
      "entries \(ids.conjunction) in \(path) cannot be read, and are not sent: they are damaged, or another version of "
      + "NovaSDK wrote them, which can send them; discard damaged ones (nova outbox discard \(first))"
  }

  /// Closes the file permanently: later uses fail.
  func end() {
    isOver = true
    close()
  }

  func close() {
    database?.close()
    (database, generation, file) = (nil, nil, nil)
  }
}
