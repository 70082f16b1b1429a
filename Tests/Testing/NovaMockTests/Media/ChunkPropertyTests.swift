import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct ChunkPropertyTests {
  /// Chunks of random sizes, some at a wrong place, some damaged on the way, by a client that heeds the answers.
  @Test(arguments: UInt64(0)..<40)
  func anyWayOfSendingEndsInTheSameBytes(seed: UInt64) async throws {
    let mock = MockCaller()
    var random = SeededGenerator(seed: seed)
    let file = (0..<Int.random(in: 1...5000, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let path = try mock.startUpload(file.count).uploadUrl
    var stored = 0
    while stored < file.count {
      let first =
        Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: 0...file.count - 1, using: &random) : stored
      let range = first..<Int.random(in: first + 1...file.count, using: &random)
      let isDamaged = Int.random(in: 0...4, using: &random) == 0
      let digest = try mock.contentDigest(of: isDamaged ? [] : Array(file[range]))
      let response = mock.put(
        Array(file[range]), to: path, range: "bytes \(first)-\(range.upperBound - 1)/\(file.count)", digest: digest)
      #expect(response.status == (first != stored ? 409 : isDamaged ? 422 : 200))
      if response.status == 200 { stored = range.upperBound }
      if response.status != 422 { #expect(response.upload?.uploadedSize == Int64(stored)) }
    }
    #expect(try await mock.bytes(try mock.complete("upload-1", file).url) == file)
  }
}
