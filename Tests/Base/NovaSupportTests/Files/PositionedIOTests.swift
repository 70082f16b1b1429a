import NovaLibc
import NovaSupport
import Testing

@Suite struct PositionedIOTests {
  @Test func bytesStayWhereTheyAreWritten() throws {
    let file = tmpfile()!
    defer { fclose(file) }
    let descriptor = fileno(file)
    try Array("world".utf8).withUnsafeBytes { try SystemIO.write($0, to: descriptor, at: 6) }
    try Array("hello ".utf8).withUnsafeBytes { try SystemIO.write($0, to: descriptor, at: 0) }
    #expect(try SystemIO.read(descriptor, at: 0, count: 11) == Array("hello world".utf8))
    #expect(try SystemIO.read(descriptor, at: 6, count: 2) == Array("wo".utf8))
    #expect(try SystemIO.status(of: descriptor).st_size == 11)
  }

  @Test func theEndOfAFileEndsARead() throws {
    let file = tmpfile()!
    defer { fclose(file) }
    let descriptor = fileno(file)
    try Array("abc".utf8).withUnsafeBytes { try SystemIO.write($0, to: descriptor, at: 0) }
    #expect(try SystemIO.read(descriptor, at: 1, count: 10) == Array("bc".utf8))
    #expect(try SystemIO.read(descriptor, at: 3, count: 10).isEmpty)
  }

  @Test func aClosedDescriptorIsAnError() {
    #expect(throws: SystemError(code: EBADF)) { try SystemIO.read(-1, at: 0, count: 1) }
    #expect(throws: SystemError(code: EBADF)) { try SystemIO.status(of: -1) }
  }
}
