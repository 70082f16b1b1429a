import NovaSQLite
import NovaSupport

// A damaged outbox is moved aside, and never a sound one. The file that it becomes is the only record of the damage: every
// user of the outbox reports that file until someone moves or deletes it.
extension DatabaseFiles {
  /// The report about a copy that was moved aside, for people.
  static func report(of copy: String) -> String {
    "\(origin(of: copy)) was damaged: it was moved to \(copy); the changes that could be read are in the outbox, and "
      + "others are lost; check what waits (nova outbox list --all), then move or delete that file"
  }

  /// Moves the files aside, unless another process has already done so, and opens a new database.
  ///
  /// - Parameters:
  ///   - damaged: the file whose damage was found in use; nil if opening it finds the damage.
  ///   - open: opens the database, and throws if it is damaged.
  func replace<Database>(
    _ damaged: FileID?, unixTime: Double, _ open: () throws -> Database
  ) throws -> Database {
    try repairing {
      do {
        if damaged == nil || FileID(at: path) != damaged { return try open() }
      } catch let error as SQLiteError where error.isDamage {}
      _ = try moveAside(unixTime: Int64(unixTime))
      return try open()
    }
  }
}
