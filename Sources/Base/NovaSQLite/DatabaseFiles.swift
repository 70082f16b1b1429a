import NovaLibc
import NovaSupport

/// The files of a database: its main file, and the log and index that SQLite keeps next to it. For repairing damaged
/// databases.
package struct DatabaseFiles: Sendable {
  private static let mark = ".corrupt-"
  /// The log first: with the old log, a new database would be damaged, too.
  private static let suffixes = ["-wal", "-shm", ""]

  /// The path of the database.
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Runs `body` while no other process repairs the database.
  ///
  /// - Throws: ``SQLiteError``; what `body` throws.
  package func repairing<Value>(_ body: () throws -> Value) throws -> Value {
    let lockPath = "\(path)-repair"
    let lock: FileLock
    do { lock = try FileLock(waitingFor: lockPath) } catch { throw SQLiteError(error, path: lockPath) }
    defer { lock.unlock() }
    return try body()
  }

  /// Renames the files to a name that contains the time.
  ///
  /// - Returns: the path of the copy.
  package func moveAside(unixTime: Int64) throws(SQLiteError) -> String {
    var copy = "\(path)\(Self.mark)\(unixTime)"
    while SystemIO.exists(copy) { copy += "-2" }
    for suffix in Self.suffixes where rename(path + suffix, copy + suffix) != 0 && errno != ENOENT {
      throw SQLiteError(
        .cannotOpen, "it is damaged, and cannot be moved away (\(SystemError.last.reason))", path: path)
    }
    return copy
  }

  /// The paths of the renamed databases that still exist, oldest first.
  package var copies: [String] {
    let prefix = "\(path.lastPathPart)\(Self.mark)"
    let directory = String(decoding: path.utf8.dropLast(path.lastPathPart.utf8.count), as: UTF8.self)
    let names = SystemIO.fileNames(in: path.parentPath).filter { name in
      // Excludes logs of copies, and files left by a salvage.
      name.hasPrefix(prefix) && name.dropFirst(prefix.count).split(separator: "-").allSatisfy { Int($0) != nil }
    }
    return names.sorted().map { directory + $0 }
  }

  /// The original path of a renamed database.
  package static func origin(of copy: String) -> String {
    copy.ranges(of: mark).last.map { String(copy[..<$0.lowerBound]) } ?? copy
  }

  /// Removes the files.
  ///
  /// - Returns: whether the database no longer exists.
  @discardableResult package func remove() -> Bool {
    for suffix in Self.suffixes where !suffix.isEmpty { unlink(path + suffix) }
    return unlink(path) == 0 || errno == ENOENT
  }
}

extension SQLiteError {
  /// Whether the file itself is damaged.
  package var isDamage: Bool { kind == .corrupt || kind == .notADatabase }
}
