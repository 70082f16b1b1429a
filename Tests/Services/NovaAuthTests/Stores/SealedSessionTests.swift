import Testing

@testable import NovaAuth

@Suite struct SealedSessionTests {
  /// Whatever stands where a version would: it is no session, and not one of a newer program.
  @Test(arguments: [0, 45, 100, 1000])
  func anotherFileIsNoSession(count: Int) {
    let error = #expect(throws: SessionStoreError.self) {
      try SealedSession.open(
        [UInt8](repeating: 0x78, count: count), key: [UInt8](repeating: 7, count: 32), path: "path")
    }
    #expect(error?.kind == .damaged)
  }
}
