import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaAuth

@Suite struct FileSessionStoreTests {
  private let folder: TemporaryFolder
  private let path: String
  private let stored: StoredSession

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/session"
    stored = StoredSession(session: try .canary(1), origin: "https://api.nova.social")
  }

  private func kind(_ body: () async throws -> some Any) async -> SessionStoreError.Kind? {
    do {
      _ = try await body()
      return nil
    } catch {
      #expect(!"\(error)".contains("canary"))
      return (error as? SessionStoreError)?.kind
    }
  }

  @Test func whatIsSavedIsFoundAgain() async throws {
    let store = FileSessionStore(path: path)
    #expect(try await store.load() == nil)
    #expect(folder.names.isEmpty)
    try await store.save(stored)
    #expect(try await FileSessionStore(path: path).load() == stored)
    #expect(folder.names == ["session", "session.key"])
    #expect(try folder.mode("session") == 0o600 && folder.mode("session.key") == 0o600)
    try await store.clear()
    try await store.clear()
    #expect(try await store.load() == nil)
  }

  @Test func newDirectoriesArePrivate() async throws {
    let store = FileSessionStore(path: "\(folder.path)/a/b/session")
    #expect(try await store.load() == nil)
    try await store.withExclusiveAccess {}
    try await store.save(stored)
    #expect(try folder.mode("a") == 0o700 && folder.mode("a/b") == 0o700)
  }

  @Test func nothingCanBeReadFromTheFile() async throws {
    try await FileSessionStore(path: path).save(stored)
    let text = String(decoding: try folder.bytes("session"), as: UTF8.self)
    #expect(!text.contains("canary") && !text.contains("nova.social") && !text.contains("x.example"))
    let once = try folder.bytes("session")
    try await FileSessionStore(path: path).save(stored)
    #expect(try folder.bytes("session") != once)
  }

  @Test func everyDamageIsATypedError() async throws {
    let store = FileSessionStore(path: path)
    try await store.save(stored)
    let good = try folder.bytes("session")
    for count in 0..<good.count {
      try folder.write(Array(good[..<count]), "session")
      #expect(await kind { try await store.load() } == .damaged)
    }
    var kinds: Set<SessionStoreError.Kind?> = []
    for index in good.indices {
      var bad = good
      bad[index] ^= UInt8(1 << (index % 8))
      try folder.write(bad, "session")
      kinds.insert(await kind { try await store.load() })
    }
    #expect(kinds == [.damaged, .unknownVersion, .wrongKey])
    try folder.write(good + [0], "session")
    #expect(await kind { try await store.load() } == .damaged)
    try folder.write([UInt8](repeating: 0, count: 70_000), "session")
    #expect(await kind { try await store.load() } == .tooLarge)
    // A damaged file stands in nobody's way.
    try await store.save(stored)
    #expect(try await store.load() == stored)
  }

  @Test func keysAreChecked() async throws {
    let key = try SessionKey(String(repeating: "ab", count: 32))
    try await FileSessionStore(path: path, key: key).save(stored)
    #expect(folder.names == ["session"])
    #expect(try await FileSessionStore(path: path, key: key).load() == stored)
    let same = try SessionKey(Data([UInt8](repeating: 0xab, count: 32)).base64EncodedString() + "\n")
    #expect(try await FileSessionStore(path: path, key: same).load() == stored)
    let other = try SessionKey(String(repeating: "ac", count: 32))
    #expect(await kind { try await FileSessionStore(path: path, key: other).load() } == .wrongKey)
    #expect(await kind { try await FileSessionStore(path: path).load() } == .missingKey)
    for text in ["", "password-canary", String(repeating: "g", count: 64), String(repeating: "ab", count: 31)] {
      #expect(await kind { try SessionKey(text) } == .invalidKey)
    }
    #expect(!"\(key)\(String(reflecting: key))".contains("ab") && Mirror(reflecting: key).children.isEmpty)
    try folder.write(Array("no key".utf8), "session.key")
    #expect(await kind { try await FileSessionStore(path: path).load() } == .invalidKey)
  }

  @Test func concurrentProcessesAgreeOnOneKey() async throws {
    let (path, stored) = (path, stored)
    for round in 0..<4 {
      let path = "\(path)-\(round)"
      await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { try await FileSessionStore(path: path).save(stored) } }
      }
      #expect(try await FileSessionStore(path: path).load() == stored)
    }
    #expect(folder.names.count == 8)
  }

  @Test func whatOthersMayUseIsRefused() async throws {
    let store = FileSessionStore(path: path)
    try await store.save(stored)
    for mode in [0o640, 0o604, 0o660, 0o601] {
      try folder.setMode(mode, "session")
      #expect(await kind { try await store.load() } == .tooOpen)
    }
    try folder.setMode(0o600, "session")
    try folder.setMode(0o644, "session.key")
    #expect(await kind { try await store.load() } == .tooOpen)
    #expect(await kind { try await store.save(stored) } == .tooOpen)
    try folder.setMode(0o600, "session.key")
    #expect(try await store.load() == stored)
  }

  @Test func whatIsNoFileIsRefused() async throws {
    let store = FileSessionStore(path: path)
    try await store.save(stored)
    try FileManager.default.moveItem(atPath: path, toPath: "\(path)-moved")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(path)-moved")
    #expect(await kind { try await store.load() } == .symbolicLink)
    #expect(await kind { try await store.save(stored) } == .symbolicLink)
    try await store.clear()
    #expect(folder.names.contains("session-moved"))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(await kind { try await store.load() } == .wrongType)
    #expect(await kind { try await store.save(stored) } == .wrongType)
    #expect(
      await kind { try await FileSessionStore(path: "\(folder.path)/session-moved/x").save(stored) } == .wrongType)
    #expect(await kind { try await FileSessionStore(path: "").save(stored) } == .wrongType)
    #expect(!FileManager.default.fileExists(atPath: ".key"))
    #expect(await kind { try await FileSessionStore(path: "a\0b").load() } == .wrongType)
    mkfifo("\(folder.path)/pipe", 0o600)
    #expect(await kind { try await FileSessionStore(path: "\(folder.path)/pipe").load() } == .wrongType)
  }

  @Test func aSessionThatIsTooLargeIsNotStored() async throws {
    let store = FileSessionStore(path: path)
    try await store.save(stored)
    var large = stored
    large.session.user.username = String(repeating: "x", count: 70_000)
    #expect(await kind { try await store.save(large) } == .tooLarge)
    #expect(try await store.load() == stored)
  }

  /// A full disk, a broken one: whatever fails, the old session is there, or at the very end the new one.
  @Test(arguments: PrivateFiles.Step.allCases, [ENOSPC, EDQUOT, EIO, EACCES])
  func aSaveThatFailsLeavesTheOldFile(step: PrivateFiles.Step, code: Int32) async throws {
    try await FileSessionStore(path: path).save(stored)
    let new = StoredSession(session: try .canary(2), origin: stored.origin)
    let files = PrivateFiles { $0 == step ? code : nil }
    let store = FileSessionStore(
      path: path, key: nil, lockTimeout: .seconds(1), clock: ManualClock(), files: files)
    let kinds: [Int32: SessionStoreError.Kind] = [
      ENOSPC: .diskFull, EDQUOT: .diskFull, EIO: .system, EACCES: .notPermitted,
    ]
    #expect(await kind { try await store.save(new) } == kinds[code])
    #expect(try await FileSessionStore(path: path).load() == (step == .syncDirectory ? new : stored))
    #expect(folder.names == ["session", "session.key"])
  }

  /// What a kill leaves at each step: a copy of the folder at that moment is as good as a process that died there.
  @Test func aSaveThatIsKilledLosesNothing() async throws {
    try await FileSessionStore(path: path).save(stored)
    let new = StoredSession(session: try .canary(2), origin: stored.origin)
    let copies = try TemporaryFolder()
    let (from, to) = (folder.path, copies.path)
    let files = PrivateFiles { step in
      try? FileManager.default.copyItem(atPath: from, toPath: "\(to)/\(step)")
      return nil
    }
    let store = FileSessionStore(path: path, key: nil, lockTimeout: .seconds(1), clock: ManualClock(), files: files)
    try await store.save(new)
    #expect(copies.names.count == PrivateFiles.Step.allCases.count)
    for step in PrivateFiles.Step.allCases {
      let left = FileSessionStore(path: "\(to)/\(step)/session")
      #expect(try await left.load() == (step == .syncDirectory ? new : stored), "\(step)")
      try await left.save(new)
      #expect(try await left.load() == new)
    }
  }

  @Test func whatKilledProcessesLeftIsRemoved() async throws {
    try folder.write([1], "session.tmp-old")
    try folder.write([1], "session.tmp-new")
    try folder.write([1], "other.tmp-old")
    for name in ["session.tmp-old", "other.tmp-old"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now.addingTimeInterval(-7200)], ofItemAtPath: "\(folder.path)/\(name)")
    }
    try await FileSessionStore(path: path).save(stored)
    #expect(folder.names == ["other.tmp-old", "session", "session.key", "session.tmp-new"])
  }
}
