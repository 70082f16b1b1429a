import NovaCore
import NovaLibc
import NovaOffline
import NovaSQLite
import NovaSocial
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// Files that are damaged, of another version, or cannot be written: one clear outcome each.
@Suite(.hangLimit) struct OutboxFileTests {
  private let fixture: OutboxFixture
  private var path: String { "\(fixture.folder.path)/outbox.db" }

  init() throws { fixture = try OutboxFixture() }

  private func enqueueError() async -> APIError? {
    await apiError { try await fixture.enqueue(fixture.like("p1")) }
  }

  /// Begins an outbox with one write, and closes it.
  private func fill() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    await fixture.outbox.stop()
  }

  private func damage(_ bytes: [UInt8], at offset: Int) throws {
    let descriptor = open(path, O_RDWR)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  // MARK: Damage

  private var copies: [String] {
    fixture.folder.names.filter { $0.hasPrefix("outbox.db.corrupt-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
  }

  @Test(arguments: [0, 4096]) func aDamagedFileIsMovedAwayAndReported(offset: Int) async throws {
    try await fill()
    try damage([UInt8](repeating: 0xA5, count: 2000), at: offset)
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.like("p2"))
    #expect(later.waiting == ["CreateLike p1", "CreateLike p2"])
    #expect(copies == ["outbox.db.corrupt-1764583200"])
    let problem = try #require(later.outbox.state.problem)
    #expect(problem.contains("was damaged: it was moved to") && problem.contains(copies[0]))
    await later.outbox.stop()
    // Every process reports it until the copy is moved or deleted.
    for _ in 0..<2 {
      let last = try OutboxFixture(after: fixture)
      await last.outbox.load()
      #expect(last.waiting == ["CreateLike p1", "CreateLike p2"] && last.outbox.state.problem == problem)
      await last.outbox.stop()
    }
    #expect(OfflineStore.damageNotices(in: fixture.folder.path) == [problem])
    unlink("\(fixture.folder.path)/\(copies[0])")
    let end = try OutboxFixture(after: fixture)
    await end.outbox.load()
    #expect(end.waiting == ["CreateLike p1", "CreateLike p2"] && end.outbox.state.problem == nil)
    #expect(OfflineStore.damageNotices(in: fixture.folder.path).isEmpty)
  }

  @Test func anotherFileInItsPlaceIsMovedAway() async throws {
    _ = try fixture.folder.write(String(repeating: "this is not a database ", count: 100), to: "outbox.db")
    try await fixture.enqueue(fixture.like("p1"))
    #expect(fixture.waiting == ["CreateLike p1"])
    #expect(fixture.folder.names.contains("outbox.db.corrupt-1764583200"))
  }

  /// Both see the damage; only one of them may move the file, or the other moves the new one.
  /// Damage that leaves pages sound: a letter in the names of the tables and columns.
  @Test(arguments: [
    ("next_attempt_at", "nexu_attempt_at"), ("TABLE entries", "TABLE entrief"), ("temporary TEXT", "temporarz TEXT"),
  ])
  func damagedTablesAreMovedAwayAndReadAll(_ text: String, _ damaged: String) async throws {
    try await fill()
    let file = try #require(try SystemIO.readFile(path))
    let offset = try #require(file.firstRange(of: Array(text.utf8))?.lowerBound)
    try damage(Array(damaged.utf8), at: offset)
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.like("p2"))
    #expect(later.waiting == ["CreateLike p1", "CreateLike p2"])
    #expect(copies.count == 1 && later.outbox.state.problem?.contains(copies[0]) == true)
    await later.outbox.stop()
  }

  /// Nothing sends an entry that cannot be read, so a flush says so until it is dropped.
  @Test func anEntryThatCannotBeReadIsNamedAndCanBeDropped() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    try await fixture.enqueue(fixture.like("p2"))
    await fixture.outbox.stop()
    let connection = try SQLiteConnection(opening: path)
    try connection.execute("UPDATE entries SET rpc = 'social.CreateLikf' WHERE id = 1")
    connection.close()
    let later = try OutboxFixture(after: fixture)
    let report = await later.outbox.flushed()
    #expect(report.summary.sent == 1 && report.failure?.code == .failedPrecondition)
    let id = try #require(later.outbox.unreadable.first)
    #expect(report.failure?.message.contains("entry \(id) in \(path) cannot be read") == true, "\(report)")
    #expect(try await later.outbox.cannotRead(id))
    try await later.outbox.discardUnreadable(id)
    #expect(later.outbox.unreadable == [])
    #expect(later.outbox.state.problem == nil)
    #expect(await later.outbox.flushed().failure == nil)
    #expect(await apiError { try await later.outbox.discardUnreadable(id) }?.code == .notFound)
    await later.outbox.stop()
  }

  @Test(arguments: [
    (1, "entry 1 in ", " cannot be read, and is not sent: it is damaged, or"),
    (2, "entries 1 and 2 in ", " cannot be read, and are not sent: they are damaged, or"),
    (7, "entries 1, 2, 3, 4, 5 and others in ", " cannot be read, and are not sent: they are damaged, or"),
  ])
  func entriesThatCannotBeReadAreCounted(_ count: Int, start: String, rest: String) async throws {
    for number in 1...count { try await fixture.enqueue(fixture.like("p\(number)")) }
    await fixture.outbox.stop()
    let connection = try SQLiteConnection(opening: path)
    try connection.execute("UPDATE entries SET rpc = 'social.CreateLikf'")
    connection.close()
    let later = try OutboxFixture(after: fixture)
    let problem = await later.outbox.flushed().failure?.message ?? ""
    #expect(problem.contains("\(start)\(path)\(rest)"), "\(problem)")
    #expect(problem.hasSuffix("(nova outbox discard 1)"))
    await later.outbox.stop()
  }

  @Test func twoProcessesRepairOnce() async throws {
    try await fill()
    try damage([UInt8](repeating: 0xA5, count: 2000), at: 0)
    let fixtures = try (0..<4).map { _ in try OutboxFixture(after: fixture) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, later) in fixtures.enumerated() {
        group.addTask { try await later.enqueue(later.like("q\(number)")) }
      }
      try await group.waitForAll()
    }
    let last = try OutboxFixture(after: fixture)
    await last.outbox.load()
    #expect(last.waiting.first == "CreateLike p1")
    #expect(last.waiting.dropFirst().sorted() == (0..<4).map { "CreateLike q\($0)" })
    #expect(copies.count == 1)
  }

  /// Whichever page is damaged, and in whatever way: what can be read is sent, in order and under its key, and once.
  @Test(arguments: [UInt64](1...12)) func whatCanBeReadIsSent(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for number in 0..<60 {
      let text = "\(number) \(String(repeating: "x", count: Int.random(in: 0...1900, using: &random)))"
      try await fixture.enqueue(fixture.comment(text, on: "p\(number)"), key: "k\(number)")
    }
    // What was delivered must not come back.
    fixture.gateway.answer { call in
      guard call.key.hasSuffix("3") else { throw APIError.status(500) }
      return FakeGateway.success(call)
    }
    #expect(await fixture.outbox.flush().sent == 6)
    await fixture.outbox.stop()
    let size = try #require(try SystemIO.readFile(path)).count
    switch seed % 3 {
    case 0: #expect(truncate(path, off_t(size / 2)) == 0)
    case 1: try damage([UInt8](repeating: 0, count: 100), at: 0)
    default:
      let page = Int.random(in: 0..<size / 4096, using: &random)
      try damage((0..<4096).map { _ in .random(in: 0...255, using: &random) }, at: 4096 * page)
    }
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.like("new"), key: "new")
    let flush = await later.outbox.flush()
    let keys = later.gateway.keys
    #expect(flush.sent == keys.count && keys.last == "new")
    let numbers = keys.dropLast().compactMap { Int($0.dropFirst()) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(numbers)")
    #expect(numbers.allSatisfy { $0 % 10 != 3 })
    #expect(numbers.count >= [15, 54, 40][Int(seed % 3)], "\(numbers.count) of 54 with seed \(seed)")
  }

  /// Half of a page reads as zeros after the cut, and as ids that go back.
  @Test(arguments: [1, 100, 2048, 2049, 4095, 6144, 10_240]) func aPageThatIsCutInTheMiddleIsSalvaged(cut: Int)
    async throws
  {
    for number in 0..<8 {
      try await fixture.enqueue(
        fixture.comment(String(repeating: "x", count: 300), on: "p\(number)"), key: "k\(number)")
    }
    await fixture.outbox.stop()
    let size = try #require(try SystemIO.readFile(path)).count
    #expect(truncate(path, off_t(size - cut)) == 0)
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.like("new"), key: "new")
    _ = await later.outbox.flush()
    let keys = later.gateway.keys
    #expect(keys.last == "new" && keys == Set(keys.dropLast()).sorted() + ["new"], "\(keys)")
  }

  /// The process that has moved the file may end before it has taken over what is in it.
  @Test func aSalvageThatWasInterruptedIsMadeUpFor() async throws {
    try await fill()
    #expect(rename(path, "\(path).corrupt-1764583100") == 0)
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.like("p2"))
    // Another entry may have its id by now, and keeps it.
    #expect(later.waiting.sorted() == ["CreateLike p1", "CreateLike p2"])
    #expect(await later.outbox.flush().sent == 2)
    // Once: what was delivered since does not come back.
    await later.outbox.stop()
    let last = try OutboxFixture(after: fixture)
    await last.outbox.load()
    #expect(last.waiting.isEmpty && last.outbox.state.problem?.contains("outbox.db.corrupt-1764583100") == true)
  }

  /// A process that has the old file open goes over to the new one with its next write.
  @Test func whoHasTheOldFileOpenWritesIntoTheNewOne() async throws {
    try await fixture.enqueue(fixture.like("p1"))
    for suffix in ["-wal", "-shm", ""] { rename(path + suffix, "\(path).corrupt-1764583100\(suffix)") }
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.like("p2"))
    try await fixture.enqueue(fixture.like("p3"))
    await later.outbox.load()
    #expect(later.waiting == ["CreateLike p1", "CreateLike p2", "CreateLike p3"])
  }

  // MARK: Versions

  @Test func aNewerVersionIsRefusedAndLeftAlone() async throws {
    try await fill()
    try SQLiteConnection(opening: path).setUserVersion(99)
    let later = try OutboxFixture(after: fixture)
    let error = await apiError { try await later.enqueue(later.like("p2")) }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("a newer version of NovaSDK has written it; update this program") == true)
    let summary = await later.outbox.flush()
    #expect(summary == OutboxSummary() && later.gateway.calls.isEmpty)
    let failure = await later.outbox.flushed().failure
    #expect(failure?.code == .failedPrecondition && failure?.message.contains("newer version") == true)
    await later.outbox.load()
    #expect(later.outbox.state.problem?.contains("newer version") == true)
    // The newer program still finds its writes.
    let connection = try SQLiteConnection(opening: path)
    #expect(try connection.userVersion() == 99)
    #expect(try connection.statement("SELECT count(*) FROM entries").firstRow { $0.int(0) } == 1)
  }

  @Test func anEmptyFileIsTheOldestVersion() async throws {
    _ = try fixture.folder.write("", to: "outbox.db")
    try await fixture.enqueue(fixture.like("p1"))
    #expect(fixture.waiting == ["CreateLike p1"])
  }

  /// Another version of the SDK has RPCs of its own.
  @Test func unknownCallsWaitForWhoKnowsThem() async throws {
    try await fill()
    let connection = try SQLiteConnection(opening: path)
    try connection.execute("UPDATE entries SET rpc = 'social.CreateWave'")
    let later = try OutboxFixture(after: fixture)
    try await later.enqueue(later.like("p2"))
    #expect(later.waiting == ["CreateLike p2"])
    #expect(later.outbox.state.problem?.contains("entry 1 in") == true)
    #expect(await later.outbox.flush().sent == 1)
    #expect(await later.outbox.flushed().failure?.code == .failedPrecondition)
    #expect(try connection.statement("SELECT rpc FROM entries").firstRow { $0.text(0) } == "social.CreateWave")
  }

  // MARK: Places that cannot be written

  @Test func aMissingDirectoryIsAnError() async throws {
    let outbox = Outbox(
      directory: "\(fixture.folder.path)/none", caller: fixture.gateway, host: fixture.gateway)
    let rule = try OutboxFixture.rule(of: fixture.like("p"))
    let error = await apiError {
      try await outbox.enqueue(identity: .me, rule: rule, request: fixture.like("p"), key: "k")
    }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("nothing was queued") == true && error?.message.contains("check the path") == true)
  }

  /// Another process, because root may write everywhere.
  @Test func aReadOnlyDirectoryIsAnErrorUntilItIsWritable() async throws {
    chmod(fixture.folder.path, 0o777)
    await #expect(processExitsWith: .success) { [directory = fixture.folder.path as String] in
      if geteuid() == 0 { try #require(setuid(65_534) == 0) }
      let folder = "\(directory)/own"
      try #require(mkdir(folder, 0o500) == 0)
      let gateway = FakeGateway()
      let outbox = Outbox(directory: folder, caller: gateway, host: gateway)
      let rule = try #require(OfflineRules.write("social.CreateLike"))
      let request = CreateLikeRequest(userId: "me", postId: "p1")
      let error = await apiError {
        try await outbox.enqueue(identity: .me, rule: rule, request: request, key: "k")
      }
      try #require(error?.code == .failedPrecondition, "\(String(describing: error))")
      try #require(outbox.waiting(for: .me).isEmpty)
      chmod(folder, 0o700)
      _ = try await outbox.enqueue(identity: .me, rule: rule, request: request, key: "k")
      try #require(outbox.waiting(for: .me).count == 1)
    }
  }

  @Test(.disabled(if: Sanitizer.watchesThreads, "the thread sanitizer writes a file of its own, and dies of the limit"))
  func aFullDiskIsAnErrorAndNothingIsHalfWritten() async throws {
    await #expect(processExitsWith: .success) { [directory = fixture.folder.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      let gateway = FakeGateway()
      let outbox = Outbox(directory: directory, caller: gateway, host: gateway)
      let rule = try #require(OfflineRules.write("social.CreateComment"))
      func enqueue(_ number: Int) async throws {
        let text = String(repeating: "x", count: 1900)
        let request = CreateCommentRequest(postId: "p1", userId: "me", content: text)
        _ = try await outbox.enqueue(identity: .me, rule: rule, request: request, key: "k\(number)")
      }
      try await enqueue(0)
      #if canImport(Glibc)
        let file = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #else
        let file = RLIMIT_FSIZE
      #endif
      var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
      try #require(setrlimit(file, &limit) == 0)
      var count = 1
      var error: APIError?
      while error == nil, count < 500 {
        error = await apiError { try await enqueue(count) }
        if error == nil { count += 1 }
      }
      try #require(error?.code == .failedPrecondition, "\(String(describing: error))")
      try #require(error?.message.contains("free some space") == true, "\(String(describing: error))")
      try #require(outbox.waiting(for: .me).count == count)
    }
    let later = try OutboxFixture(after: fixture)
    await later.outbox.load()
    #expect(later.waiting.count > 1)
    #expect(await later.outbox.flush().sent == later.gateway.calls.count)
  }
}
