import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaAuth

/// Several processes on one file. `flock` belongs to an open file, not to a process, so stores of their own in one
/// process stand to each other as stores of two processes do.
@Suite struct SharedStoreTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/session"
  }

  /// Waits without time passing, for as long as it takes.
  private func patientStore(_ path: String) -> FileSessionStore {
    FileSessionStore(path: path, clock: YieldingClock())
  }

  private func managers(_ count: Int, _ backend: AuthBackend) throws -> [SessionManager] {
    try (0..<count).map { _ in
      SessionManager(store: patientStore(path), auth: try backend.service(), clock: backend.clock)
    }
  }

  @Test func processesRefreshOnce() async throws {
    let backend = AuthBackend()
    backend.rotates = true
    let processes = try managers(8, backend)
    let origin = processes[0].origin
    try await patientStore(path).save(StoredSession(session: try backend.session(expiresIn: -1), origin: origin))
    for round in 1...5 {
      let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
        for process in processes {
          for _ in 0..<10 { group.addTask { try await process.accessToken()?.secretValue } }
        }
        return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(tokens == [Canary.access(round)])
      #expect(backend.refreshes == round)
      backend.clock.advance(by: .seconds(3601))
    }
  }

  @Test func onlyOneIsInsideAtATime() async throws {
    let (inside, most) = (Locked(0), Locked(0))
    let stores = (0..<6).map { _ in patientStore(path) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        for _ in 0..<20 {
          group.addTask {
            try await store.withExclusiveAccess {
              let count = inside.withLock { count in
                count += 1
                return count
              }
              most.withLock { $0 = max($0, count) }
              await Task.yield()
              inside.withLock { $0 -= 1 }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(most.withLock { $0 } == 1)
  }

  @Test func aLockThatIsNotLetGoIsAnError() async throws {
    let path = path
    let clock = ManualClock(autoAdvances: true)
    let patient = patientStore(path)
    let impatient = FileSessionStore(path: path, lockTimeout: .seconds(90), clock: clock)
    try await patient.withExclusiveAccess {
      let error = await #expect(throws: SessionStoreError.self) { try await impatient.withExclusiveAccess {} }
      #expect(error?.kind == .locked && error?.path == "\(path).lock")
    }
    #expect(clock.elapsed >= .seconds(90) && clock.elapsed < .seconds(91))
    try await impatient.withExclusiveAccess {}
  }

  @Test func whoWaitsForTheLockCanBeCancelled() async throws {
    let clock = ManualClock()
    let store = FileSessionStore(path: path, clock: clock)
    try await patientStore(path).withExclusiveAccess {
      let waiting = Task { try await store.withExclusiveAccess {} }
      await clock.waitForSleepers()
      // One more waits for its turn behind the first.
      let behind = Task { try await store.withExclusiveAccess {} }
      behind.cancel()
      await #expect(throws: CancellationError.self) { try await behind.value }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    try await store.withExclusiveAccess {}
  }

  /// With a process of its own: it takes the lock, and is killed.
  @Test func theLockOfAKilledProcessIsFree() async throws {
    try await patientStore(path).withExclusiveAccess {}
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/flock")
    process.arguments = ["--no-fork", "\(path).lock", "sh", "-c", "echo locked; exec cat"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(output.fileHandleForReading.readData(ofLength: 7) == Data("locked\n".utf8))
    let impatient = FileSessionStore(path: path, lockTimeout: .seconds(1), clock: ManualClock(autoAdvances: true))
    await #expect(throws: SessionStoreError.self) { try await impatient.withExclusiveAccess {} }
    kill(process.processIdentifier, SIGKILL)
    try await patientStore(path).withExclusiveAccess {}
    try input.fileHandleForWriting.close()
  }

  @Test func aSignOutElsewhereIsSeen() async throws {
    let backend = AuthBackend()
    let (one, two) = (try managers(1, backend)[0], try managers(1, backend)[0])
    try await patientStore(path).save(StoredSession(session: try backend.session(), origin: one.origin))
    #expect(try await one.session() == two.session())
    try await one.signOut()
    #expect(two.current != nil)
    let updates = two.updates
    try await two.reload()
    #expect(two.current == nil)
    #expect(await updates.first { _ in true }?.name == "ended elsewhere")
  }

  @Test func aTokenThatCannotBeSavedIsUsed() async throws {
    let backend = AuthBackend()
    backend.rotates = true
    let isFull = Locked(false)
    let files = PrivateFiles { step in step == .write && isFull.withLock { $0 } ? ENOSPC : nil }
    let store = FileSessionStore(
      path: path, key: nil, lockTimeout: .seconds(1), clock: ManualClock(), files: files)
    let sessions = SessionManager(store: store, auth: try backend.service(), clock: backend.clock)
    try await store.save(StoredSession(session: try backend.session(expiresIn: -1), origin: sessions.origin))
    isFull.withLock { $0 = true }
    let updates = sessions.updates
    #expect(try await sessions.accessToken()?.secretValue == Canary.access(1))
    backend.clock.advance(by: .seconds(3601))
    // The file still has the token that was used up first; what we know is newer.
    #expect(try await sessions.accessToken()?.secretValue == Canary.access(2))
    isFull.withLock { $0 = false }
    backend.clock.advance(by: .seconds(3601))
    #expect(try await sessions.accessToken()?.secretValue == Canary.access(3))
    #expect(try await store.load()?.session == sessions.current)
    let names = await updates.prefix(6).reduce(into: []) { $0.append($1.name) }
    #expect(names == ["started", "refreshed", "storeFailed", "refreshed", "storeFailed", "refreshed"])
  }
}
