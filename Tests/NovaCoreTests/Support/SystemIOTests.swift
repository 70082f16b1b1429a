import Foundation
import NovaCore
import Testing

@Suite struct SystemIOTests {
  /// A pipe takes 64 KiB at a time, so everything needs several calls.
  @Test func allOfItArrives() async throws {
    let pipe = Pipe()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let writer = Task.detached {
      try SystemIO.write(bytes, to: pipe.fileHandleForWriting.fileDescriptor)
      try pipe.fileHandleForWriting.close()
    }
    let read = try SystemIO.readAll(pipe.fileHandleForReading.fileDescriptor)
    try await writer.value
    #expect(read == bytes)
  }

  @Test func piecesAreAsLongAsWhatThereIs() throws {
    let pipe = try filled("abcde")
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(try SystemIO.read(descriptor, atMost: 3) == Array("abc".utf8))
    #expect(try SystemIO.read(descriptor, atMost: 3) == Array("de".utf8))
    #expect(try SystemIO.read(descriptor, atMost: 3).isEmpty)
  }

  @Test(arguments: [(4, false), (5, true), (6, true)])
  func moreThanTheLimitIsNothing(_ limit: Int, _ isRead: Bool) throws {
    let pipe = try filled("abcde")
    let bytes = try SystemIO.readAll(pipe.fileHandleForReading.fileDescriptor, limit: limit)
    #expect(bytes == (isRead ? Array("abcde".utf8) : nil))
  }

  @Test func failuresAreInTheSystemsWords() throws {
    #expect(SystemError(code: ENOENT).reason == "No such file or directory")
    #expect(throws: SystemError(code: EBADF)) { try SystemIO.write([1], to: -1) }
    #expect(throws: SystemError(code: EBADF)) { _ = try SystemIO.readAll(-1) }
    #expect(throws: SystemError(code: ENOENT)) { try SystemIO.synchronizeDirectory("/does/not/exist") }
    #expect(throws: SystemError(code: ENOTDIR)) { try SystemIO.synchronizeDirectory("/dev/null") }
    #if os(Linux)
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      #expect(throws: SystemError(code: ENOSPC)) { try SystemIO.write([1], to: full.fileDescriptor) }
    #endif
  }

  /// Pipes cannot be synchronised, and need not be.
  @Test func whatCannotBeSynchronisedNeedNotBe() throws {
    try SystemIO.synchronize(Pipe().fileHandleForWriting.fileDescriptor)
  }

  private func filled(_ text: String) throws -> Pipe {
    let pipe = Pipe()
    try SystemIO.write(Array(text.utf8), to: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    return pipe
  }
}
