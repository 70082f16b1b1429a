import Foundation
import NovaSupport
import Testing

@Suite struct SystemIOTests {
  /// A pipe accepts 64 KiB at a time, so all of these need several calls.
  @Test func allOfItArrives() async throws {
    let pipe = RawPipe()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    async let written = BlockingWork.run {
      defer { pipe.closeEntrance() }
      return Result { try SystemIO.write(bytes, to: pipe.entrance) }
    }
    async let read = BlockingWork.run { Result { try SystemIO.readAll(pipe.exit) } }
    #expect(try await read.get() == bytes)
    try await written.get()
    pipe.closeExit()
  }

  /// Programs that share the descriptor leave it in this state: node, ssh, and the runners of CI systems.
  @Test(arguments: [true, false], [true, false])
  func descriptorsThatDoNotBlockAreWaitedFor(reading: Bool, writing: Bool) async throws {
    let pipe = RawPipe()
    for (isMeant, descriptor) in [(reading, pipe.exit), (writing, pipe.entrance)] where isMeant {
      #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
    }
    let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    async let read = BlockingWork.run { Result { try SystemIO.readAll(pipe.exit) } }
    async let written = BlockingWork.run {
      defer { pipe.closeEntrance() }
      return Result { try SystemIO.write(bytes, to: pipe.entrance) }
    }
    try await written.get()
    #expect(try await read.get() == bytes)
    pipe.closeExit()
  }

  @Test func aReaderThatGoesEndsTheWait() async throws {
    let pipe = RawPipe()
    #expect(fcntl(pipe.entrance, F_SETFL, O_NONBLOCK) == 0)
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    async let written = BlockingWork.run {
      Result { try SystemIO.write([UInt8](repeating: 0, count: 500_000), to: pipe.entrance) }
    }
    let first = await BlockingWork.run { Result { try SystemIO.read(pipe.exit, atMost: 10) } }
    pipe.closeExit()
    #expect(try first.get().count == 10)
    let result = await written
    #expect(throws: SystemError(code: EPIPE)) { try result.get() }
    pipe.closeEntrance()
  }

  @Test func piecesAreAsLongAsWhatThereIs() throws {
    let pipe = try RawPipe(holding: "abcde")
    #expect(try SystemIO.read(pipe.exit, atMost: 3) == Array("abc".utf8))
    #expect(try SystemIO.read(pipe.exit, atMost: 3) == Array("de".utf8))
    #expect(try SystemIO.read(pipe.exit, atMost: 3).isEmpty)
    pipe.closeExit()
  }

  @Test(arguments: [(4, false), (5, true), (6, true)])
  func moreThanTheLimitIsNothing(_ limit: Int, _ isRead: Bool) throws {
    let pipe = try RawPipe(holding: "abcde")
    #expect(try SystemIO.readAll(pipe.exit, limit: limit) == (isRead ? Array("abcde".utf8) : nil))
    pipe.closeExit()
  }

  @Test func failuresAreInTheSystemsWords() throws {
    #expect(SystemError(code: ENOENT).reason == "No such file or directory")
    #expect(throws: SystemError(code: EBADF)) { try SystemIO.write([1], to: -1) }
    #expect(throws: SystemError(code: EBADF)) { _ = try SystemIO.readAll(-1) }
    #expect(throws: SystemError(code: ENOENT)) { try SystemIO.synchronizeDirectory("/does/not/exist") }
    #expect(throws: SystemError(code: ENOTDIR)) { try SystemIO.synchronizeDirectory("/dev/null") }
    #if os(Linux)
      let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
      #expect(throws: SystemError(code: ENOSPC)) { try SystemIO.write([1], to: full) }
      close(full)
    #endif
  }

  /// A child process has a copy of every descriptor until it executes its program.
  @Test func aLockEndsAlsoWhileThereAreCopiesOfItsDescriptor() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID().uuidString)").path
    let first = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { unlink(path) }
    #expect(try SystemIO.lock(first))
    let copy = dup(first)
    let second = open(path, O_RDWR | O_CLOEXEC)
    #expect(try !SystemIO.lock(second))
    SystemIO.unlockAndClose(first)
    #expect(try SystemIO.lock(second))
    SystemIO.unlockAndClose(second)
    close(copy)
  }

  /// Pipes cannot be synchronized, and need not be.
  @Test func whatCannotBeSynchronisedNeedNotBe() throws {
    let pipe = RawPipe()
    try SystemIO.synchronize(pipe.entrance)
    pipe.closeEntrance()
    pipe.closeExit()
  }
}

/// A pipe whose ends are closed only when the test says so.
private struct RawPipe: Sendable {
  let exit: Int32
  let entrance: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    (exit, entrance) = (ends[0], ends[1])
  }

  init(holding text: String) throws {
    self.init()
    try SystemIO.write(Array(text.utf8), to: entrance)
    closeEntrance()
  }

  func closeEntrance() { close(entrance) }
  func closeExit() { close(exit) }
}
