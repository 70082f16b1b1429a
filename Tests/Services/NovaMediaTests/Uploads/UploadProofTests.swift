import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// A server's reports about an upload are compared with what this machine knows: what it has sent and requested.
@Suite(.hangLimit) struct UploadProofTests {
  private static let bytes = UploadServer.walk
  private static let chunk = 16 << 10

  private static func completed(_ uploadedSize: JSONValue) -> UploadServer.Fault {
    .answers(["status": .string("completed"), "url": .string("/m"), "uploaded_size": uploadedSize])
  }

  // MARK: Completions that were not requested

  /// `file_size` only repeats what StartUpload sent.
  @Test(arguments: [.null, .string("200000"), .number("200000")] as [JSONValue])
  func aCompletionThatNobodyAskedForIsAskedFor(_ size: JSONValue) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, at: .put, number: 13)
    server.setScript { step, _ in step == .get ? Self.completed(size) : nil }
    let error = await apiError { try await media.resumeUpload(pending).value }
    // The digest does not match.
    #expect(error?.code == .failedPrecondition && error?.rpc == "media.CompleteUpload", "\(error as Any)")
    #expect(server.count(.complete) == 1 && server.count(.get) == 1)
    #expect(try await media.pendingUploads().uploads.isEmpty)
  }

  @Test func aCompletionThatNobodyAskedForCanBeTrue() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, at: .put, number: 13, by: .lostAfter)
    server.setScript { step, number in step == .get && number == 1 ? Self.completed(.null) : nil }
    #expect(try await media.resumeUpload(pending).value.status == "completed")
    #expect(server.count(.complete) == 1 && server.onlyUpload?.bytes == Self.bytes)
  }

  /// Bytes that the server has not confirmed are not recorded as confirmed.
  @Test func aCompletionThatFailsConfirmsNothing() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder, at: .put, number: 13)
    server.setScript { step, _ in
      switch step {
      case .get: Self.completed(.null)
      case .complete:
        .refusal(
          200, type: "application/json", #"{"upload":{"id":"up1","status":"completed","uploaded_size":196608}}"#)
      default: nil
      }
    }
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.code == .invalidResponse, "\(error as Any)")
    #expect(try await media.pendingUploads().uploads.map(\.uploadedBytes) == [pending.uploadedBytes])
    server.setScript { _, _ in nil }
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.onlyUpload?.status == "completed")
  }

  /// More bytes than were ever sent belong to another file: the upload starts over.
  @Test(arguments: ["completed", "uploading", "UPLOADED"], [4 * 16_384 + 1, 200_000])
  func moreThanWasSentIsAnotherUpload(_ status: String, _ size: Int) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, path) = try await server.interrupted(in: folder)
    server.setScript { step, _ in
      step == .get ? .answers(["status": .string(status), "uploaded_size": .number(String(size))]) : nil
    }
    let error = await apiError { try await media.resumeUpload(pending).value }
    if status == "completed", size < 200_000 {
      #expect(error?.code == .invalidResponse, "\(error as Any)")
      return
    }
    #expect(error?.code == .notFound && error?.httpStatus == nil, "\(error as Any)")
    #expect(error?.message.contains("though only 65536 were sent") == true, "\(error as Any)")
    #expect(server.count(.complete) == 0)
    #expect(try await media.pendingUploads().uploads.isEmpty)
    server.setScript { _, _ in nil }
    _ = try await media.upload(.file(path), userId: "u").value
    #expect(server.current.uploads["up2"]?.bytes == Self.bytes)
  }

  /// A killed process has recorded no end. It is unknown what it had sent, so the digest decides.
  @Test func aKilledProcessMayHaveSentMore() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    let path = "state/uploads/\(pending.id).upload"
    let lines = String(decoding: try folder.bytes(path), as: UTF8.self).split(separator: "\n")
    #expect(lines.last?.contains(#""sent":65536"#) == true, "\(lines)")
    _ = try folder.write(Array(lines.dropLast().joined(separator: "\n").utf8) + [0x0A], to: path)
    server.change { $0.uploads["up1"]?.bytes = Array(Self.bytes[..<100_000]) }
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes && server.onlyUpload?.status == "completed")
  }

  /// The limit applies only until the upload continues, and attempts without progress do not postpone its expiration.
  @Test func attemptsWithoutProgressChangeNothing() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (_, pending, _) = try await server.interrupted(in: folder)
    let later = try server.media(
      state: folder, attempts: 1, clock: ManualClock(unixTime: 1_764_583_200 + 86_400, autoAdvances: true))
    server.setScript { step, _ in step == .put ? .lostBefore : nil }
    _ = await apiError { try await later.resumeUpload(pending).value }
    let again = try #require(try await later.pendingUploads().uploads.first)
    #expect(again.uploadedBytes == pending.uploadedBytes && again.changedAt == pending.changedAt)
  }

  // MARK: Refusals

  static let refusals: [(Int, String)] = [
    (400, #"{"code":9,"message":"sha256 does not match"}"#), (409, "{}"),
    (409, #"{"error":{"code":"FAILED_PRECONDITION","message":"digest mismatch"}}"#),
    (400, #"{"code":3,"message":"sha256"}"#), (422, "{}"), (409, #"{"code":6,"message":"digest"}"#),
  ]

  /// A first refusal is real, whatever the upload's status is, also when the upload is resumed.
  @Test(arguments: refusals, ["200000", nil]) func aRefusedDigestIsNoSuccess(
    _ refusal: (status: Int, body: String), _ size: String?
  ) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer { step, _ in
      switch step {
      case .complete: .refusal(refusal.status, type: "application/json", refusal.body)
      case .get: Self.completed(size.map { .string($0) } ?? .null)
      default: nil
      }
    }
    let media = try server.media(state: folder, attempts: 1)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.httpStatus == refusal.status, "\(error as Any)")
    if let pending = try await media.pendingUploads().uploads.first {
      let again = await apiError { try await media.resumeUpload(pending).value }
      #expect(again?.httpStatus == refusal.status, "\(again as Any)")
    }
  }

  /// After a lost response, in this process or an earlier one, the same refusal can follow a success.
  @Test(arguments: refusals.prefix(3), [UploadServer.Fault.lostAfter, .status(502)])
  func aRefusalAfterALostAnswerIsChecked(_ refusal: (status: Int, body: String), _ fault: UploadServer.Fault)
    async throws
  {
    for attempts in [1, 3] {
      let folder = try TemporaryFolder()
      let server = UploadServer { step, number in
        guard step == .complete else { return nil }
        return number == 1 ? fault : .refusal(refusal.status, type: "application/json", refusal.body)
      }
      let media = try server.media(state: folder, attempts: attempts)
      let path = try folder.write(Self.bytes, to: "walk.bin")
      let error = await apiError { try await media.upload(.file(path), userId: "u").value }
      if case .status = fault {
        // Nothing was done.
        #expect(error != nil)
      } else if attempts == 1 {
        #expect(error?.code == .networkError, "\(error as Any)")
        let pending = try #require(try await media.pendingUploads().uploads.first)
        server.setScript { step, _ in
          switch step {
          case .complete: .refusal(refusal.status, type: "application/json", refusal.body)
          case .get: .answers(["uploaded_size": .null])
          default: nil
          }
        }
        #expect(try await media.resumeUpload(pending).value.status == "completed")
        #expect(server.count(.complete) == 2)
      } else {
        #expect(error == nil, "\(error as Any)")
      }
    }
  }

  // MARK: Answers to the completion

  @Test func anAnswerWithoutIDIsAboutTheUpload() async throws {
    let folder = try TemporaryFolder()
    for step in [UploadServer.Step.complete, .get] {
      let server = UploadServer { at, number in
        if step == .get, at == .complete { return number == 1 ? .lostAfter : .status(409) }
        return at == step ? .answers(["id": .null]) : nil
      }
      let media = try server.media(state: folder)
      let path = try folder.write(Self.bytes, to: "walk.bin")
      #expect(try await media.upload(.file(path), userId: "u").value.id == "up1", "\(step)")
    }
  }

  static let failures = [
    #""success":false,"message":"virus found""#, #""ok":false"#, #""error":{"code":13,"message":"virus found"}"#,
    #""errors":[{"message":"virus found"}]"#, #""status":"failed""#,
  ]

  /// A failure together with a completed upload counts. An upload that always fails in this way starts over.
  @Test(arguments: failures) func aFailureBesideTheUploadIsOne(_ members: String) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer { step, _ in
      guard step == .complete else { return nil }
      return .refusal(
        200, type: "application/json",
        #"{\#(members),"upload":{"id":"up1","status":"completed","file_size":200000,"uploaded_size":200000,"url":"/m"}}"#
      )
    }
    let media = try server.media(state: folder, attempts: 1)
    let path = try folder.write(Self.bytes, to: "walk.bin")
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error != nil && error?.rpc == "media.CompleteUpload", "\(error as Any)")
    let pending = try #require(try await media.pendingUploads().uploads.first)
    let again = await apiError { try await media.resumeUpload(pending).value }
    #expect(again != nil, "\(again as Any)")
  }

  @Test(arguments: [
    #""success":true"#, #""error":null"#, #""errors":[]"#, #""code":0,"message":"""#, #""status":"ok""#,
  ])
  func aSuccessBesideTheUploadIsOne(_ members: String) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer { step, _ in
      guard step == .complete else { return nil }
      return .refusal(
        200, type: "application/json",
        #"{\#(members),"upload":{"id":"up1","status":"completed","file_size":200000,"uploaded_size":200000,"url":"/m"}}"#
      )
    }
    let path = try folder.write(Self.bytes, to: "walk.bin")
    #expect(try await server.media(state: folder).upload(.file(path), userId: "u").value.url == "/m")
  }

  // MARK: Storages that have lost an upload

  /// The gateway does not notice: the upload starts over, with another key.
  @Test(arguments: [404, 410]) func aStorageThatLostTheUploadIsLeft(_ status: Int) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, path) = try await server.interrupted(in: folder)
    let body = "<?xml version=\"1.0\"?><Error><Code>NoSuchUpload</Code></Error>"
    server.setScript { step, _ in step == .put ? .refusal(status, body) : nil }
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.code == .notFound && error?.httpStatus == nil, "\(error as Any)")
    #expect(error?.message.contains("upload the file again from the beginning") == true)
    #expect(try await media.pendingUploads().uploads.isEmpty)
    server.setScript { _, _ in nil }
    _ = try await media.upload(.file(path), userId: "u").value
    #expect(server.current.uploads["up2"]?.bytes == Self.bytes)
    #expect(Set(server.current.startKeys).count == 2)
  }
}
