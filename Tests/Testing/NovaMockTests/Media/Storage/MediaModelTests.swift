import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

/// Chunks, snapshots and restores in random order, compared with arrays of bytes.
@Suite struct MediaModelTests {
  private struct Model {
    var stored: [String: Int] = [:]
    var completed: Set<String> = []
  }

  private struct World {
    let mock = MockCaller()
    let files: [[UInt8]]
    var model = Model()
    var snapshots: [(MockSnapshot, Model)] = []
    var random: SeededGenerator

    init(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      files = (0..<3).map { _ in
        // Long runs of zeros become holes.
        let hasZeros = Bool.random(using: &random)
        return (0..<Int.random(in: 1...4000, using: &random)).map {
          hasZeros && $0 / 500 % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: random.next())
        }
      }
      for file in files { _ = try mock.startUpload(file.count) }
      self.random = random
    }

    mutating func step() throws {
      let number = Int.random(in: 1...files.count, using: &random)
      let (id, file) = ("upload-\(number)", files[number - 1])
      let stored = model.stored[id] ?? 0
      switch Int.random(in: 0...9, using: &random) {
      case 0: snapshots.append((mock.backend.snapshot(), model))
      case 1:
        guard let (snapshot, then) = snapshots.randomElement(using: &random) else { return }
        mock.backend.restore(snapshot)
        model = then
      case 2 where stored == file.count:
        #expect(try mock.complete(id, file).status == "completed")
        model.completed.insert(id)
      default: try send(id, file, from: stored)
      }
    }

    private mutating func send(_ id: String, _ file: [UInt8], from stored: Int) throws {
      let isWrong = Int.random(in: 0...5, using: &random) == 0
      let first = isWrong ? Int.random(in: 0..<file.count, using: &random) : stored
      guard first < file.count else { return }
      let range = first..<Int.random(in: first + 1...file.count, using: &random)
      let isDamaged = Int.random(in: 0...5, using: &random) == 0
      var bytes = Array(file[range])
      let digest = try mock.contentDigest(of: bytes)
      if isDamaged { bytes[0] ^= 1 }
      let response = mock.put(
        bytes, to: "/api/v1/media/upload/\(id)/bytes",
        range: "bytes \(first)-\(range.upperBound - 1)/\(file.count)", digest: digest)
      #expect(response.status == (first != stored ? 409 : isDamaged ? 422 : 200))
      if response.status == 200 { model.stored[id] = range.upperBound }
    }

    func check() async throws {
      for (number, file) in files.enumerated() {
        let id = "upload-\(number + 1)"
        let upload = try #require(try mock.upload(id))
        #expect(
          upload.uploadedSize == Int64(model.stored[id] ?? 0) && upload.url.isEmpty != model.completed.contains(id))
        if !upload.url.isEmpty { #expect(try await mock.bytes(upload.url) == file) }
      }
    }
  }

  @Test(arguments: TestDepth.cases(UInt64(0)..<25, sample: 6)) func everyStateKeepsItsBytes(seed: UInt64) async throws {
    var world = try World(seed: seed)
    for _ in 0..<80 { try world.step() }
    try await world.check()
    for (snapshot, model) in world.snapshots {
      world.mock.backend.restore(snapshot)
      world.model = model
      try await world.check()
      // Every state can be continued to the whole files.
      for (number, file) in world.files.enumerated() {
        let id = "upload-\(number + 1)"
        let stored = model.stored[id] ?? 0
        if stored < file.count {
          #expect(try world.mock.put(file, stored..<file.count, to: "/api/v1/media/upload/\(id)/bytes").status == 200)
        }
        #expect(try await world.mock.bytes(try world.mock.complete(id, file).url) == file)
      }
    }
  }
}
