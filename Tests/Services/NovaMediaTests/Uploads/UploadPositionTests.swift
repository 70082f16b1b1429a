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

  /// Chunks get as small as the server requests, if it accepts no larger ones, unless there would be too many.
  @Test(
    arguments: [
      (0, 100_000, nil), (-1, 100_000, nil), (1, 10_000, 1), (1, 10_001, nil), (1000, 10_000_000, 1000),
      (1000, 10_000_001, nil), (16_384, 100_000, nil), (4 << 20, 100_000, nil), (.max, 100_000, nil),
    ] as [(Int64, Int, Int?)])
  func aServerGetsTheSizeThatItAsksFor(requested: Int64, count: Int, size: Int?) {
    var position = UploadPosition(count: count, chunkSize: requested)
    #expect(position.takeRequestedSize() == (size != nil))
    if let size { #expect(position.chunkSize == size && !position.takeRequestedSize()) }
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

  /// For any reported sizes, the number of requests is bounded by the file's size, and the position never goes back or
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

  /// The same with bytes that can be sent again.
  @Test(arguments: 0..<50) func aServerThatLosesBytesIsLeftInTime(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...300_000, using: &random)
    var position = UploadPosition(count: count, chunkSize: 1, canGoBack: true)
    let chunks = (count + position.chunkSize - 1) / position.chunkSize
    var (requests, sent) = (0, 0)
    while !position.isComplete, requests < 10_000 {
      requests += 1
      let chunk = position.nextChunk()
      sent = max(sent, chunk.upperBound)
      let reports: [Int64?] = [
        nil, 0, Int64(chunk.lowerBound), Int64(chunk.lowerBound / 2), Int64(chunk.upperBound), -1,
      ]
      do {
        try position.took(chunk, reporting: reports[Int.random(in: 0..<reports.count, using: &random)])
      } catch { break }
      #expect(position.stored >= 0 && position.stored <= sent)
    }
    #expect(requests <= (UploadPosition.maximumLosses + 1) * chunks + 9, "\(requests) requests for \(chunks) chunks")
  }

  @Test func aPauseContinuesWhereTheServerStands() throws {
    for canGoBack in [true, false] {
      var position = UploadPosition(count: 100_000, chunkSize: 1, canGoBack: canGoBack)
      try position.took(position.nextChunk(), reporting: nil)
      _ = position.nextChunk()
      try position.resume(at: 20_000)
      #expect(position.stored == 20_000)
      for size: Int64 in [-1, 32_769, 100_001] { #expect(throws: APIError.self) { try position.resume(at: size) } }
      if canGoBack {
        for _ in 0..<10 { try position.resume(at: 0) }
      } else {
        #expect(throws: APIError.self) { try position.resume(at: 0) }
      }
    }
  }

  @Test func sizesAreFoundInAnswers() {
    let answers: [(String, Int64?)] = [
      (#"{"upload":{"uploaded_size":7}}"#, 7), (#"{"upload":{"uploadedSize":"7"}}"#, 7), ("{}", nil), ("", nil),
      ("<ok/>", nil), (#"{"upload":{}}"#, nil), (#"{"upload":{"uploaded_size":null}}"#, nil), (#"{"upload":7}"#, nil),
      (#"{"upload":{"uploaded_size":-1}}"#, -1), (#"{"upload":{"uploaded_size":"x"}}"#, nil),
    ]
    for (body, size) in answers {
      #expect(UploadedSize.inAnswer(Array(body.utf8)) == size, "\(body)")
    }
  }
}
