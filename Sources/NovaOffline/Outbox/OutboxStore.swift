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
  /// What was done about a damaged file. Stays until the process ends.
  private var repair: String?

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
    } catch let error as SQLiteError where error.kind == .corrupt || error.kind == .notADatabase {
      // Found only now. The new file is empty, so once is enough.
      close()
      return try translated { try attempt(body) }
    } catch {
      throw translate(error)
    }
  }

  private func attempt<Value>(_ body: (OutboxDatabase) throws -> Value) throws -> Value {
    let database = try opened()
    let value = try body(database)
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
    if let database {
      try database.refresh()
      return database
    }
    let database = try open()
    self.database = database
    return database
  }

  private func open() throws -> OutboxDatabase {
    do {
      return try OutboxDatabase(opening: path, rule: rule)
    } catch let error as SQLiteError where error.kind == .corrupt || error.kind == .notADatabase {
      let (database, copy) = try DamagedFile.replace(path, unixTime: clock.unixTime) {
        try OutboxDatabase(opening: path, rule: rule)
      }
      if let copy {
        repair = "\(path) was damaged: it was moved to \(copy), and the writes that waited in it are not sent"
      }
      return database
    }
  }

  private func publish(_ database: OutboxDatabase, problem: String?) {
    let unreadable = database.unreadableCount
    let unreadableText =
      unreadable == 0 ? nil : "\(unreadable) writes in \(path) were made by another version of NovaSDK and wait for it"
    let isNews = generation != database.generation
    generation = database.generation
    let (queue, realIDs) = (database.queue, database.realIDs)
    let problem = problem ?? repair ?? unreadableText
    image.withLock { image in
      (image.queue, image.realIDs, image.problem) = (queue, realIDs, problem)
      if isNews { image.version += 1 }
    }
  }

  nonisolated func note(problem: String) { image.withLock { $0.problem = problem } }

  /// Closes the file for good.
  func end() {
    isOver = true
    close()
  }

  func close() {
    database?.close()
    (database, generation) = (nil, nil)
  }
}
