import CNovaSQLite
package import NovaSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why a database could not be used. Never holds a value that was bound or read.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// What a program can react to.
  package enum Kind: Hashable, Sendable {
    /// SQLite is not installed, or too old.
    case missingLibrary
    /// Another connection kept its lock for longer than the timeout.
    case busy
    /// The disk, a quota, or the limit for the size of files is used up.
    case full
    /// The file or its directory cannot be written.
    case readOnly
    /// There is no such directory, no permission, or something that is not a private regular file.
    case cannotOpen
    /// Pages of the file contradict each other.
    case corrupt
    /// The file holds something else.
    case notADatabase
    /// Reading or writing failed: an input/output error.
    case input
    /// A UNIQUE, NOT NULL, CHECK, or FOREIGN KEY constraint.
    case constraint
    /// For example invalid SQL, or a connection that is closed.
    case other
  }

  package var kind: Kind
  /// Why, in the words of SQLite or the system.
  package var message: String
  /// The path of the database.
  package var path: String

  package init(_ kind: Kind, _ message: String, path: String) {
    self.kind = kind
    self.message = message
    self.path = path
  }

  package var description: String {
    "cannot use \(path): \(message)\(advice.map { "; \($0)" } ?? "")"
  }

  private var advice: String? {
    switch kind {
    case .busy: "another connection is writing, try again later"
    case .full: "free some space"
    case .readOnly: "make the file and its directory writable"
    case .cannotOpen: "check the path and its permissions"
    case .corrupt: "delete the file or restore a copy of it"
    case .notADatabase: "delete the file or use another path"
    case .input: "check the disk"
    case .constraint: "change the values"
    // The messages of these two contain what to do.
    case .missingLibrary, .other: nil
    }
  }
}

extension SQLiteError {
  /// The error of a file that the system refuses, before SQLite has it or beside it.
  package init(_ error: SystemError, path: String) {
    let kind: Kind =
      switch error.code {
      case EROFS: .readOnly
      case EIO: .input
      default: Self.isFull(error) ? .full : .cannotOpen
      }
    self.init(kind, error.reason, path: path)
  }

  /// A result of SQLite for an open database.
  init(code: Int32, of database: UnsafeMutableRawPointer, path: String) {
    let primary = Int(code & 0xFF)
    let system = SystemError(code: nova_sqlite_system_error(database))
    let hasSystemError = [NOVA_SQLITE_IOERR, NOVA_SQLITE_CANTOPEN].contains(primary) && system.code != 0
    let kind = hasSystemError && Self.isFull(system) ? .full : Self.kind(primary)
    let message = hasSystemError ? system.reason : String(cString: nova_sqlite_message(database))
    self.init(kind, message, path: path)
  }

  /// A use that SQLite does not allow.
  static func misuse(_ message: String, path: String) -> SQLiteError { SQLiteError(.other, message, path: path) }

  private static func kind(_ primary: Int) -> Kind {
    switch primary {
    case NOVA_SQLITE_BUSY, NOVA_SQLITE_PROTOCOL: .busy
    case NOVA_SQLITE_FULL: .full
    case NOVA_SQLITE_READONLY: .readOnly
    case NOVA_SQLITE_CANTOPEN: .cannotOpen
    case NOVA_SQLITE_CORRUPT: .corrupt
    case NOVA_SQLITE_NOTADB: .notADatabase
    case NOVA_SQLITE_IOERR: .input
    case NOVA_SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }

  private static func isFull(_ error: SystemError) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(error.code) }
}
