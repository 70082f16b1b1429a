import NovaSQLite
import NovaSupport

/// Moves a damaged outbox aside, and never a sound one. The file that it becomes is the only record of the damage:
/// every user of the outbox reports that file until someone moves or deletes it.
struct DamagedFile {
  private static let mark = ".corrupt-"

  let path: String

  init(_ path: String) { self.path = path }

  /// The paths of the damaged files that were moved aside and are still there, oldest first.
  var copies: [String] {
    let prefix = "\(path.lastPathPart)\(Self.mark)"
    let directory = String(decoding: path.utf8.dropLast(path.lastPathPart.utf8.count), as: UTF8.self)
    let names = SystemIO.fileNames(in: path.parentPath).filter { name in
      // Neither the log of a copy, nor what a salvage has left.
      name.hasPrefix(prefix) && name.dropFirst(prefix.count).split(separator: "-").allSatisfy { Int($0) != nil }
    }
    return names.sorted().map { directory + $0 }
  }

  /// The report about a copy, for people.
  static func sentence(_ copy: String) -> String {
    let path = copy.ranges(of: mark).last.map { String(copy[..<$0.lowerBound]) } ?? copy
    return
      "\(path) was damaged: it was moved to \(copy); the changes that could be read are in the outbox, and others are "
      + "lost; check what waits (nova outbox list --all), then move or delete that file"
  }

  /// Moves the file and its log, unless another process has already done so, and opens a new one.
  ///
  /// - Parameters:
  ///   - damaged: the file whose damage was found in use; nil if opening it finds the damage.
  ///   - open: opens the database, and throws if it is damaged.
  func replace<Database>(
    _ damaged: FileID?, unixTime: Double, _ open: () throws -> Database
  ) throws -> Database {
    try locked {
      do {
        if damaged == nil || FileID(at: path) != damaged { return try open() }
      } catch let error as SQLiteError where error.isDamage {}
      try moveAside(unixTime: unixTime)
      return try open()
    }
  }

  /// Runs `body` while no other process moves or salvages a file.
  func locked<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try FileLock(waitingFor: "\(path)-repair")
    defer { lock.unlock() }
    return try body()
  }

  private func moveAside(unixTime: Double) throws {
    var copy = "\(path)\(Self.mark)\(Int64(unixTime))"
    while SystemIO.exists(copy) { copy += "-2" }
    // The log first: it would damage the new database, too.
    for suffix in ["-wal", "-shm", ""] where SystemIO.exists(path + suffix) {
      guard rename(path + suffix, copy + suffix) == 0 else {
        throw SQLiteError(
          .cannotOpen, "it is damaged, and cannot be moved away (\(SystemError.last.reason))", path: path)
      }
    }
  }
}
