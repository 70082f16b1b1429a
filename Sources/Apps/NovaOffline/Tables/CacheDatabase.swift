import NovaCore
import NovaSQLite

/// `cache.db`: opened at its first use, and recreated when it is found to be damaged.
final class CacheDatabase {
  let path: String
  private let clock: any CallClock

  private var connection: SQLiteConnection?
  /// Which file is open: its device and inode.
  private var openFile: FileID?
  private var partitions: [Identity: Int64] = [:]
  /// Why the file could not be opened, and until when it is not tried again.
  private var openFailure: (error: any Error, until: ContinuousClock.Instant)?
  /// Whether damage was found in the file while it was in use.
  private var isSuspect = false
  private var isEnded = false
  /// Why the file cannot be used, or was recreated.
  private(set) var problem: String?
  /// Why the last change was not stored; nil after one that was.
  private var writeFailure: String?

  /// How long a file that cannot be opened is not tried again.
  private static let pause = Duration.seconds(10)

  /// How many numbers of partitions are remembered.
  private static let rememberedPartitions = 1_000

  init(path: String, clock: any CallClock) { (self.path, self.clock) = (path, clock) }

  /// What is wrong now; nil if all is well.
  var currentProblem: String? { writeFailure ?? problem }

  /// Now, in Unix milliseconds.
  var now: Int64 { Int64(clock.unixTime * 1000) }

  /// How long ago a time was; zero for none, and nil for a time that is not sure. A time in the future is not sure,
  /// because the clock was set back since.
  func age(of storedAt: Int64?, at now: Int64) -> Duration? {
    guard let storedAt else { return .zero }
    return storedAt > 0 && storedAt <= now ? .milliseconds(now - storedAt) : nil
  }

  // MARK: Facts

  /// Runs `body` with the facts of an identity; empty before the first is stored.
  func read<Value>(_ identity: Identity, _ body: (FactTables) throws -> Value) throws -> Value {
    try use { connection in
      try connection.reading {
        try CacheFile.checkVersion(of: connection)
        // No partition has the number 0.
        return try body(tables(of: identity, partition(of: identity, connection) ?? 0, connection))
      }
    }
  }

  /// Runs `body` with the facts of an identity in a transaction.
  func write<Value>(_ identity: Identity, _ body: (FactTables) throws -> Value) throws -> Value {
    try writing { connection in
      let known = try partition(of: identity, connection)
      return try body(
        tables(of: identity, known ?? FactTables.addPartition(of: identity, to: connection), connection))
    }
  }

  /// Notes which facts of an identity were used. Call within ``writing(_:)``.
  func touch(_ used: FactUse, of identity: Identity) throws {
    try use { connection in
      guard let partition = try partition(of: identity, connection) else { return }
      try tables(of: identity, partition, connection).touch(used)
    }
  }

  private func tables(of identity: Identity, _ partition: Int64, _ connection: SQLiteConnection) -> FactTables {
    FactTables(database: connection, partition: partition, user: identity.user, now: now)
  }

  /// Runs `body` in a transaction.
  func writing<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    do {
      let value = try use { connection in
        try connection.transaction {
          try CacheFile.checkVersion(of: connection)
          return try body(connection)
        }
      }
      writeFailure = nil
      return value
    } catch {
      writeFailure = "\(error)"
      throw error
    }
  }

  private func partition(of identity: Identity, _ connection: SQLiteConnection) throws -> Int64? {
    if let partition = partitions[identity] { return partition }
    let partition = try FactTables.partition(of: identity, in: connection)
    if partitions.count >= Self.rememberedPartitions { partitions = [:] }
    partitions[identity] = partition
    return partition
  }

  // MARK: The file

  /// Runs `body` with the open file.
  func use<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    do {
      return try body(try opened())
    } catch let error as SQLiteError where error.isDamage {
      isSuspect = true
      problem = "\(error)"
      close()
      throw error
    }
  }

  private func opened() throws -> SQLiteConnection {
    if let connection, file == openFile { return connection }
    // Another process may have recreated the file, or a user deleted it.
    close()
    if isEnded { throw APIError.shutDown }
    if let (error, until) = openFailure, clock.now < until { throw error }
    do {
      let (connection, repair) = try CacheFile.open(path, isSuspect: isSuspect)
      switch repair {
      case .damaged: problem = "\(path) was damaged and begun anew"
      case .older: problem = "\(path) was of an older version and begun anew"
      case nil: problem = nil
      }
      (self.connection, openFile, openFailure, isSuspect) = (connection, file, nil, false)
      return connection
    } catch {
      problem = "\(error)"
      openFailure = (error, clock.now.advanced(by: Self.pause))
      throw error
    }
  }

  /// Removes the file, so that it is created again. That needs no space on the disk.
  ///
  /// - Throws: `reason` if another process keeps the file busy, or it cannot be removed.
  func recreate(because reason: any Error) throws {
    if isEnded || (reason as? SQLiteError)?.kind == .busy { throw reason }
    close()
    guard CacheFile.remove(path) else { throw reason }
    openFailure = nil
  }

  /// The file that is at the path now; nil without one.
  private var file: FileID? { FileID(at: path) }

  func close() {
    connection?.close()
    connection = nil
    partitions = [:]
  }

  /// Closes the file permanently.
  func end() {
    isEnded = true
    close()
  }
}
