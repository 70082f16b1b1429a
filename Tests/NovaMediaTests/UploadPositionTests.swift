import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

@Suite struct UploadPositionTests {
  private static let sizes: [(asked: Int64, size: Int)] = [
    (0, 4_194_304), (-1, 4_194_304), (.min, 4_194_304), (1, 16_384), (16_384, 16_384), (1_048_576, 1_048_576),
    (67_108_864, 67_108_864), (10_000_000_000, 67_108_864), (.max, 67_108_864),
  ]

  @Test(arguments: sizes)
  func chunksHaveASensibleSize(asked: Int64, size: Int) {
    #expect(UploadPosition(count: 1, chunkSize: asked).chunkSize == size)
  }

  @Test(arguments: [1, 16 << 10, (16 << 10) + 1, 100_000]) func chunksCoverTheFileOnce(count: Int) throws {
    var progress = UploadPosition(count: count, chunkSize: 1)
    var chunks: [Range<Int>] = []
    while !progress.isComplete {
      chunks.append(progress.nextChunk())
      try progress.took(chunks[chunks.count - 1], reporting: nil)
    }
    #expect(chunks.flatMap(Array.init) == Array(0..<count))
  }

  /// With any reported sizes, the number of requests is bounded by the file's size, and the position never goes back or
  /// exceeds the bytes that were sent.
  @Test(arguments: 0..<50) func anyServerIsLeftInTime(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...300_000, using: &random)
    var progress = UploadPosition(count: count, chunkSize: 1)
    let chunks = (count + progress.chunkSize - 1) / progress.chunkSize
    var (requests, sent, last) = (0, 0, 0)
    while !progress.isComplete, requests < 10_000 {
      requests += 1
      let chunk = progress.nextChunk()
      sent = max(sent, chunk.upperBound)
      let (first, end) = (Int64(chunk.lowerBound), Int64(chunk.upperBound))
      let reports: [Int64?] = [
        nil, 0, -1, first, first + 1, end, end + 1, Int64(count), .max,
        Int64.random(in: 0...Int64(count), using: &random),
      ]
      let creeps =
        random.one(in: 3) ? reports[Int.random(in: 0..<reports.count, using: &random)] : first + 1
      do {
        if random.one(in: 2), let size = creeps {
          try progress.move(to: size)
        } else {
          try progress.took(chunk, reporting: creeps)
        }
      } catch { break }
      #expect(progress.stored >= last && progress.stored <= sent)
      last = progress.stored
    }
    #expect(requests <= 2 * chunks + 9, "\(requests) requests for \(chunks) chunks")
  }

  @Test func sizesAreFoundInAnswers() {
    let answers: [(String, Int64?)] = [
      (#"{"upload":{"uploaded_size":7}}"#, 7), (#"{"upload":{"uploadedSize":"7"}}"#, 7), ("{}", nil), ("", nil),
      ("<ok/>", nil), (#"{"upload":{}}"#, nil), (#"{"upload":{"uploaded_size":null}}"#, nil), (#"{"upload":7}"#, nil),
      (#"{"upload":{"uploaded_size":-1}}"#, -1), (#"{"upload":{"uploaded_size":"x"}}"#, nil),
    ]
    for (body, size) in answers {
      #expect(ChunkAnswer.storedSize(in: Array(body.utf8)) == size, "\(body)")
    }
  }
}
