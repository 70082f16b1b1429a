import NovaCore
import NovaSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `cache.db`: opened when it is first used, and recreated when it turns out to be damaged.
final class CacheDatabase {
  let path: String
  private let clock: any CallClock

  private var connection: SQLiteConnection?
  /// Which file is open: its device and inode.
  private var openFile: FileID?
  private var partitions: [Identity: Int64] = [:]
  /// Why the file could not be opened; it is tried again after a while.
  private var openFailure: (error: any Error, until: ContinuousClock.Instant)?
  /// Whether damage was found in the file while it was in use.
  private var isSuspect = false
  private var isEnded = false
  /// What is wrong with the file, or was until it was recreated.
  private(set) var problem: String?
  /// Why the last change was not stored; nil after one that was.
  private var writeFailure: String?

  /// How long a file that cannot be opened is left alone.
  private static let pause = Duration.seconds(10)

  /// How many partitions are remembered.
  private static let rememberedPartitions = 1_000

  init(path: String, clock: any CallClock) { (self.path, self.clock) = (path, clock) }

  /// What is wrong now; nil if all is well.
  var currentProblem: String? { writeFailure ?? problem }

  /// Now, in Unix milliseconds.
  var now: Int64 { Int64(clock.unixTime * 1000) }

  // MARK: Facts

  /// Runs `body` with the facts of an identity. One that nothing was stored for has none.
  func read<Value>(_ identity: Identity, _ body: (FactTables) throws -> Value) throws -> Value {
    try use { connection in
      try connection.reading {
        try CacheFile.checkVersion(of: connection)
        // No partition has the number 0.
        let partition = try partition(of: identity, connection) ?? 0
        return try body(FactTables(database: connection, partition: partition, user: identity.user, now: now))
      }
    }
  }

  /// Runs `body` with the facts of an identity in a transaction.
  func write<Value>(_ identity: Identity, _ body: (FactTables) throws -> Value) throws -> Value {
    try writing { connection in
      let partition =
        try partition(of: identity, connection)
        ?? FactTables.addPartition(of: identity, to: connection)
      return try body(FactTables(database: connection, partition: partition, user: identity.user, now: now))
    }
  }

  /// Notes what was used of an identity, of which something is stored. Call within ``writing(_:)``.
  func touch(_ used: FactReader.Used, of identity: Identity) throws {
    try use { connection in
      guard let partition = try partition(of: identity, connection) else { return }
      try FactTables(database: connection, partition: partition, user: identity.user, now: now).touch(used)
    }
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
    } catch let error as SQLiteError where error.kind == .corrupt || error.kind == .notADatabase {
      isSuspect = true
      problem = "\(error)"
      close()
      throw error
    }
  }

  private func opened() throws -> SQLiteConnection {
    if let connection, file == openFile { return connection }
    // Another process has recreated it, or a user has deleted it.
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

  /// Removes the file, which needs no space on the disk.
  ///
  /// - Throws: `reason` if another process keeps the file busy, or it cannot be removed.
  func beginAnew(because reason: any Error) throws {
    if isEnded || (reason as? SQLiteError)?.kind == .busy { throw reason }
    close()
    guard CacheFile.remove(path) else { throw reason }
    openFailure = nil
  }

  /// The file that has the path now; nil without one.
  private var file: FileID? { FileID(at: path) }

  func close() {
    connection?.close()
    connection = nil
    partitions = [:]
  }

  /// Closes the file for good.
  func end() {
    isEnded = true
    close()
  }
}

extension Error {
  /// Whether a database could not be used as a whole, whatever was to be done with it.
  var isAboutTheFile: Bool {
    switch (self as? SQLiteError)?.kind {
    case .busy, .full, .readOnly, .cannotOpen, .missingLibrary: true
    default: self is APIError
    }
  }
}
