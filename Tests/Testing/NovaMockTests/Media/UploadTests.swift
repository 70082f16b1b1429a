import NovaAuth
import NovaCore
import NovaCrypto
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct UploadTests {
  private let mock = MockCaller()
  private let file = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  @Test func startingTellsWhereAndHowMuchToSend() throws {
    let answer = try mock.startUpload(1000)
    #expect(answer.uploadUrl == "/api/v1/media/upload/upload-1/bytes")
    #expect(
      answer.upload
        == Upload(
          id: "upload-1", userId: "u", fileName: "walk.mp4", fileSize: 1000, status: "pending",
          createdAt: MockCaller.start, contentType: "video/mp4"))
    #expect(try mock.upload("upload-1") == answer.upload)
    let missing = try mock.call(MediaRPC.getUpload, GetUploadRequest(uploadId: "upload-2"))
    #expect(!missing.found && missing.upload == nil)
  }

  @Test(arguments: [(1, 1), (8 << 20, 1), (24 << 20, 3), (100 << 20, 4), (4 << 30, 4)])
  func chunksAreAnEighthOfTheFileFromOneToFourMebibytes(size: Int, mebibytes: Int64) throws {
    #expect(try mock.startUpload(size).chunkSize == mebibytes << 20)
  }

  @Test(arguments: [
    (StartUploadRequest(fileName: "a", fileSize: 1), "user_id"),
    (StartUploadRequest(userId: "u", fileSize: 1), "file_name"),
    (StartUploadRequest(userId: "u", fileName: "a"), "file_size"),
    (StartUploadRequest(userId: "u", fileName: "a", fileSize: -1), "file_size"),
    (StartUploadRequest(userId: "u", fileName: "a", fileSize: 4 << 30 + 1), "file_size"),
    (StartUploadRequest(userId: "u", fileName: "a/b", fileSize: 1), "file_name"),
    (StartUploadRequest(userId: "u", fileName: "a/\u{301}b", fileSize: 1), "file_name"),
    (StartUploadRequest(userId: "u", fileName: "..", fileSize: 1), "file_name"),
    (StartUploadRequest(userId: "u", fileName: String(repeating: "é", count: 128), fileSize: 1), "file_name"),
    (StartUploadRequest(userId: "u", fileName: "a", fileSize: 1, contentType: "a\r\nX: y"), "content_type"),
    (StartUploadRequest(userId: "u", fileName: "a", fileSize: 1, contentType: "vidéo/mp4"), "content_type"),
    (
      StartUploadRequest(userId: "u", fileName: "a", fileSize: 1, contentType: String(repeating: "a", count: 256)),
      "content_type"
    ),
  ])
  func invalidFilesAreRejected(request: StartUploadRequest, field: String) throws {
    let refusal = try #require(try mock.refusal(MediaRPC.startUpload, request))
    #expect(refusal.grpcStatus == .invalidArgument && refusal.message.hasPrefix(field), "\(refusal)")
  }

  @Test func reportsCountUntilBytesCome() throws {
    let start = try mock.startUpload(1000)
    func report(_ size: Int64) throws -> Upload? {
      try mock.call(
        MediaRPC.updateUploadProgress, UpdateUploadProgressRequest(uploadId: "upload-1", uploadedSize: size)
      ).upload
    }
    #expect(try report(0)?.status == "pending")
    #expect(try report(600)?.uploadedSize == 600)
    let late = try report(400)
    #expect(late?.uploadedSize == 600 && late?.status == "uploading")
    // Reports do not store bytes: the response contains the offset to continue from.
    let conflict = try mock.put(file, 600..<700, to: start.uploadUrl)
    #expect(conflict.status == 409 && conflict.upload?.uploadedSize == 0)
    #expect(try mock.put(file, 0..<100, to: start.uploadUrl).upload?.uploadedSize == 100)
    #expect(try report(900)?.uploadedSize == 100)
  }

  @Test func impossibleReportsAreRefused() throws {
    _ = try mock.startUpload(1000)
    for (id, size, status) in [
      ("upload-1", Int64(-1), GRPCStatus.invalidArgument), ("upload-1", 1001, .invalidArgument),
      ("upload-2", 1, .notFound), ("", 1, .invalidArgument),
    ] {
      let request = UpdateUploadProgressRequest(uploadId: id, uploadedSize: size)
      #expect(try mock.refusal(MediaRPC.updateUploadProgress, request)?.grpcStatus == status, "\(request)")
    }
  }

  @Test func completingNeedsAllBytesAndTheirDigest() throws {
    let start = try mock.startUpload(file.count)
    func complete(_ sha256: String, _ id: String = "upload-1") throws -> GRPCStatus? {
      try mock.refusal(MediaRPC.completeUpload, CompleteUploadRequest(uploadId: id, sha256: sha256))?.grpcStatus
    }
    let digest = Hexadecimal.encode(try SHA256.digest(of: file))
    #expect(try complete(digest) == .failedPrecondition)
    #expect(try mock.put(file, 0..<999, to: start.uploadUrl).status == 200)
    #expect(try complete(digest) == .failedPrecondition)
    #expect(try mock.put(file, 999..<1000, to: start.uploadUrl).status == 200)
    #expect(try complete("") == .invalidArgument)
    #expect(try complete("no digest") == .failedPrecondition)
    #expect(try complete(Hexadecimal.encode(try SHA256.digest(of: []))) == .failedPrecondition)
    #expect(try complete(digest, "upload-2") == .notFound)
    #expect(try mock.upload("upload-1")?.status == "uploading")
    for text in [digest, digest.uppercased()] { #expect(try complete(text) == nil) }
    #expect(try complete(Hexadecimal.encode(try SHA256.digest(of: []))) == .failedPrecondition)
    let upload = try mock.upload("upload-1")
    #expect(upload?.status == "completed" && upload?.uploadedSize == 1000)
    #expect(upload?.url == "/media/upload-1/walk.mp4")
  }

  @Test(arguments: [
    ("walk.mp4", "video/mp4", "/media/upload-1/walk.mp4", "video/mp4"),
    ("Café & 100%?.bin", "", "/media/upload-1/Caf%C3%A9%20%26%20100%25%3F.bin", "application/octet-stream"),
  ])
  func completedFilesAreServed(name: String, type: String, url: String, servedType: String) async throws {
    #expect(try mock.upload(file, name: name, type: type).url == url)
    let response = mock.get(url)
    #expect(response.status == 200)
    #expect(try await response.body.collect(upTo: 1000) == file)
    #expect(response.headers["Content-Type"] == servedType)
  }

  @Test func otherFilesAreNot() throws {
    _ = try mock.upload(file)
    _ = try mock.startUpload(1000)
    for path in ["upload-1/other.mp4", "upload-2/walk.mp4", "upload-3/walk.mp4", "upload-1"] {
      #expect(mock.get("/media/\(path)").status == 404, "\(path)")
    }
    let response = mock.backend.respond(
      to: HTTPRequest(method: .delete, url: HTTPURL(received: "/media/upload-1/walk.mp4")))
    #expect(response.status == 405 && response.headers["Allow"] == "GET, HEAD")
  }

  @Test func callersUploadOnlyForThemselves() throws {
    let token = try mock.call(
      AuthRPC.register, RegisterRequest(email: "a@x.example", username: "ada", password: "12345678")
    ).token
    let others = try mock.startUpload(10)
    let refusals = [
      try mock.refusal(
        MediaRPC.startUpload, StartUploadRequest(userId: "u", fileName: "a", fileSize: 1), token: token),
      try mock.refusal(
        MediaRPC.updateUploadProgress, UpdateUploadProgressRequest(uploadId: "upload-1", uploadedSize: 1),
        token: token),
      try mock.refusal(
        MediaRPC.completeUpload, CompleteUploadRequest(uploadId: "upload-1", sha256: "00"), token: token),
      Refusal(mock.put([1], to: others.uploadUrl, range: "bytes 0-0/10", digest: nil, token: token)),
    ]
    #expect(refusals.allSatisfy { $0?.grpcStatus == .permissionDenied }, "\(refusals)")
    #expect(mock.put([1], to: others.uploadUrl, range: "bytes 0-0/10", digest: nil, token: "bad").status == 401)
  }
}
