import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// Every kind of wrong response at every step of an upload: none completes an upload that is not complete, and no
/// harmless one ends an upload.
@Suite(.hangLimit) struct UploadAnswerTests {
  private typealias Step = UploadServer.Step
  private static let bytes = UploadServer.walk

  enum Outcome: Sendable {
    case completes
    /// Fails, and the upload is kept.
    case refused(APIError.Code)
    /// Fails, and has to start over.
    case gone(APIError.Code)
  }

  /// A response, and its outcome at the start, a chunk, the progress, the completion, and when an upload is resumed.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: UploadServer.Fault
    let outcomes: [UploadServer.Step: Outcome]

    init(
      _ name: String, _ fault: UploadServer.Fault, start: Outcome? = nil, put: Outcome? = nil,
      complete: Outcome? = nil, get: Outcome? = nil
    ) {
      (self.name, self.fault) = (name, fault)
      // The response to a report has no effect.
      outcomes = [.start: start, .put: put, .progress: .completes, .complete: complete, .get: get].compactMapValues(
        \.self)
    }

    init(
      _ name: String, _ members: [String: JSONValue], start: Outcome? = nil, put: Outcome? = nil,
      complete: Outcome? = nil, get: Outcome? = nil
    ) {
      self.init(name, .answers(members), start: start, put: put, complete: complete, get: get)
    }

    var testDescription: String { name }
  }

  private static func page(_ status: Int) -> UploadServer.Fault {
    .refusal(status, type: "text/html", "<html>Please sign in</html>")
  }

  private static func statuses(
    _ words: [String], start: Outcome?, put: Outcome, complete: Outcome, get: Outcome
  ) -> [Row] {
    words.map {
      Row(
        "status \($0)", ["status": .string($0), "url": .null], start: start, put: put, complete: complete, get: get)
    }
  }

  private static let lie = Outcome.refused(.invalidResponse)
  private static let isRestarted = Outcome.gone(.notFound)

  static let rows: [Row] =
    [
      Row("as it is", [:], start: .completes, put: .completes, complete: .completes, get: .completes),
      Row("another id", ["id": .string("other")], put: lie, complete: .refused(.unconfirmed), get: lie),
      Row("the id in capitals", ["id": .string("UP1")], put: .completes, complete: .completes, get: .completes),
      Row(
        "another user", ["user_id": .string("victim")], start: .gone(.invalidResponse), put: lie, complete: lie,
        get: isRestarted),
      Row(
        "the user's resource name", ["user_id": .string("users/u")], start: .completes, put: .completes,
        complete: .completes,
        get: .completes),
      Row(
        "another size", ["file_size": .number("5")], start: .gone(.invalidResponse), put: lie, complete: lie,
        get: isRestarted),
      Row(
        "no sizes", ["file_size": .null, "uploaded_size": .null], start: .completes, put: .completes,
        complete: .completes,
        get: .completes),
      Row(
        "a size of 0", ["uploaded_size": .number("0")], start: .completes, put: .completes, complete: lie,
        get: .completes),
      Row(
        "a size of 0 as text", ["uploaded_size": .string("0")], start: .completes, put: .completes, complete: lie,
        get: .completes),
      Row("too small a size", ["uploaded_size": .number("16384")], start: .completes, complete: lie, get: .completes),
      Row(
        "another type", ["content_type": .string("image/png")], start: .completes, put: .completes,
        complete: .completes,
        get: .completes),
      Row("another name", ["file_name": .string("f-1.bin")], start: .completes, put: .completes, complete: .completes),
      Row("no name", ["file_name": .null], start: .completes, put: .completes, complete: .completes, get: .completes),
      Row(
        "completed, another time",
        [
          "status": .string("completed"), "uploaded_size": .number("200000"), "created_at": .number("7"),
          "url": .string("/m"),
        ],
        get: isRestarted),
      Row(
        "completed without bytes",
        ["status": .string("completed"), "uploaded_size": .number("0"), "url": .string("/m")], complete: lie,
        get: isRestarted),
      Row(
        "completed with some bytes",
        ["status": .string("COMPLETED"), "uploaded_size": .number("9"), "url": .string("/m")], complete: lie, get: lie),
      Row(
        "without a status", ["status": .null], start: .completes, put: .completes, complete: .completes, get: .completes
      ),
      Row(
        "an unknown status", ["status": .string("frobnicated")], put: .completes, complete: .completes, get: .completes),
      Row("a page", page(200), put: lie, complete: lie, get: lie),
    ]
    + statuses(
      [
        "failed", "FAILED", "Failed", "UPLOAD_STATUS_FAILED", "uploadFailed", "error", "rejected", "aborted", "expired",
        "cancelled", "canceled", "quarantined", "FILE_INFECTED", "upload-deleted",
      ], start: isRestarted, put: isRestarted, complete: lie, get: isRestarted)
    + statuses(
      ["pending", "UPLOADING", "IN_PROGRESS"], start: .completes, put: .completes, complete: lie, get: .completes)
    + statuses(["processing", "Uploaded"], start: .completes, put: .completes, complete: .completes, get: .completes)

  private static let cells: [(Row, UploadServer.Step)] = rows.flatMap { row in
    [Step.start, .put, .progress, .complete, .get].compactMap { step in row.outcomes[step] == nil ? nil : (row, step) }
  }

  @Test(arguments: 0..<cells.count) func noAnswerMakesAnUploadComplete(_ cell: Int) async throws {
    let (row, step) = Self.cells[cell]
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    server.change { $0.describesUploads = true }
    let (media, pending, path) = try await server.interrupted(
      in: folder, at: step == .start ? .start : .put, number: step == .start ? 1 : 4)
    if step == .start { try await media.discardUpload(pending) }
    server.setScript { at, number in at == step && (step != .put || number == 7) ? row.fault : nil }
    let upload =
      step == .start ? media.upload(.file(path), userId: "u") : media.resumeUpload(pending)
    let error = await apiError { try await upload.value }
    let isPending = try await !media.pendingUploads().uploads.isEmpty
    switch row.outcomes[step] {
    case .completes:
      #expect(error == nil, "\(row.name) at \(step): \(error as Any)")
      #expect(server.current.uploads.values.contains { $0.bytes == Self.bytes && $0.status == "completed" })
    case .refused(let code):
      #expect(error?.code == code && isPending, "\(row.name) at \(step): \(error as Any)")
    case .gone(let code):
      #expect(error?.code == code && !isPending, "\(row.name) at \(step): \(error as Any)")
    case nil: return
    }
    if error == nil { return }
    // There is a way out: the same command, once the server responds correctly.
    server.setScript { _, _ in nil }
    if let rest = try await media.pendingUploads().uploads.first {
      _ = try await media.resumeUpload(rest).value
    } else {
      _ = try await media.upload(.file(path), userId: "u").value
    }
    #expect(server.current.uploads.values.contains { $0.bytes == Self.bytes && $0.status == "completed" })
  }

  // MARK: Answers to bytes

  static let noStorage: [(UploadServer.Fault, Int)] = [
    (page(200), 200), (.refusal(200, type: "text/plain", "<!DOCTYPE html><p>sign in"), 200), (page(202), 202),
    (.refusal(200, #"<?xml version="1.0"?><Error><Code>InternalError</Code></Error>"#), 200),
    (.refusal(200, "\u{FEFF}\n<Error><Code>SlowDown</Code></Error>"), 200),
    (.refusal(201, type: "application/json", #"{"success":false,"message":"disk full"}"#), 201),
    (.refusal(200, type: "application/json", #"{"code":13,"message":"disk full"}"#), 200),
    (.refusal(200, type: "application/json", #"{"error":{"code":"INTERNAL","message":"disk full"}}"#), 200),
    (.refusal(200, type: "application/json", #"{"errorMessage":"disk full"}"#), 200),
    (.refusal(200, type: "application/json", #"{"status":403,"title":"Blocked"}"#), 200),
    (.refusal(201, type: "application/json", #"{"errors":[{"message":"disk full"}]}"#), 201),
    (.refusal(200, type: "application/json", #"{"ok":false}"#), 200),
  ]

  @Test(arguments: 0..<noStorage.count) func whatIsNoStorageConfirmsNothing(_ number: Int) async throws {
    let (fault, status) = Self.noStorage[number]
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    server.setScript { step, number in step == .put && number == 3 ? fault : nil }
    let media = try server.media(state: folder, attempts: 1)
    let upload = media.upload(.file(try folder.write(Self.bytes, to: "walk.bin")), userId: "u")
    let error = await apiError { try await upload.value }
    #expect(error?.httpStatus == status && error?.rpc == "media.UploadBytes", "\(error as Any)")
    #expect(upload.progress.uploadedBytes == 32_768)
    let pending = try #require(try await media.pendingUploads().uploads.first)
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  static let storages: [HTTPResponse] = [
    HTTPResponse(status: 200), HTTPResponse(status: 204), HTTPResponse(status: 202),
    HTTPResponse(
      status: 201, headers: ["Content-Type": "text/html"], body: Array("<!DOCTYPE html><title>201 Created</title>".utf8)
    ),
    HTTPResponse(status: 200, headers: ["Content-Type": "application/xml"], body: Array("<PutResult/>".utf8)),
    HTTPResponse(status: 200, body: Array(#"{"code":200,"message":"ok"}"#.utf8)),
    HTTPResponse(status: 200, body: Array(#"{"code":0,"message":"","success":true}"#.utf8)),
    HTTPResponse(status: 200, body: Array("OK".utf8)), HTTPResponse(status: 200, body: Array("[]".utf8)),
    HTTPResponse(status: 200, body: Array(#"{"upload":{"created_at":{}}}"#.utf8)),
    HTTPResponse(status: 200, body: Array(#"{"detail":"chunk received"}"#.utf8)),
    HTTPResponse(status: 200, body: Array(#"{"title":"walk.bin","errors":[],"status":"active"}"#.utf8)),
  ]

  @Test(arguments: 0..<storages.count) func aStorageMaySayWhatItLikes(_ number: Int) throws {
    let answer = try ChunkAnswer(Self.storages[number])
    #expect(answer.storedSize == nil)
  }

  /// A storage server that accepts everything and stores nothing, with a gateway that reports it.
  @Test func nothingIsCompleteOfWhichTheServerHasNothing() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    server.setScript { step, _ in
      switch step {
      case .put: .refusal(204, "")
      case .complete:
        .refusal(
          200, type: "application/json",
          #"{"upload":{"id":"up1","status":"completed","file_size":200000,"uploaded_size":0,"url":"/m"}}"#)
      default: nil
      }
    }
    let media = try server.media(state: folder)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(
      error?.code == .invalidResponse && error?.message.contains("with 0 of 200000 bytes") == true, "\(error as Any)")
    #expect(try await media.pendingUploads().uploads.count == 1)
  }

  /// A completion that fails although the server reports all bytes: the first time, it can be resumed; after that, the
  /// upload starts over.
  @Test(arguments: ["failed", "UPLOAD_STATUS_REJECTED"]) func aCompletionThatFailsAgainIsOver(_ status: String)
    async throws
  {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    server.setScript { step, _ in
      guard step == .complete else { return nil }
      let upload = #"{"upload":{"id":"up1","status":"\#(status)","file_size":200000,"uploaded_size":200000}}"#
      return .refusal(200, type: "application/json", upload)
    }
    let media = try server.media(state: folder)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let first = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(first?.code == .invalidResponse, "\(first as Any)")
    let pending = try #require(try await media.pendingUploads().uploads.first)
    let second = await apiError { try await media.resumeUpload(pending).value }
    #expect(second?.code == .notFound && second?.httpStatus == nil, "\(second as Any)")
    #expect(second?.message.hasSuffix("; upload the file again from the beginning") == true)
    #expect(try await media.pendingUploads().uploads.isEmpty)
    server.setScript { _, _ in nil }
    _ = try await media.upload(.file(path), userId: "u").value
    #expect(server.current.uploads["up2"]?.status == "completed")
  }

  /// A server that is still busy can finish later, so the upload is kept.
  @Test func aCompletionThatIsNotOverCanBeResumed() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    server.setScript { step, _ in
      step == .complete
        ? .refusal(200, type: "application/json", #"{"upload":{"id":"up1","status":"pending"}}"#) : nil
    }
    let media = try server.media(state: folder)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    _ = await apiError { try await media.upload(.file(path), userId: "u").value }
    for _ in 0..<2 {
      let pending = try #require(try await media.pendingUploads().uploads.first)
      let error = await apiError { try await media.resumeUpload(pending).value }
      #expect(error?.code == .invalidResponse, "\(error as Any)")
    }
    server.setScript { _, _ in nil }
    _ = try await media.resumeUpload(try #require(try await media.pendingUploads().uploads.first)).value
    #expect(server.onlyUpload?.status == "completed")
  }

  // MARK: Ids that are given again

  /// The server has started over, and its first upload is another file of the same user and size.
  @Test(arguments: [true, false]) func anotherUploadOfTheSameIDIsNotTaken(isComplete: Bool) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    server.change { $0.describesUploads = true }
    let (media, pending, path) = try await server.interrupted(in: folder)
    let other = [UInt8](repeating: 7, count: Self.bytes.count)
    server.change { state in
      (state.uploads, state.keys) = ([:], [:])
      state.time += 1
    }
    let path2 = try folder.write(other, to: "other.bin")
    let second = try server.media()
    _ = await apiError { try await second.upload(.file(path2), userId: "u", isResumable: false).value }
    if !isComplete {
      server.change { state in
        state.uploads["up1"]?.bytes.removeLast(100_000)
        state.uploads["up1"]?.status = "uploading"
      }
    }
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.code == .notFound && error?.httpStatus == nil, "\(error as Any)")
    #expect(error?.message.contains("its file is \"other.bin\"") == true, "\(error as Any)")
    #expect(try await media.pendingUploads().uploads.isEmpty)
    _ = try await media.upload(.file(path), userId: "u").value
    #expect(server.current.uploads["up2"]?.bytes == Self.bytes)
  }

  /// A server that changes a name or a type is still the same server.
  @Test(arguments: ["at once", "later", "later, without a time"]) func aServerThatNormalizesKeepsTheUpload(
    _ when: String
  ) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    server.change { $0.describesUploads = when != "later, without a time" }
    let (media, pending, _) = try await server.interrupted(in: folder)
    if when == "at once" {
      // Like its first response would have been.
      let name = "state/uploads/\(pending.id).upload"
      let journal = String(decoding: try folder.bytes(name), as: UTF8.self)
      _ = try folder.write(
        journal.replacing(#""file_name":"walk.bin","created_at""#, with: #""file_name":"WALK_1.bin","created_at""#),
        to: name)
    }
    server.change { state in
      state.describesUploads = true
      state.uploads["up1"]?.fileName = when == "at once" ? "walk_1.bin" : "0f3a.bin"
      state.uploads["up1"]?.contentType = "application/x-walk"
      if when == "at once" { state.uploads["up1"]?.createdAt += 1 }
    }
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.current.sentBytes <= Self.bytes.count + 16_384)
  }

  /// Without any size, the digest shows whether the bytes are there, and nothing is sent again.
  @Test func aCompletedUploadWithoutSizesIsVerified() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, at: .complete, number: 1, by: .lostAfter)
    let sent = server.current.sentBytes
    server.setScript { step, _ in step == .get ? .answers(["file_size": .null, "uploaded_size": .null]) : nil }
    #expect(try await media.resumeUpload(pending).value.status == "completed")
    #expect(server.current.sentBytes == sent && server.count(.complete) == 2)
  }

  // MARK: Repetitions

  /// How servers refuse to complete an upload that is already complete.
  static let refusals: [(Int, String)] = [
    (400, #"{"code":9,"message":"already completed"}"#), (409, #"{"code":6,"message":"already completed"}"#),
    (412, #"{"error":{"code":"FAILED_PRECONDITION","message":"x"}}"#), (400, #"{"code":3,"message":"already"}"#),
    (409, ""), (404, #"{"code":5,"message":"no such pending upload"}"#), (410, "{}"),
  ]

  @Test(arguments: refusals, UploadSourceTests.kinds)
  func aCompletionWhoseAnswerWasLostHasTakenPlace(_ refusal: (status: Int, body: String), _ kind: String) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer { step, number in
      guard step == .complete else { return nil }
      return number == 1 ? .lostAfter : .refusal(refusal.status, type: "application/json", refusal.body)
    }
    let media = try server.media(state: folder)
    let record = try await media.upload(try UploadSourceTests.source(kind, Self.bytes, in: folder), userId: "u").value
    #expect(record.status == "completed" && server.onlyUpload?.bytes == Self.bytes && server.count(.complete) >= 2)
    #expect(try await media.pendingUploads().uploads.isEmpty)
  }

  /// The refusal of an incomplete upload is final, and one that cannot be verified loses nothing.
  @Test(arguments: [(400, nil), (409, nil), (400, 500), (409, 500)] as [(Int, Int?)])
  func aRefusedCompletionIsNoCompletion(_ status: Int, _ get: Int?) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer { step, number in
      switch step {
      case .complete where number == 1: .lostBefore
      case .complete:
        .refusal(status, type: "application/json", status == 400 ? #"{"code":9,"message":"digest"}"# : "{}")
      case .get: get.map { .status($0) }
      default: nil
      }
    }
    let media = try server.media(state: folder, attempts: 2)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.httpStatus == get ?? status, "\(error as Any)")
    let isFinal = status == 400 && get == nil
    #expect(try await media.pendingUploads().uploads.isEmpty == isFinal)
  }

  /// A URL that is valid for a few chunks, with a gateway that does not count them, or that starts another upload.
  @Test(arguments: [("", true), ("", false), ("?signature=1", true), ("?signature=1", false)])
  func repetitionsWithoutProgressHaveAnEnd(_ query: String, _ recognizesKeys: Bool) async throws {
    let (folder, clock) = (try TemporaryFolder(), ManualClock(autoAdvances: true))
    let puts = Locked(0)
    let server = UploadServer(url: "http://127.0.0.1:9/put/\(query)", recognizesKeys: recognizesKeys) { step, _ in
      switch step {
      case .get:
        puts.withLock { $0 = 0 }
        return .answers(["uploaded_size": .number("0")])
      case .put:
        let number = puts.withLock {
          $0 += 1; return $0
        }
        let isOver = number > 3
        if isOver { return query.isEmpty ? .status(410) : .status(403) }
        return .refusal(200, "")
      default: return nil
      }
    }
    let media = try server.media(state: folder, clock: clock)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    // A storage server that has lost the upload does not find it again.
    #expect(error?.httpStatus == (query.isEmpty ? nil : 403), "\(error as Any)")
    #expect(error?.message.contains("other URLs for ") == true && error?.message.contains("in vain") == true)
    #expect(server.count(.put) <= 12 && server.count(.start) == 3, "\(server.current.steps)")
    #expect(clock.elapsed > .milliseconds(100))
    #expect(try await media.pendingUploads().uploads.count == (query.isEmpty ? 0 : 1))
  }

  /// An expired URL is an error about the URL, and the record is kept.
  @Test(arguments: [500, 503, 409, 429, 400, 403]) func anURLThatIsNotRenewedLosesNothing(_ status: Int) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer(url: "http://127.0.0.1:9/put/?signature=1") { step, number in
      step == .put && number == 3 ? .status(403) : step == .start && number > 1 ? .status(status) : nil
    }
    let media = try server.media(state: folder, attempts: 1)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    let isOfRenewal = ![400, 403].contains(status)
    #expect(error?.httpStatus == (isOfRenewal ? status : 403), "\(error as Any)")
    #expect(error?.message.contains("the URL for the bytes has expired") == isOfRenewal, "\(error as Any)")
    server.setScript { _, _ in nil }
    let pending = try #require(try await media.pendingUploads().uploads.first)
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  // MARK: Errors of other calls

  /// A failed session refresh says nothing about the upload.
  @Test(arguments: [400, 404, 410, 409, 403]) func anErrorOfAnotherCallEndsNoUpload(_ status: Int) throws {
    var error = APIError(.notFound, "the session was not refreshed", rpc: "auth.Refresh", httpStatus: status)
    #expect(error.concernsAnotherCall && !UploadGone.isReported(by: error))
    #expect(!UploadURLExpiry.isReported(by: error, of: "https://storage.example/put?signature=1"))
    error.rpc = "media.GetUpload"
    #expect(!error.concernsAnotherCall && UploadGone.isReported(by: error) == [404, 410].contains(status))
  }

  /// The failure of a refresh that a call waited for says nothing about the resumed upload.
  @Test(arguments: [400, 404, 410]) func aRefreshThatFailsKeepsTheRecord(_ status: Int) async throws {
    struct Tokens: TokenProvider {
      let status: Int
      func accessToken() async throws -> AccessToken? {
        var error = APIError(.notFound, "the session was not refreshed", rpc: "auth.Refresh", httpStatus: status)
        error.isOfRefresh = true
        throw error
      }
      func currentUser() async throws -> String? { "u" }
    }
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let error = await apiError {
      try await media.with { $0.tokens = Tokens(status: status) }.resumeUpload(pending).value
    }
    #expect(error != nil)
    #expect(try await media.pendingUploads().uploads.map(\.id) == [pending.id])
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  // MARK: Statuses

  @Test func statusesAreReadAsWords() {
    let statuses: [(String, UploadStatus)] = [
      ("completed", .completed), ("COMPLETED", .completed), ("UPLOAD_STATUS_COMPLETED", .completed),
      ("uploadCompleted", .completed), ("uploading", .inProgress), ("UPLOAD_STATE_IN_PROGRESS", .inProgress),
      ("uploaded", .received), ("Processing", .received), ("", .unknown), ("UPLOAD_STATUS_UNSPECIFIED", .unknown),
      ("3", .unknown), ("frobnicated", .unknown), ("upload", .unknown), ("failed", .failed("failed")),
      ("UPLOAD_STATUS_FAILED", .failed("failed")), ("failed-checksum", .failed("failed checksum")),
      ("unfailed", .unknown),
    ]
    for (text, status) in statuses { #expect(UploadStatus(text) == status, "\(text)") }
  }
}
