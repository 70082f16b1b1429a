import NovaSupport
import NovaTestSupport
import Testing

@Suite struct FileLockTests {
  @Test func itIsHeldOnceAtATime() throws {
    let directory = try TemporaryFolder()
    let path = "\(directory.path)/lock"
    let first = try #require(try FileLock(acquiring: path))
    #expect(try FileLock(acquiring: path) == nil)
    first.unlock()
    let second = try FileLock(waitingFor: path)
    #expect(try FileLock(acquiring: path) == nil)
    second.unlock()
  }

  @Test func aPlaceThatCannotBeLockedIsAnError() throws {
    let directory = try TemporaryFolder()
    #expect(throws: SystemError.self) { try FileLock(acquiring: "\(directory.path)/missing/lock") }
    #expect(throws: SystemError.self) { try FileLock(waitingFor: directory.path) }
  }
}
