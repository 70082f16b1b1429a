import NovaLibc
import NovaSQLite
import NovaTestSupport
import Testing

@Suite struct SQLiteConnectionTests {
  private let folder: DatabaseFolder

  init() throws { folder = try DatabaseFolder() }

  private func settings(_ connection: SQLiteConnection) throws -> [String: String] {
    var settings: [String: String] = [:]
    for name in ["journal_mode", "synchronous", "foreign_keys", "auto_vacuum", "busy_timeout"] {
      settings[name] = try connection.statement("PRAGMA \(name)").firstRow { $0.text(0) }
    }
    return settings
  }

  @Test func settingsAreThoseThatWereAskedFor() throws {
    let normal = try SQLiteConnection(opening: folder.path)
    var expected = [
      "journal_mode": "wal", "synchronous": "1", "foreign_keys": "1", "auto_vacuum": "2", "busy_timeout": "5000",
    ]
    #expect(try settings(normal) == expected)
    let full = try SQLiteConnection(opening: folder.path, durability: .full, busyTimeout: .milliseconds(1234))
    expected["synchronous"] = "2"
    expected["busy_timeout"] = "1234"
    #expect(try settings(full) == expected)
  }

  @Test func filesArePrivate() throws {
    let connection = try folder.openWithTable()
    for suffix in ["", "-wal", "-shm"] {
      #expect(DatabaseFolder.status(folder.path + suffix)?.mode == 0o600, "\(suffix)")
    }
    for suffix in ["", "-wal", "-shm"] { chmod(folder.path + suffix, 0o644) }
    _ = try folder.open()
    for suffix in ["", "-wal", "-shm"] {
      #expect(DatabaseFolder.status(folder.path + suffix)?.mode == 0o600, "\(suffix)")
    }
    connection.close()
  }

  @Test func theUserVersionIsKept() throws {
    #expect(try folder.open().userVersion() == 0)
    for version in [1, Int(Int32.max), Int(Int32.min)] {
      try folder.open().setUserVersion(version)
      #expect(try folder.open().userVersion() == version)
    }
    let connection = try folder.open()
    #expect(throws: SQLiteError.self) { try connection.setUserVersion(1 << 31) }
  }

  @Test func theFileShrinks() throws {
    let connection = try folder.openWithTable()
    try connection.transaction {
      for _ in 0..<50 {
        try connection.statement("INSERT INTO t (v) VALUES (?)").bind([UInt8](repeating: 1, count: 100_000)).run()
      }
    }
    let full = try connection.size()
    #expect(full.used > 5_000_000 && full.used == full.file)
    try connection.execute("DELETE FROM t")
    let deleted = try connection.size()
    #expect(deleted.used < 100_000 && deleted.file == full.file)
    try connection.shrink()
    let size = try connection.size()
    #expect(size.used == size.file && size.used <= deleted.used)
    #expect(DatabaseFolder.status(folder.path)?.size == size.file)
    #expect(DatabaseFolder.status("\(folder.path)-wal")?.size == 0)
  }

  @Test func namesAreNotReadAsAnythingElse() throws {
    for name in [":memory:", "file:x?mode=memory", "with space?#%41"] {
      let path = "\(folder.directory)/\(name)"
      try SQLiteConnection(opening: path).execute("CREATE TABLE t (n)")
      #expect(DatabaseFolder.status(path) != nil, "\(name)")
    }
  }

  @Test func ownSettingsArePossible() throws {
    let connection = try SQLiteConnection(
      path: folder.path, configuration: "PRAGMA journal_mode=OFF; CREATE TABLE t (n)")
    #expect(try settings(connection)["journal_mode"] == "off")
    #expect(throws: SQLiteError.self) { try SQLiteConnection(path: folder.path, configuration: "PRAGMA x; nonsense") }
  }

  // MARK: What cannot be opened

  @Test func onlyRegularFilesAreOpened() throws {
    let real = "\(folder.directory)/real.db"
    try SQLiteConnection(opening: real).close()
    symlink(real, "\(folder.directory)/link.db")
    symlink("\(folder.directory)/nowhere", "\(folder.directory)/dangling.db")
    mkfifo("\(folder.directory)/pipe.db", 0o600)
    for (name, reason) in [
      ("", "it is a directory"), ("link.db", "it is a symbolic link"), ("dangling.db", "it is a symbolic link"),
      ("pipe.db", "it is not a regular file"), ("missing/x.db", "No such file or directory"),
      ("real.db/x.db", "Not a directory"), ("a\u{0}b", "it is not the path of a file"),
    ] {
      let path = "\(folder.directory)/\(name)"
      let error = #expect(throws: SQLiteError.self, "\(name)") { try SQLiteConnection(opening: path) }
      #expect(error == SQLiteError(.cannotOpen, reason, path: path))
      #expect(error?.description == "cannot use \(path): \(reason); check the path and its permissions")
    }
    #expect(throws: SQLiteError(.cannotOpen, "it is not the path of a file", path: "")) {
      try SQLiteConnection(opening: "")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away")) func filesOfOthersAreRefused() throws {
    try folder.open().close()
    chown(folder.path, 4321, 4321)
    let error = #expect(throws: SQLiteError.self) { try folder.open() }
    #expect(error?.message == "it belongs to another user")
  }

  @Test(arguments: [2, 10, 5000])
  func otherFilesAreNotDatabases(_ count: Int) throws {
    let bytes = [UInt8](repeating: 0x41, count: count)
    try folder.write(bytes)
    let error = #expect(throws: SQLiteError.self) { try folder.open() }
    #expect(error?.kind == .notADatabase)
    #expect(
      error?.description == "cannot use \(folder.path): file is not a database; delete the file or use another path")
    #expect(DatabaseFolder.status(folder.path)?.size == count)
  }

  @Test func damagedPagesAreNoticed() throws {
    do {
      let connection = try folder.openWithTable()
      try connection.transaction { for number in 0..<5000 { try connection.insert(number) } }
      connection.close()
    }
    let size = try #require(DatabaseFolder.status(folder.path)).size
    let descriptor = open(folder.path, O_WRONLY)
    let damage = [UInt8](repeating: 0x5A, count: size - 4096)
    #expect(pwrite(descriptor, damage, damage.count, 4096) == damage.count)
    close(descriptor)
    let connection = try folder.open()
    #expect(try errorKind { _ = try connection.rowCount } == .corrupt)
  }

  @Test(.disabled(if: Sanitizer.watchesThreads, "the thread sanitizer writes a file of its own, and dies of the limit"))
  func aFullDiskIsAnError() async throws {
    let path = folder.path
    try folder.openWithTable().close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
      #if canImport(Glibc)
        let file = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
        let file = RLIMIT_FSIZE
      #endif
      try #require(setrlimit(file, &limit) == 0)
      let connection = try SQLiteConnection(opening: path)
      try connection.insert(1)
      let error = try #require(throws: SQLiteError.self) {
        try connection.transaction {
          let blob = [UInt8](repeating: 7, count: 500_000)
          try connection.statement("INSERT INTO t (v) VALUES (?)").bind(blob).run()
        }
      }
      try #require(error.kind == .full, "\(error)")
      try #require(error.description.hasSuffix("; free some space"), "\(error)")
      try connection.insert(2)
      try #require(try connection.rowCount == 2)
    }
    #expect(try folder.open().rowCount == 2)
  }

  /// Runs in another process, because root can write everywhere.
  @Test func permissionsAreErrors() async throws {
    chmod(folder.directory, 0o777)
    await #expect(processExitsWith: .success) { [directory = folder.directory as String] in
      if geteuid() == 0 { try #require(setuid(65_534) == 0) }
      let folder = "\(directory)/own"
      let path = "\(folder)/data.db"
      try #require(mkdir(folder, 0o700) == 0)
      try SQLiteConnection(opening: path).execute("CREATE TABLE t (n)")
      chmod(path, 0o400)
      try #require(
        try errorKind { try SQLiteConnection(opening: path).execute("INSERT INTO t VALUES (1)") } == .readOnly)
      chmod(path, 0o600)
      chmod(folder, 0o500)
      let kind = try errorKind { try SQLiteConnection(opening: path).execute("INSERT INTO t VALUES (1)") }
      try #require(kind == .cannotOpen || kind == .readOnly, "\(String(describing: kind))")
      try #require(try errorKind { _ = try SQLiteConnection(opening: "\(folder)/new.db") } == .cannotOpen)
      chmod(folder, 0o700)
    }
  }
}
