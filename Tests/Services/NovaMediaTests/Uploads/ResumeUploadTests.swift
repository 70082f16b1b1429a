internal import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// Uploads of files that end with their process, and continue in another one.
@Suite(.hangLimit) struct ResumeUploadTests {
  static let bytes = UploadServer.walk
  private static let chunk = 16 << 10

  private static let steps: [(UploadServer.Step, Int)] =
    [(.start, 1), (.progress, 1), (.complete, 1)] + (1...13).map { (.put, $0) }

  /// At every step, before and after the server has done it: one upload, and at most one chunk is sent again.
  @Test(arguments: steps, [false, true])
  func anUploadContinuesFromEveryStep(step: (UploadServer.Step, Int), isDone: Bool) async throws {
    // A failed report has no effect.
    guard step.0 != .progress else { return }
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(
      in: folder, at: step.0, number: step.1, by: isDone ? .lostAfter : .lostBefore)
    let upload = media.resumeUpload(pending)
    #expect(upload.id == pending.id)
    let record = try await upload.value
    #expect(record.status == "completed" && server.onlyUpload?.bytes == Self.bytes)
    #expect(server.onlyUpload?.fileName == "walk.bin")
    #expect(server.current.sentBytes <= Self.bytes.count + Self.chunk, "\(server.current.sentBytes)")
    #expect(upload.progress.state == .completed)
    #expect(try await media.pendingUploads().uploads.isEmpty)
    let again = await apiError { try await media.resumeUpload(pending).value }
    #expect(again?.code == .notFound)
  }

  @Test func onlyAPartOfAChunkIsNotSentAgain() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, at: .put, number: 4, by: .keeps(1000))
    #expect(pending.uploadedBytes == 3 * Self.chunk && pending.contentType == "application/octet-stream")
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
    #expect(server.current.sentBytes == Self.bytes.count + Self.chunk - 1000)
  }

  @Test func bytesThatTheServerLostMeanwhileAreSentAgain() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    server.change { $0.uploads["up1"]?.bytes.removeLast(20_000) }
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  /// An upload that is reported as complete without all bytes is not complete, and its record is kept.
  @Test(arguments: [1, 100_000, 199_999]) func anUploadIsNotCompleteWithFewerBytes(_ count: Int) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, number: 13)
    server.change { state in
      state.uploads["up1"]?.bytes = Array(Self.bytes[..<count])
      state.uploads["up1"]?.status = "completed"
    }
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.code == .invalidResponse && error?.rpc == "media.GetUpload", "\(error as Any)")
    #expect(error?.message.contains("completed the upload with \(count) of 200000 bytes") == true, "\(error as Any)")
    #expect(try await media.pendingUploads().uploads.map(\.id) == [pending.id])
    server.change { $0.uploads["up1"]?.bytes = Self.bytes }
    #expect(try await media.resumeUpload(pending).value.status == "completed")
    #expect(try await media.pendingUploads().uploads.isEmpty)
  }

  @Test func aSecretURLIsNotKept() async throws {
    let (server, folder) = (UploadServer(url: "http://127.0.0.1:9/put/?signature=SECRET"), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let journal = try folder.bytes("state/uploads/\(pending.id).upload")
    #expect(!String(decoding: journal, as: UTF8.self).contains("SECRET"))
    // The key returns the same upload and its URL.
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.current.sentBytes <= Self.bytes.count + Self.chunk)
  }

  /// StartUpload is sent again to get the URL, possibly by another account than the one that began the upload.
  @Test func anotherAccountDoesNotRemoveTheRecord() async throws {
    let server = UploadServer(url: "http://127.0.0.1:9/put/?signature=SECRET")
    let folder = try TemporaryFolder()
    let (media, pending, _) = try await server.interrupted(in: folder)
    server.setScript { step, _ in step == .start ? .status(403) : nil }
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.code == .permissionDenied, "\(error as Any)")
    #expect(try await media.pendingUploads().uploads.map(\.id) == [pending.id])
    server.setScript { _, _ in nil }
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  @Test func aSecretURLOfAServerWithoutKeysIsANewUpload() async throws {
    let server = UploadServer(url: "http://127.0.0.1:9/put/?signature=SECRET", recognizesKeys: false)
    let folder = try TemporaryFolder()
    let (media, pending, _) = try await server.interrupted(in: folder)
    _ = try await media.resumeUpload(pending).value
    #expect(server.current.uploads["up2"]?.bytes == Self.bytes && server.current.uploads.count == 2)
  }

  @Test(arguments: ["gone", "failed", "too large"]) func anUploadThatIsGoneIsSaidSo(what: String) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    server.change { state in
      switch what {
      case "gone": state.uploads = [:]
      case "failed": state.uploads["up1"]?.status = "failed"
      default: state.uploads["up1"]?.bytes = [UInt8](repeating: 0, count: 300_000)
      }
    }
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.code == (what == "too large" ? .invalidResponse : .notFound), "\(error as Any)")
    #expect(try await media.pendingUploads().uploads.isEmpty == (what != "too large"))
  }

  @Test func anotherGatewayDoesNotGetTheFile() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (_, pending, _) = try await server.interrupted(in: folder)
    let other = try server.media(state: folder, baseURL: "https://other.example")
    let before = server.current.steps.count
    let error = await apiError { try await other.resumeUpload(pending).value }
    #expect(error?.code == .failedPrecondition && error?.message.contains("http://localhost:8080") == true)
    #expect(server.current.steps.count == before)
    #expect(try await other.pendingUploads().uploads.count == 1)
  }

  /// The caller who begins an upload of user `u`, the caller who wants to resume it, and whether that is allowed.
  static let callers: [(String?, String?, isAllowed: Bool)] = [
    (nil, nil, true), ("user u", "user u", true), ("user u", "user b", false), ("user u", nil, false),
    ("user u", "token 1", false), ("token 1", "token 1", true), ("token 1", "token 2", false),
    ("token 1", nil, false), (nil, "token 1", false), (nil, "user b", false),
    // The upload's owner, regardless of who began it.
    ("token 1", "user u", true), (nil, "user u", true), ("user b", "user u", true), ("user b", "user b", true),
  ]

  private func token(_ name: String?) throws -> AccessToken? {
    guard let name else { return nil }
    let user = name.hasPrefix("user ") ? String(name.dropFirst(5)) : nil
    return try AccessToken("secret-\(name.replacing(" ", with: "-"))", user: user)
  }

  @Test(arguments: callers)
  func anUploadIsResumedByWhoBeganItOrItsOwner(begun: String?, resumed: String?, isAllowed: Bool) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, with: try token(begun))
    let path = "state/uploads/\(pending.id).upload"
    let journal = try folder.bytes(path)
    #expect(!String(decoding: journal, as: UTF8.self).contains("secret-"))
    let before = server.current.steps.count
    let token = try token(resumed)
    let upload = media.with { $0.token = token }.resumeUpload(pending)
    let error = await apiError { try await upload.value }
    if isAllowed {
      #expect(error == nil && server.onlyUpload?.bytes == Self.bytes)
    } else {
      #expect(error?.code == .permissionDenied && error?.message.contains("nothing was sent") == true)
      // Even a cancellation does not remove another user's record.
      await upload.cancel()
      #expect(server.current.steps.count == before)
      #expect(try folder.bytes(path) == journal)
    }
  }

  /// Records of earlier versions have no caller.
  @Test(arguments: [(nil, true), ("token 1", true), ("user u", true), ("user b", false)] as [(String?, Bool)])
  func aRecordWithoutACallerIsTheOwners(resumed: String?, isAllowed: Bool) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let path = "state/uploads/\(pending.id).upload"
    let journal = String(decoding: try folder.bytes(path), as: UTF8.self)
    #expect(journal.contains(#""caller":"","#))
    _ = try folder.write(Array(journal.replacing(#""caller":"","#, with: "").utf8), to: path)
    let token = try token(resumed)
    let error = await apiError { try await media.with { $0.token = token }.resumeUpload(pending).value }
    #expect(error?.code == (isAllowed ? nil : .permissionDenied))
  }

  /// If another user signs in, the rest of an upload is not sent for them.
  @Test func anUploadEndsWhenAnotherUserSignsIn() async throws {
    final class Tokens: TokenProvider {
      let user = Locked("u")
      func accessToken() async throws -> AccessToken? {
        let user = user.withLock { $0 }
        return try AccessToken("token-of-\(user)", user: user)
      }
      func currentUser() async throws -> String? { user.withLock { $0 } }
    }
    let (server, folder, tokens) = (UploadServer(), try TemporaryFolder(), Tokens())
    server.setScript { step, number in
      if step == .put, number == 3 { tokens.user.withLock { $0 = "b" } }
      return nil
    }
    // Real time: on a clock that advances by itself, the deadline can pass before a token provider responds.
    let media = try server.media(state: folder, clock: ContinuousClock()).with { $0.tokens = tokens }
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.code == .unauthorized, "\(String(describing: error))")
    #expect(server.count(.put) == 3)
    // It continues as the user who began it.
    let pending = try #require(try await media.pendingUploads().uploads.first)
    #expect(await apiError { try await media.resumeUpload(pending).value }?.code == .permissionDenied)
    tokens.user.withLock { $0 = "u" }
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  static let changes: [(name: String, message: String)] = [
    ("grown", "it grew from 200000 to 200001 bytes"), ("shrunk", "it shrank from 200000 to 199999 bytes"),
    ("replaced", "another file has taken its place"), ("modified", "it was modified"), ("removed", "No such file"),
    ("a directory", "Is a directory"), ("same times", "the content of"),
  ]

  /// Another file is never the rest of the one that was begun.
  @Test(arguments: changes) func aChangedFileIsRefused(change: (name: String, message: String)) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, path) = try await server.interrupted(in: folder)
    switch change.name {
    case "grown": try FileChange.append([1], to: path)
    case "shrunk": #expect(truncate(path, 199_999) == 0)
    case "replaced":
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
      _ = try folder.write(Self.bytes, to: "walk.bin")
    case "modified":
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    case "removed": try FileManager.default.removeItem(atPath: path)
    case "same times":
      try FileChange.overwrite(at: 7, of: path)
      try FileChange.hideModification(of: path, in: pending, folder)
    default:
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let before = server.current.sentBytes
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.message.contains(change.message) == true, "\(change.name): \(error as Any)")
    #expect([.failedPrecondition, .invalidArgument].contains(error?.code) && server.current.sentBytes == before)
  }

  // MARK: The journal

  @Test func theJournalIsTheUsersAlone() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (_, pending, _) = try await server.interrupted(in: folder)
    let directory = "\(folder.path)/state/uploads"
    for (path, mode) in [(directory, 0o700), ("\(directory)/\(pending.id).upload", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
    }
    let text = String(decoding: try folder.bytes("state/uploads/\(pending.id).upload"), as: UTF8.self)
    #expect(!text.contains(Canary.secret) && text.contains(#""upload_id":"up1""#))
  }

  @Test func aJournalThatOthersCanWriteIsNotFollowed() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let path = "\(folder.path)/state/uploads/\(pending.id).upload"
    #expect(chmod(path, 0o666) == 0)
    let all = try await media.pendingUploads()
    #expect(all.uploads.isEmpty && all.dropped.map(\.id) == [pending.id] && all.dropped[0].journalPath == path)
    #expect(await apiError { try await media.resumeUpload(pending).value }?.code == .failedPrecondition)
  }

  @Test func aDamagedJournalIsReportedAndStays() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    _ = try folder.write("nonsense\n", to: "state/uploads/\(pending.id).upload")
    for _ in 0..<2 {
      let dropped = try await media.pendingUploads().dropped
      #expect(dropped.count == 1 && dropped[0].upload == nil && dropped[0].reason.contains("is damaged"))
    }
    try await media.discardUpload(id: pending.id)
    #expect(try await media.pendingUploads() == PendingUploads(uploads: [], dropped: []))
    try await media.discardUpload(id: pending.id)
    try await media.discardUpload(id: "../../etc/passwd")
  }

  @Test func theJournalOfANewerVersionIsReportedAndStays() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let name = "state/uploads/\(pending.id).upload"
    let text = String(decoding: try folder.bytes(name), as: UTF8.self)
    let newer = text.replacingOccurrences(of: #""version":1"#, with: #""version":2"#)
    _ = try folder.write(newer, to: name)
    let all = try await media.pendingUploads()
    #expect(all.uploads.isEmpty && all.dropped.count == 1)
    #expect(
      all.dropped.first?.reason.contains("was written by a newer version of NovaSDK; update this program") == true)
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(
      error?.code == .failedPrecondition && error?.message.contains("newer version") == true,
      "\(String(describing: error))")
    #expect(try folder.bytes(name) == Array(newer.utf8))
  }

  @Test func tornLinesDoNotHarmTheNextOnes() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, at: .put, number: 4)
    let name = "state/uploads/\(pending.id).upload"
    try FileChange.append(Array(#"{"offset":65"#.utf8), to: "\(folder.path)/\(name)")
    server.setScript { step, number in step == .put && number == 8 ? .lostBefore : nil }
    _ = await apiError { try await media.resumeUpload(pending).value }
    let again = try #require(try await media.pendingUploads().uploads.first)
    #expect(again.uploadedBytes == 6 * Self.chunk)
    server.setScript { _, _ in nil }
    _ = try await media.resumeUpload(again).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  @Test(arguments: [
    (0, false), (6 * 86_400, false), (7 * 86_400 + 60, true), (-86_400 * 365, false),
  ])
  func anUploadExpires(after seconds: Int, isExpired: Bool) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (_, pending, _) = try await server.interrupted(in: folder)
    let clock = ManualClock(unixTime: 1_764_583_200 + Double(seconds))
    let media = try server.media(state: folder, clock: clock)
    let all = try await media.pendingUploads()
    #expect(all.uploads.isEmpty == isExpired && all.dropped.map(\.id) == (isExpired ? [pending.id] : []))
    if isExpired {
      #expect(all.dropped[0].reason.contains("7 days") && all.dropped[0].journalPath == nil)
      #expect(try await media.pendingUploads().dropped.isEmpty)
    }
  }

  /// Another process holds the journal: `flock` of util-linux keeps the lock until its input ends.
  @Test func aRunningUploadOfAnotherProcessIsLeftAlone() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let path = "\(folder.path)/state/uploads/\(pending.id).upload"
    let other = Process()
    let (input, output) = (Pipe(), Pipe())
    other.executableURL = URL(filePath: "/usr/bin/flock")
    other.arguments = ["-x", path, "sh", "-c", "echo locked; read line"]
    (other.standardInput, other.standardOutput) = (input, output)
    try other.run()
    #expect(output.fileHandleForReading.availableData.count == 7)
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.code == .conflict && error?.message.contains("another one") == true, "\(error as Any)")
    #expect(await apiError { try await media.discardUpload(pending) }?.code == .conflict)
    #expect(try await media.pendingUploads() == PendingUploads(uploads: [], dropped: [], running: [pending.id]))
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  @Test func twoResumptionsAreOne() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let (asked, signal) = AsyncStream.makeStream(of: Void.self)
    server.setScript { step, _ in
      guard step == .get else { return nil }
      signal.yield()
      return .hangs
    }
    let first = media.resumeUpload(pending)
    // By then, it has the journal.
    for await _ in asked { break }
    #expect(await apiError { try await media.resumeUpload(pending).value }?.code == .conflict)
    await first.cancel()
    #expect(try await media.pendingUploads().uploads.isEmpty)
  }

  @Test(arguments: ["a file", "no permission", "/dev/full"]) func aPlaceThatCannotBeWrittenIsSaidBeforeAnythingIsSent(
    place: String
  ) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let directory = place == "a file" ? path : place == "/dev/full" ? place : "/proc/nova"
    let client = try APIClient.test(server, overrides: ConfigurationOverrides(stateDirectory: directory), token: nil)
    let media = MediaService(client: client)
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.code == .failedPrecondition && server.current.steps.isEmpty, "\(error as Any)")
    #expect(error?.message.contains("set state_directory (NOVA_STATE_DIRECTORY)") == true)
    _ = try await media.upload(.file(path), userId: "u", isResumable: false).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  // MARK: Files that change while they are uploaded

  @Test(arguments: changes.dropLast()) func aFileThatChangesEndsTheUpload(
    change: (name: String, message: String)
  ) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let path = try folder.write(Self.bytes, to: "walk.bin")
    server.setScript { step, number in
      guard step == .put, number == 3 else { return nil }
      switch change.name {
      case "grown": try? FileChange.append([1], to: path)
      case "shrunk": _ = truncate(path, 199_999)
      case "replaced":
        try? FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        _ = FileManager.default.createFile(atPath: path, contents: Data(Self.bytes))
      case "modified":
        try? FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
      case "removed": try? FileManager.default.removeItem(atPath: path)
      default:
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      return nil
    }
    let media = try server.media(state: folder)
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.code == .failedPrecondition, "\(change.name): \(error as Any)")
    #expect(error?.message.contains("changed since the upload began") == true, "\(change.name): \(error as Any)")
    #expect(server.count(.put) == 3 && server.count(.complete) == 0)
    #expect(try await media.pendingUploads().uploads.isEmpty)
  }

  /// The file is open: removing its permissions does not end its upload.
  @Test func aFileThatBecomesUnreadableIsSentToItsEnd() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let path = try folder.write(Self.bytes, to: "walk.bin")
    server.setScript { step, number in
      if step == .put, number == 3 { chmod(path, 0) }
      return nil
    }
    _ = try await server.media(state: folder).upload(.file(path), userId: "u").value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.onlyUpload?.status == "completed")
  }

  // MARK: Clocks

  /// The clock is set ahead or back by years during an upload, which is stopped and continues later.
  @Test(arguments: [[10, 10], [-10, -10], [10, -10], [-10, 10]]) func aClockThatJumpsHarmsNoUpload(years: [Int])
    async throws
  {
    let (server, folder, clock) = (UploadServer(), try TemporaryFolder(), JumpingClock())
    server.setScript { step, number in
      if step == .put, [3, 6].contains(number) { clock.jump(years: years[number / 3 - 1]) }
      return step == .put && number == 9 ? .lostBefore : nil
    }
    let media = try server.media(state: folder, attempts: 1, clock: clock)
    let upload = media.upload(.file(try folder.write(Self.bytes, to: "walk.bin")), userId: "u")
    #expect(await apiError { try await upload.value }?.code == .networkError)
    #expect(upload.progress.bytesPerSecond.map { $0 > 0 } ?? true)
    // Set right again.
    clock.jump(years: -years[0] - years[1])
    let all = try await media.pendingUploads()
    #expect(all.dropped.isEmpty && all.uploads.map(\.uploadedBytes) == [8 * Self.chunk], "\(all)")
    _ = try await media.resumeUpload(try #require(all.uploads.first)).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }
}

/// A clock whose time of day can be set. Its monotonic time is not affected.
private final class JumpingClock: CallClock {
  private let clock = ManualClock(autoAdvances: true)
  private let offset = Locked(0.0)

  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }
  var unixTime: Double { clock.unixTime + offset.withLock { $0 } }

  func jump(years: Int) { offset.withLock { $0 += Double(years) * 365 * 86_400 } }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}

/// Changes of files.
enum FileChange {
  static func append(_ bytes: [UInt8], to path: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: bytes)
  }

  static func overwrite(at offset: UInt64, of path: String) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    try file.seek(toOffset: offset)
    let old = try file.read(upToCount: 1)?.first ?? 0
    try file.seek(toOffset: offset)
    try file.write(contentsOf: [old ^ 1])
  }

  /// Sets the journal's modification time to that of the changed file, so that the times do not reveal the change.
  static func hideModification(of path: String, in pending: PendingUpload, _ folder: TemporaryFolder) throws {
    let name = "state/uploads/\(pending.id).upload"
    let identity = try #require(FileIdentity(path: path))
    var lines = String(decoding: try folder.bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    var record = try #require(UploadRecord(journal: Array("\(lines[0])\n".utf8)))
    record.beginning.file = identity
    lines[0] = String(decoding: record.beginning.json.jsonUTF8, as: UTF8.self)
    let file = try FileHandle(forUpdating: URL(filePath: "\(folder.path)/\(name)"))
    defer { try? file.close() }
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Array((lines.joined(separator: "\n") + "\n").utf8))
  }
}
