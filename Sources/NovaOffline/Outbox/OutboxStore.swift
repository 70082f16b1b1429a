import NovaCore
import NovaSQLite

/// The outbox on the disk, for tasks: each operation runs on a thread that may block.
actor OutboxStore {
  private nonisolated let executor = FileExecutor(label: "NovaOffline.outbox")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// What is in memory, for those who cannot wait.
  struct Image: Sendable {
    var queue = OutboxQueue()
    var realIDs: [Identity: [String: String]] = [:]
    /// What is wrong with the file, as a sentence.
    var problem: String?
    /// The ids of the entries that cannot be read.
    var unreadable: [Int64] = []
    /// Counts the changes of the queue.
    var version = 0
    /// When the file was used last, or tried.
    var lastUse: ContinuousClock.Instant?
  }

  nonisolated let image = Locked(Image())
  private let path: String
  private let clock: any CallClock
  private let rule: @Sendable (String) -> WriteRule?
  private var database: OutboxDatabase?
  private var isOver = false
  /// The generation of the database that is in the image.
  private var generation: Int?
  /// Which file the database has open: another process may move it aside, and what is written into it is lost then.
  private var file: FileID?
  /// What there is to report about damaged files.
  private var damageProblem: String?
  /// Why a damaged file could not be salvaged yet.
  private var salvageProblem: String?

  init(directory: String, clock: any CallClock, rule: @escaping @Sendable (String) -> WriteRule?) {
    path = "\(directory)/outbox.db"
    self.clock = clock
    self.rule = rule
  }

  /// Runs `body` with the database, which is opened first if need be, and brings the image up to date.
  ///
  /// - Throws: `APIError`: `failedPrecondition` if the file cannot be used, and what `body` throws.
  func use<Value: Sendable>(_ body: @Sendable (OutboxDatabase) throws -> Value) throws -> Value {
    if isOver { throw APIError.shutDown }
    defer {
      let now = clock.now
      image.withLock { $0.lastUse = now }
    }
    do {
      return try attempt(body)
    } catch let error as SQLiteError where error.isDamage {
      // Found only now. The new file is sound, so once is enough.
      let damaged = file
      close()
      return try translated {
        if let damaged { try keep(try replaced(damaged)) }
        return try attempt(body)
      }
    } catch {
      throw translate(error)
    }
  }

  private func attempt<Value>(_ body: (OutboxDatabase) throws -> Value) throws -> Value {
    var database = try opened()
    var value = try body(database)
    if file != FileID(at: path) {
      // Another process has just moved the file aside. What it has taken over already is recognized by its key.
      database = try opened()
      value = try body(database)
    }
    publish(database, problem: nil)
    return value
  }

  private func translated<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw translate(error) }
  }

  /// The error for the caller, after noting it as the outbox's problem.
  private func translate(_ error: any Error) -> any Error {
    guard error is SQLiteError || error is OutboxProblem else { return error }
    let text = "\(error)"
    if let database { publish(database, problem: text) } else { image.withLock { $0.problem = text } }
    return APIError(.failedPrecondition, "the outbox is not available, and nothing was queued: \(text)")
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
    try DamagedFile(path).replace(damaged, unixTime: clock.unixTime) {
      try OutboxDatabase(opening: path, rule: rule)
    }
  }

  /// Takes over what can be read of damaged files, each once, also those of a process that has ended before it did so.
  private func salvage(into database: OutboxDatabase) {
    let file = DamagedFile(path)
    guard file.copies.contains(where: { !database.hasSalvaged($0) }) else { return }
    do {
      try file.locked {
        try database.refresh()
        for copy in file.copies where !database.hasSalvaged(copy) { try database.salvage(copy) }
      }
      salvageProblem = nil
    } catch {
      salvageProblem = "the changes in it are not taken over yet: \(error)"
    }
  }

  /// What to do about damaged files; nil if there are none.
  private var damage: String? {
    guard let copy = DamagedFile(path).copies.last else { return nil }
    return salvageProblem.map { "\(copy) is damaged, and \($0)" } ?? DamagedFile.sentence(copy)
  }

  private func publish(_ database: OutboxDatabase, problem: String?) {
    let unreadable = database.unreadable
    let isNews = generation != database.generation
    generation = database.generation
    let (queue, realIDs) = (database.queue, database.realIDs)
    // Not at every use: a look into the directory.
    if isNews || problem != nil { damageProblem = damage }
    let problem = problem ?? damageProblem ?? self.problem(of: unreadable)
    image.withLock { image in
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

  nonisolated func note(problem: String) { image.withLock { $0.problem = problem } }

  /// Closes the file for good.
  func end() {
    isOver = true
    close()
  }

  func close() {
    database?.close()
    (database, generation, file) = (nil, nil, nil)
  }
}
