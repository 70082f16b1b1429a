import CNovaSQLite
import NovaLibc
package import NovaSupport

/// The reason why a database operation failed. Never contains a value that was bound or read.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
  /// The kind of failure, which a program can react to.
  package enum Kind: Hashable, Sendable {
    /// SQLite is not installed, or too old.
    case missingLibrary
    /// Another connection kept its lock for longer than the timeout.
    case busy
    /// The disk is full, or a quota or file size limit was reached.
    case full
    /// The file or its directory cannot be written.
    case readOnly
    /// The directory does not exist, permission is missing, or the path is not a private regular file.
    case cannotOpen
    /// Pages of the file contradict each other.
    case corrupt
    /// The file is not a database.
    case notADatabase
    /// An input/output error.
    case input
    /// A UNIQUE, NOT NULL, CHECK, or FOREIGN KEY constraint was violated.
    case constraint
    /// Any other failure, for example invalid SQL or a closed connection.
    case other
  }

  package var kind: Kind
  /// The reason, from SQLite or the system.
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
    // The messages of these two already say what to do.
    case .missingLibrary, .other: nil
    }
  }
}

extension SQLiteError {
  /// Creates the error for a file that the system rejects.
  package init(_ error: SystemError, path: String) {
    let kind: Kind =
      switch error.code {
      case EROFS: .readOnly
      case EIO: .input
      default: Self.isFull(error) ? .full : .cannotOpen
      }
    self.init(kind, error.reason, path: path)
  }

  /// Creates the error for a result code of an open database.
  init(code: Int32, of database: UnsafeMutableRawPointer, path: String) {
    let primary = Int(code & 0xFF)
    let system = SystemError(code: nova_sqlite_system_error(database))
    let hasSystemError = [NOVA_SQLITE_IOERR, NOVA_SQLITE_CANTOPEN].contains(primary) && system.code != 0
    let kind = hasSystemError && Self.isFull(system) ? .full : Self.kind(primary)
    let message = hasSystemError ? system.reason : String(cString: nova_sqlite_message(database))
    self.init(kind, message, path: path)
  }

  /// Creates the error for an invalid use.
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
