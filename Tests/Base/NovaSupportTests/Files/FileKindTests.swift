import Foundation
import NovaSupport
import Testing

/// What can be in the place of a file.
@Suite(.timeLimit(.minutes(1))) struct FileKindTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID().uuidString)").path

  init() throws { try PrivateDirectory.create(folder) }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Without a writer, opening a pipe would wait forever.
  @Test func onlyWhoExpectsAPipeWaitsForOne() async throws {
    defer { remove() }
    let path = "\(folder)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    for kind in [SystemIO.FileKind.regular, .own] {
      #expect(throws: SystemError.notRegularFile) { try SystemIO.readFile(path, kind) }
      #expect(SystemIO.problem(reading: path, kind) == "not a regular file")
    }
    #expect(SystemIO.problem(reading: path) == nil)
    async let written = BlockingWork.run {
      Result {
        let entrance = open(path, O_WRONLY)
        defer { close(entrance) }
        try SystemIO.write([1, 2, 3], to: entrance)
      }
    }
    async let read = BlockingWork.run { Result { try SystemIO.readFile(path, .any) } }
    #expect(try await read.get() == [1, 2, 3])
    try await written.get()
  }

  /// What a library opens and reads to its end.
  @Test func whatMayNotEndIsNotLeftToALibrary() throws {
    defer { remove() }
    let path = "\(folder)/pipe"
    #expect(mkfifo(path, 0o600) == 0 && symlink(path, "\(folder)/link") == 0)
    let named = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(named) }
    for path in [path, "\(folder)/link", "/dev/fd/\(named)", "/dev/zero", "/dev/urandom", "/dev/full"] {
      #expect(SystemIO.problem(reading: path, .ending) == "not a regular file", "\(path)")
      #expect(throws: SystemError.notRegularFile) { try SystemIO.readFile(path, .ending) }
    }
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    var file = try AtomicFile(for: "\(folder)/file")
    try file.publish()
    for path in ["/dev/fd/\(ends[0])", "/dev/null", "\(folder)/file", folder] {
      #expect(SystemIO.problem(reading: path, .ending) == nil, "\(path)")
    }
    #expect(SystemIO.problem(reading: "\(folder)/nothing", .ending) == "No such file or directory")
  }

  @Test func otherThingsAreNoFiles() throws {
    defer { remove() }
    #expect(throws: SystemError(code: EISDIR)) { try SystemIO.readFile(folder) }
    #expect(throws: SystemError.notRegularFile) { try SystemIO.readFile("/dev/null") }
    #expect(try SystemIO.readFile("/dev/null", .any) == [])
    var file = try AtomicFile(for: "\(folder)/file")
    try file.publish()
    #expect(symlink("\(folder)/file", "\(folder)/link") == 0)
    #expect(try SystemIO.readFile("\(folder)/link") == [])
    #expect(throws: SystemError(code: ELOOP)) { try SystemIO.readFile("\(folder)/link", .own) }
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o666, 0o755] as [mode_t])
  func aReplacedFileKeepsItsPermissions(_ mode: mode_t) throws {
    defer { remove() }
    let path = "\(folder)/file"
    for _ in 0..<2 {
      var file = try AtomicFile(for: path)
      try file.publish()
      _ = chmod(path, mode)
    }
    var status = stat()
    var next = try AtomicFile(for: path)
    // Users who may not read the file must not be able to read the new one while it is written.
    #expect(fstat(next.descriptor, &status) == 0 && status.st_mode & 0o777 == 0o600)
    try next.publish()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode)
    // A private file stays private, whatever was there before.
    var secret = try AtomicFile(for: path, mode: 0o600)
    try secret.publish()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: [0o777, 0o757, 0o702] as [mode_t])
  func othersLoseTheirWritePermissionInAPrivateDirectory(_ mode: mode_t) throws {
    defer { remove() }
    let path = "\(folder)/a/b"
    try PrivateDirectory.create(path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    _ = chmod(path, mode)
    try PrivateDirectory.create(path, isDurable: true)
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode & 0o755)
    #expect(throws: SystemError(code: ENOTDIR)) { try PrivateDirectory.require("/dev/null") }
  }

  @Test(.enabled(if: geteuid() == 0)) func whatBelongsToAnotherUserIsNotUsed() throws {
    defer { remove() }
    let path = "\(folder)/dir"
    try PrivateDirectory.create(path)
    var file = try AtomicFile(for: "\(path)/file")
    try file.publish()
    #expect(chown("\(path)/file", 65_534, 65_534) == 0 && chown(path, 65_534, 65_534) == 0)
    #expect(throws: SystemError.foreignFile) { try PrivateDirectory.create(path) }
    #expect(throws: SystemError.foreignFile) { try SystemIO.readFile("\(path)/file", .own) }
    #expect(try SystemIO.readFile("\(path)/file") == [])
  }
}
