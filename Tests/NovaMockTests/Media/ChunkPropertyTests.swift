import NovaCore
import NovaMedia
import NovaMock
import Testing

@Suite struct ChunkPropertyTests {
  /// Chunks of random sizes, some at a wrong place, some damaged on the way, by a client that heeds the answers.
  @Test(arguments: UInt64(0)..<40)
  func anyWayOfSendingEndsInTheSameBytes(seed: UInt64) throws {
    let mock = MockCaller()
    var random = SplitMix(state: seed)
    let file = (0..<random.next(1...5000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let path = try mock.startUpload(file.count).uploadUrl
    var stored = 0
    while stored < file.count {
      let first = random.next(0...3) == 0 ? random.next(0...file.count - 1) : stored
      let range = first..<random.next(first + 1...file.count)
      let isDamaged = random.next(0...4) == 0
      let digest = try mock.contentDigest(of: isDamaged ? [] : Array(file[range]))
      let response = mock.put(
        Array(file[range]), to: path, range: "bytes \(first)-\(range.upperBound - 1)/\(file.count)", digest: digest)
      #expect(response.status == (first != stored ? 409 : isDamaged ? 422 : 200))
      if response.status == 200 { stored = range.upperBound }
      if response.status != 422 { #expect(response.upload?.uploadedSize == Int64(stored)) }
    }
    #expect(mock.get(try mock.complete("upload-1", file).url).body == file)
  }
}

private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ (mixed >> 27)
  }

  mutating func next(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(next() >> 1) % range.count }
}
