import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCache

struct DiskStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(limit: Int = 1 << 20) -> DiskStore { DiskStore(directory: folder.path, limit: limit) }

  private func key(_ number: Int = 0) throws -> CacheKey {
    CacheKey(url: try HTTPURL(parsing: "http://localhost/\(number)"), identity: nil)
  }

  private func head(_ headers: HTTPHeaders = ["Content-Type": "image/png"]) -> StoredHead {
    StoredHead(HTTPResponse(status: 200, headers: headers), requestTime: 1, responseTime: 2)
  }

  /// The paths of all files.
  private func files() throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { "\(folder.path)/\($0)" }
    return all.filter { (try? FileManager.default.contentsOfDirectory(atPath: $0)) == nil }.sorted()
  }

  private func body(_ store: DiskStore, _ number: Int = 0) throws -> [UInt8]? {
    guard case .disk(let file)? = store.responses(for: try key(number)).first?.body else { return nil }
    return file.readBody()
  }

  @Test func returnsWhatWasStored() throws {
    store().insert(head(), [1, 2, 3], for: try key(), at: 100)
    let response = try #require(store().responses(for: try key()).first)
    #expect(response.head == head())
    #expect(try body(store()) == [1, 2, 3])
    #expect(try body(store(), 1) == nil)
  }

  @Test func isForItsUserAlone() throws {
    store().insert(head(), [1], for: try key(), at: 100)
    let file = try #require(try files().first)
    let mode = { (path: String) in
      (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
    #expect(try mode(file) == 0o600)
    #expect(try mode((file as NSString).deletingLastPathComponent) == 0o700)
    #expect(try mode("\(folder.path)/\(DiskStore.folderName)") == 0o700)
  }

  /// Whatever happens to a file, the cache returns what was stored, or nothing.
  @Test func findsAndRemovesEveryDamage() throws {
    var random = SeededGenerator(seed: 4)
    let bytes = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for round in 0..<200 {
      let store = store()
      store.insert(head(), bytes, for: try key(), at: 100)
      let path = try #require(try files().first)
      var content = [UInt8](try Data(contentsOf: URL(filePath: path)))
      switch random.next(below: 3) {
      case 0: content[random.next(below: content.count)] ^= UInt8(1 + random.next(below: 255))
      case 1: content.removeLast(1 + random.next(below: content.count))
      default: content.append(0)
      }
      try Data(content).write(to: URL(filePath: path))
      var healed: [UInt8]?
      if let response = store.responses(for: try key()).first, case .disk(let file) = response.body {
        healed = file.readBody()
        #expect(!file.verify(), "round \(round)")
        store.heal(response)
      }
      #expect(healed == nil, "round \(round)")
      #expect(try files().isEmpty, "round \(round)")
      #expect(store.healed == 1, "round \(round)")
    }
  }

  /// The file of another URL, or of another user's response, does not answer this request.
  @Test func aFileUnderAnotherNameIsDamaged() throws {
    let owner = CacheKey(url: try key(1).url, identity: Identity(gateway: "mock:", caller: .user("ada")))
    for other in [try key(1), owner] {
      let store = store()
      store.insert(head(), [1], for: try key(), at: 100)
      let path = try #require(try files().first)
      store.insert(head(), [2], for: other, at: 100)
      let copied = try #require(try files().first { $0 != path })
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: copied, toPath: path)
      #expect(try body(store) == nil && store.healed == 1)
      guard case .disk(let file)? = store.responses(for: other).first?.body else {
        Issue.record("the right place")
        continue
      }
      #expect(file.readBody() == [2])
      store.removeAll()
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func whatAnotherUserHasPutThereIsNotUsed() throws {
    store().insert(head(), [1], for: try key(), at: 100)
    let path = try #require(try files().first)
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(try body(store()) == nil && files() == [path], "nor removed")
    #expect(chown(path, geteuid(), getegid()) == 0)
    #expect(try body(store()) == [1])
    for folder in ["\(folder.path)/\(DiskStore.folderName)", (path as NSString).deletingLastPathComponent] {
      #expect(chown(folder, 65_534, 65_534) == 0)
      #expect(try body(store()) == nil)
      let count = try files().count
      store().insert(head(), [2], for: try key(), at: 100)
      #expect(try files().count == count, "nor written to")
      #expect(chown(folder, geteuid(), getegid()) == 0)
      #expect(try body(store()) == [1])
    }
  }

  /// A response that was found before its removal, and read after it, must not come back.
  @Test(arguments: [true, false]) func whatWasRemovedStaysRemoved(all: Bool) throws {
    store().insert(head(["Cache-Control": "max-age=100"]), [1], for: try key(), at: 100)
    let store = CacheStore(.init(directory: folder.path), clock: ManualClock())
    let found = try #require(store.find(try key(), [:]).response)
    if all { store.removeAll() } else { store.remove(try key().url) }
    // The open file can still be read.
    #expect(store.bytes(of: found) == [1])
    #expect(store.find(try key(), [:]).response == nil)
  }

  @Test func removesTheLeastRecentlyUsed() throws {
    let store = store(limit: 200_000)
    let bytes = [UInt8](repeating: 7, count: 10_000)
    for number in 0..<15 { store.insert(head(), bytes, for: try key(number), at: Double(number * 100)) }
    if case .disk(let file)? = store.responses(for: try key(0)).first?.body { file.touch(at: 5000) }
    for number in 15..<25 { store.insert(head(), bytes, for: try key(number), at: Double(number * 100)) }
    #expect(store.contents().byteCount <= 200_000)
    #expect(store.contents().byteCount >= 160_000)
    #expect(store.contents().uses?.upperBound == 5000)
    #expect(try body(store, 0) != nil)
    #expect(try body(store, 1) == nil)
    #expect(try body(store, 24) != nil)
  }

  /// Several processes enforce the limit, although each knows only what it wrote itself.
  @Test func keepsToTheBoundTogether() throws {
    let stores = (0..<4).map { _ in store(limit: 200_000) }
    for number in 0..<200 {
      stores[number % 4].insert(
        head(), [UInt8](repeating: 7, count: 3000), for: try key(number), at: Double(number))
    }
    #expect(store().contents().byteCount <= 260_000)
    #expect(try body(store(), 199) != nil)
  }

  @Test func leavesOutWhatIsTooLarge() throws {
    let store = store(limit: 80_000)
    store.insert(head(), [UInt8](repeating: 0, count: 10_001), for: try key(), at: 1)
    let writer = try #require(store.writer(head(), for: try key(), length: nil))
    try writer.append([UInt8](repeating: 0, count: 10_000))
    #expect(throws: (any Error).self) { try writer.append([0]) }
    #expect(try body(store) == nil)
  }

  /// An open file outlives its removal by eviction, another process, or the user.
  @Test func readsRemovedFiles() throws {
    let store = store()
    store.insert(head(), [1, 2, 3], for: try key(), at: 1)
    let response = try #require(store.responses(for: try key()).first)
    store.removeAll()
    guard case .disk(let file) = response.body else { return }
    #expect(file.readBody() == [1, 2, 3])
  }

  /// A process that is killed while writing leaves a temporary file, which no reader sees and an eviction removes.
  @Test func removesLeftovers() throws {
    let store = store(limit: 100_000)
    store.insert(head(), [1], for: try key(), at: 10_000)
    let left = "\(try #require(try files().first)).tmp-1x2y"
    try Data([1, 2, 3]).write(to: URL(filePath: left))
    #expect(try body(store) == [1])
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: left)
    for number in 1..<30 {
      store.insert(head(), [UInt8](repeating: 1, count: 9000), for: try key(number), at: 10_000)
    }
    #expect(!FileManager.default.fileExists(atPath: left))
  }

  @Test func doesWithoutADirectory() throws {
    let place = try folder.write("a file", to: "file")
    let store = DiskStore(directory: place, limit: 1 << 20)
    store.insert(head(), [1], for: try key(), at: 1)
    #expect(try body(store) == nil)
    #expect(store.contents().byteCount == 0)
  }

  @Test func followsNoLinks() throws {
    store().insert(head(), [1], for: try key(), at: 1)
    let path = try #require(try files().first)
    let other = try folder.write([9], to: "other")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
    #expect(try body(store()) == nil)
    #expect(FileManager.default.fileExists(atPath: other))
  }

  @Test func keepsCookiesOffTheDisk() throws {
    store().insert(head(["Set-Cookie": "session=\(Canary.secret)"]), [1], for: try key(), at: 1)
    #expect(try files().isEmpty)
  }

  /// Times that cannot be used for calculations count as damage.
  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func refusesImpossibleTimes(time: Double) {
    let response = HTTPResponse(status: 200)
    let heads = [
      StoredHead(response, requestTime: time, responseTime: 1),
      StoredHead(response, requestTime: 1, responseTime: time),
    ]
    for head in heads { #expect(StoredHead(encoded: head.encoded) == nil) }
  }
}
