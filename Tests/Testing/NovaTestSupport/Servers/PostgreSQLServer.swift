import Foundation

/// A real PostgreSQL server for tests, in a folder of its own, reachable only through a Unix socket there.
public final class PostgreSQLServer: @unchecked Sendable {
  /// The folder of the socket, the data, and the log.
  public let folder: TemporaryFolder
  /// `@unchecked`, because a test starts and stops its server in one task.
  private var process: Process?
  private let settings: [String]
  private let data: String

  /// Starts a server with the database `postgres` and the user `postgres`, and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - settings: more settings, such as `max_connections=10`.
  ///   - disk: the folder of the data, which the server's user can write, such as a small file system. Default: nil, a
  ///     folder of its own.
  public init(settings: [String] = [], disk: String? = nil) throws {
    folder = try TemporaryFolder()
    self.settings = settings
    data = "\(disk ?? folder.path)/data"
    try Self.giveAway(folder.path)
    if disk == nil {
      try ServerProgram.run("/bin/cp", ["-Rp", ClusterTemplate.data.get(), data])
    } else {
      try Self.makeCluster(data, ["--wal-segsize=1"])
    }
    try start()
  }

  deinit { kill() }

  /// The connection string of the user `postgres`.
  public var url: String { "host=\(folder.path) user=postgres dbname=postgres" }
  public var processIdentifier: Int32 { process?.processIdentifier ?? 0 }

  /// Starts the server again after ``stop()`` or ``kill()``.
  public func start() throws {
    let all =
      ["listen_addresses=", "unix_socket_directories=\(folder.path)", "fsync=off", "shared_buffers=8MB"] + settings
    process = try ServerProgram.start(
      Self.find("postgres"), ["-D", data] + all.flatMap { ["-c", $0] }, log: "\(folder.path)/log")
    for _ in 0..<6000 {
      if (try? ask("SELECT 1")) == "1" { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    throw RawServerError("PostgreSQL did not start; see \(folder.path)/log")
  }

  /// Ends the server in order, which ends the sessions.
  public func stop() { end(SIGINT) }

  /// Ends the server at once, as a loss of power does.
  public func kill() { end(SIGQUIT) }

  /// Stops all its processes without ending them, like a machine that hangs.
  public func freeze() { signalAll(SIGSTOP) }

  /// Continues after ``freeze()``.
  public func thaw() { signalAll(SIGCONT) }

  /// The first process starts the others, so it is stopped before they are listed.
  private func signalAll(_ signal: Int32) {
    guard let process, process.isRunning else { return }
    let first = process.processIdentifier
    Foundation.kill(first, signal)
    let list = try? String(contentsOfFile: "/proc/\(first)/task/\(first)/children", encoding: .utf8)
    for child in (list ?? "").split(separator: " ").compactMap({ Int32($0) }) { Foundation.kill(child, signal) }
  }

  private func end(_ signal: Int32) {
    guard let process else { return }
    thaw()
    if process.isRunning { Foundation.kill(process.processIdentifier, signal) }
    process.waitUntilExit()
    self.process = nil
  }

  /// Runs a statement with psql.
  @discardableResult public func ask(_ sql: String) throws -> String {
    try ServerProgram.run(
      Self.find("psql"), ["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", sql])
  }

  static func makeCluster(_ data: String, _ options: [String] = []) throws {
    try ServerProgram.run(
      find("initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"] + options)
  }

  static func find(_ program: String) throws -> String {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let folders = versions.sorted().reversed().map { "/usr/lib/postgresql/\($0)/bin" } + ["/usr/bin", "/usr/local/bin"]
    for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)") {
      return "\(folder)/\(program)"
    }
    throw RawServerError("\(program) is missing: apt-get install postgresql")
  }

  /// The server refuses to run as root, so then it runs as `nobody`.
  static func giveAway(_ path: String) throws {
    guard geteuid() == 0 else { return }
    if chown(path, 65_534, 65_534) != 0 { throw RawServerError("cannot change the owner of \(path)") }
  }
}

/// A cluster that servers of this process are copies of, which is faster than making each one. It goes with the process.
private enum ClusterTemplate {
  private static let folder = Result { try TemporaryFolder() }

  static let data = Result {
    let path = try folder.get().path
    atexit { try? ClusterTemplate.folder.get().remove() }
    try PostgreSQLServer.giveAway(path)
    try PostgreSQLServer.makeCluster("\(path)/data")
    return "\(path)/data"
  }
}

/// A real PgBouncer in transaction mode in front of a server.
public final class PgBouncer: Sendable {
  public let folder: TemporaryFolder
  private let process: Process

  /// Starts PgBouncer, with few connections to the server.
  public init(_ server: PostgreSQLServer) throws {
    folder = try TemporaryFolder()
    _ = try folder.write("\"postgres\" \"\"\n", to: "users")
    let configuration = try folder.write(
      """
      [databases]
      postgres = host=\(server.folder.path) user=postgres dbname=postgres
      [pgbouncer]
      listen_addr =
      listen_port = 6432
      unix_socket_dir = \(folder.path)
      auth_type = any
      auth_file = \(folder.path)/users
      pool_mode = transaction
      default_pool_size = 2
      server_login_retry = 1
      logfile = \(folder.path)/log
      """, to: "pgbouncer.ini")
    for path in [folder.path, configuration, "\(folder.path)/users"] { try PostgreSQLServer.giveAway(path) }
    process = try ServerProgram.start("/usr/sbin/pgbouncer", [configuration], log: "/dev/null")
    // The file of the socket is there before it accepts connections.
    for _ in 0..<3000 {
      let query = ["-X", "-d", url, "-c", "SELECT 1"]
      if (try? ServerProgram.run(PostgreSQLServer.find("psql"), query)) != nil { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  deinit {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  public var url: String { "host=\(folder.path) port=6432 user=postgres dbname=postgres" }
}

enum ServerProgram {
  /// As `nobody` when the tests run as root, with the signals of a new program.
  static func start(_ program: String, _ arguments: [String], log: String) throws -> Process {
    let process = Process()
    let all = [program] + arguments
    if geteuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"] + all
    } else {
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
    }
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.environment = ["LC_ALL": "C", "PATH": "/usr/bin:/bin"]
    if log != "/dev/null" { _ = FileManager.default.createFile(atPath: log, contents: nil) }
    let output = FileHandle(forWritingAtPath: log) ?? FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    return process
  }

  @discardableResult static func run(_ program: String, _ arguments: [String]) throws -> String {
    let log = FileManager.default.temporaryDirectory.appending(path: "nova-output-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: log) }
    let process = try start(program, arguments, log: log)
    process.waitUntilExit()
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    guard process.terminationStatus == 0 else { throw RawServerError("\(program) failed: \(text)") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
