import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaAuth

/// A session is neither read nor written if another user can redirect its path.
@Suite struct TrustedDirectoryTests {
  private let folder: TemporaryFolder
  private let stored: StoredSession

  init() throws {
    folder = try TemporaryFolder()
    stored = StoredSession(session: try .canary(1), origin: "https://api.nova.social")
  }

  /// What each operation on the session at this path (below the folder) fails with; nil for those that succeed.
  private func kinds(_ name: String) async -> [String: SessionStoreError.Kind?] {
    let store = FileSessionStore(path: "\(folder.path)/\(name)")
    let stored = stored
    return [
      "load": await kind { try await store.load() }, "save": await kind { try await store.save(stored) },
      "lock": await kind { try await store.withExclusiveAccess {} }, "clear": await kind { try await store.clear() },
    ]
  }

  private func kind(_ body: () async throws -> some Any) async -> SessionStoreError.Kind? {
    do {
      _ = try await body()
      return nil
    } catch {
      Canary.capture(error)
      return (error as? SessionStoreError)?.kind ?? SessionStoreError.Kind(rawValue: "\(error)")
    }
  }

  private func expect(_ kind: SessionStoreError.Kind?, at name: String, _ comment: Comment) async {
    let expected = Dictionary(uniqueKeysWithValues: ["load", "save", "lock", "clear"].map { ($0, kind) })
    let found = await kinds(name)
    #expect(found == expected, comment)
  }

  private func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  @Test(arguments: [0o777, 0o707, 0o770, 0o720, 0o702, 0o1777, 0o1770, 0o3777, 0o666])
  func aDirectoryThatOthersCanWriteToIsRefused(mode: Int) async throws {
    try makeDirectory("a/b")
    try await FileSessionStore(path: "\(folder.path)/a/b/session").save(stored)
    try folder.setMode(mode, "a/b")
    await expect(.tooOpen, at: "a/b/session", "mode \(String(mode, radix: 8))")
    try folder.setMode(0o700, "a/b")
    #expect(try await FileSessionStore(path: "\(folder.path)/a/b/session").load() == stored)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a/b").sorted() == ["session", "session.key"])
  }

  @Test(arguments: [0o777, 0o707, 0o702, 0o723]) func soIsEveryDirectoryAbove(mode: Int) async throws {
    try makeDirectory("a/b/c")
    try await FileSessionStore(path: "\(folder.path)/a/b/c/session").save(stored)
    for parent in ["a", "a/b"] {
      try folder.setMode(mode, parent)
      await expect(.tooOpen, at: "a/b/c/session", "\(parent) has mode \(String(mode, radix: 8))")
      // Nothing is made below it either.
      await expect(.tooOpen, at: "\(parent)/new/session", "\(parent) has mode \(String(mode, radix: 8))")
      try folder.setMode(0o700, parent)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a/b") == ["c"])
  }

  @Test(arguments: [0o700, 0o755, 0o711, 0o1777, 0o1770, 0o500]) func othersMayReadWhatIsAbove(mode: Int) async throws {
    try makeDirectory("a/b")
    try folder.setMode(mode, "a")
    await expect(nil, at: "a/b/session", "mode \(String(mode, radix: 8))")
    try folder.setMode(0o700, "a")
  }

  /// Many systems give each user a group of the same number, and let it write.
  @Test(.enabled(if: geteuid() == 0, "only root gives files away")) func groupsAreTheUsersOwnOrOthers() async throws {
    try makeDirectory("a/b")
    try folder.setMode(0o770, "a")
    await expect(nil, at: "a/b/session", "the user's own group")
    #expect(chown("\(folder.path)/a", 0, 1) == 0)
    await expect(.tooOpen, at: "a/b/session", "another group")
    try folder.setMode(0o750, "a")
    await expect(nil, at: "a/b/session", "another group that only reads")
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away")) func othersDirectoriesAreRefused() async throws {
    try makeDirectory("a/b")
    for name in ["a", "a/b"] {
      #expect(chown("\(folder.path)/\(name)", 1, 0) == 0)
      await expect(.notOwned, at: "a/b/session", "\(name)")
      #expect(chown("\(folder.path)/\(name)", 0, 0) == 0)
    }
    await expect(nil, at: "a/b/session", "mine again")
  }

  @Test func linksThatOthersCannotChangeAreFollowed() async throws {
    try makeDirectory("real/sessions")
    try makeDirectory("open/sessions")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link", withDestinationPath: "\(folder.path)/real")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/relative", withDestinationPath: "real/../real/./")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/unsafe", withDestinationPath: "open")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/open/back", withDestinationPath: "../real")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/loop", withDestinationPath: "loop")
    try folder.setMode(0o777, "open")
    await expect(nil, at: "link/sessions/session", "a link")
    await expect(nil, at: "relative/sessions/session", "a relative link")
    await expect(.tooOpen, at: "unsafe/sessions/session", "a link to where others write")
    // Write access to the link's directory allows replacing the link.
    await expect(.tooOpen, at: "open/back/sessions/session", "a link that others can replace")
    await expect(.tooOpen, at: "open/../real/sessions/session", "a way through where others write")
    await expect(.symbolicLink, at: "loop/session", "a link to itself")
    #expect(await kind { try await FileSessionStore(path: "\(folder.path)/link/sessions/session").save(stored) } == nil)
    #expect(try await FileSessionStore(path: "\(folder.path)/real/sessions/session").load() == stored)
  }

  @Test func whatIsNotThereHasNoSession() async throws {
    let store = FileSessionStore(path: "\(folder.path)/none/at/all/session")
    #expect(try await store.load() == nil)
    try await store.clear()
    #expect(folder.names.isEmpty)
    try Data().write(to: URL(filePath: "\(folder.path)/file"))
    let below = FileSessionStore(path: "\(folder.path)/file/session")
    #expect(await kind { try await below.load() } == .wrongType)
    #expect(await kind { try await below.save(stored) } == .wrongType)
    try await below.clear()
  }

  @Test func aKeyIsReadFromSuchADirectoryOnly() async throws {
    try makeDirectory("keys")
    try makeDirectory("sessions")
    let key = SessionKey.file("\(folder.path)/keys/key")
    let store = FileSessionStore(path: "\(folder.path)/sessions/session", key: key)
    try await store.save(stored)
    try folder.setMode(0o777, "keys")
    #expect(await kind { try await store.load() } == .tooOpen)
    #expect(await kind { try await store.save(stored) } == .tooOpen)
    try folder.setMode(0o700, "keys")
    #expect(try await store.load() == stored)
  }

  /// A replaced lock file excludes no one, so it does not count.
  @Test func aLockThatWasRemovedIsTakenAnew() async throws {
    let path = "\(folder.path)/session"
    let (one, two) = (
      FileSessionStore(path: path, clock: YieldingClock()), FileSessionStore(path: path, clock: YieldingClock())
    )
    let inside = Locked(0)
    try await one.withExclusiveAccess {
      let waiting = Task { try await two.withExclusiveAccess { inside.withLock { $0 += 1 } } }
      for _ in 0..<100 { await Task.yield() }
      try FileManager.default.removeItem(atPath: "\(path).lock")
      try await FileSessionStore(path: path, clock: YieldingClock()).withExclusiveAccess {
        let before = inside.withLock { $0 }
        for _ in 0..<100 { await Task.yield() }
        // Earlier holders have finished; waiters wait for the current file.
        #expect(inside.withLock { $0 } == before)
      }
      withExtendedLifetime(waiting) {}
    }
    while inside.withLock({ $0 }) == 0 { await Task.yield() }
  }
}
