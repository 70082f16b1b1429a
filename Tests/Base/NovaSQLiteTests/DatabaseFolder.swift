import NovaLibc
import NovaSQLite
import NovaTestSupport

/// A folder with one database. It is removed with the value.
final class DatabaseFolder: Sendable {
  private let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/data.db"
  }

  var directory: String { folder.path }

  func open(busyTimeout: Duration = .seconds(60)) throws -> SQLiteConnection {
    try SQLiteConnection(opening: path, busyTimeout: busyTimeout)
  }

  /// The database with a table `t (n INTEGER UNIQUE, v)`.
  func openWithTable(busyTimeout: Duration = .seconds(60)) throws -> SQLiteConnection {
    let connection = try open(busyTimeout: busyTimeout)
    try connection.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER UNIQUE, v)")
    return connection
  }

  func write(_ bytes: [UInt8]) throws { _ = try folder.write(bytes, to: "data.db") }

  /// The permissions and the size of a file; nil if it does not exist.
  static func status(_ path: String) -> (mode: UInt32, size: Int)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return (UInt32(status.st_mode & 0o777), Int(status.st_size))
  }
}

extension SQLiteConnection {
  /// The value of the only column in the only row.
  func number(_ sql: String) throws -> Int { try statement(sql).firstRow { $0.int(0) } ?? -1 }

  func insert(_ numbers: Int...) throws {
    let insertion = try statement("INSERT INTO t (n) VALUES (?)")
    for number in numbers { try insertion.bind(number).run() }
  }

  var rowCount: Int { get throws { try number("SELECT count(*) FROM t") } }
}

/// The kind of the error that `body` throws; nil if it succeeds.
func errorKind(_ body: () throws -> Void) throws -> SQLiteError.Kind? {
  do {
    try body()
    return nil
  } catch let error as SQLiteError {
    return error.kind
  }
}

struct Stop: Error {}
