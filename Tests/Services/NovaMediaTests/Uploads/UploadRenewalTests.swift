import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// Upload URLs that expire, uploads that the server has lost, and responses with which no upload can work.
@Suite(.hangLimit) struct UploadRenewalTests {
  private static let bytes = UploadServer.walk
  private static let signed = "http://127.0.0.1:9/put/?X-Signature=SECRET"

  struct Refusal: Sendable, CustomTestStringConvertible {
    var status: Int
    var type = "application/xml"
    var body: String

    var fault: UploadServer.Fault { .refusal(status, type: type, body) }
    var testDescription: String { "\(status) \(body)" }
  }

  /// The responses with which storage servers refuse signed URLs.
  static let expired = [
    Refusal(status: 403, body: "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"),
    Refusal(status: 400, body: "<Error><Code>ExpiredToken</Code><Message>The token has expired.</Message></Error>"),
    Refusal(status: 400, type: "application/json", body: #"{"error":{"code":"ExpiredToken","message":"m"}}"#),
    Refusal(status: 401, type: "text/plain", body: "signature expired"),
    Refusal(status: 403, body: "<Error><Code>SignatureDoesNotMatch</Code></Error>"),
    Refusal(status: 403, type: "text/plain", body: ""),
    Refusal(status: 404, body: "<Error><Code>NoSuchUpload</Code></Error>"),
    Refusal(status: 410, type: "text/plain", body: "session is gone"),
  ]

  private func source(_ kind: String, _ folder: TemporaryFolder) throws -> MediaSource {
    try UploadSourceTests.source(kind, Self.bytes, in: folder)
  }

  @Test(arguments: expired, UploadSourceTests.kinds) func anExpiredURLIsRenewed(_ refusal: Refusal, _ kind: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let server = UploadServer(url: Self.signed) { step, number in
      step == .put && [3, 8].contains(number) ? refusal.fault : nil
    }
    let media = try server.media(state: folder)
    let upload = try await media.upload(try source(kind, folder), userId: "u").value
    #expect(upload.status == "completed" && server.onlyUpload?.bytes == Self.bytes)
    // The same key returns the same upload.
    #expect(server.count(.start) == 3 && Set(server.current.startKeys).count == 1)
    #expect(server.count(.put) == 13 + 2)
  }

  /// Without keys, the server starts another upload: all bytes are sent to it, if they can be read again.
  @Test(arguments: UploadSourceTests.kinds) func aServerWithoutKeysGetsAllBytes(_ kind: String) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer(url: Self.signed, recognizesKeys: false) { step, number in
      step == .put && number == 3 ? Self.expired[0].fault : nil
    }
    let media = try server.media(state: folder)
    let upload = media.upload(try source(kind, folder), userId: "u")
    guard ["file", "bytes"].contains(kind) else {
      let error = await apiError { try await upload.value }
      #expect(error?.code == .permissionDenied)
      return
    }
    _ = try await upload.value
    #expect(server.current.uploads["up2"]?.bytes == Self.bytes && server.current.uploads["up2"]?.status == "completed")
  }

  /// A URL that never works is not renewed forever, and the record is kept.
  @Test(arguments: expired.prefix(3)) func renewingHasAnEnd(_ refusal: Refusal) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer(url: Self.signed) { step, _ in step == .put ? refusal.fault : nil }
    let media = try server.media(state: folder)
    let error = await apiError { try await media.upload(try source("file", folder), userId: "u").value }
    #expect(error?.httpStatus == refusal.status && server.count(.put) == 3 && server.count(.start) == 3)
    #expect(try await media.pendingUploads().uploads.count == 1)
    server.setScript { _, _ in nil }
    let pending = try #require(try await media.pendingUploads().uploads.first)
    _ = try await media.resumeUpload(pending).value
    #expect(server.onlyUpload?.bytes == Self.bytes)
  }

  @Test(arguments: [(404, "gone"), (410, "gone"), (404, ""), (410, "{}")])
  func anUploadThatIsGoneBeginsAnew(status: Int, body: String) async throws {
    let gone = UploadServer.Fault.refusal(status, type: "application/json", body)
    // On resuming, in the middle, and at the end.
    for step in [UploadServer.Step.get, .put, .complete] {
      let (server, folder) = (UploadServer(), try TemporaryFolder())
      let (media, pending, path) = try await server.interrupted(in: folder)
      server.setScript { at, number in
        switch step {
        case .get: at == .get ? gone : nil
        case .put: at == .put && number > 7 || at == .get && number > 1 ? gone : nil
        default: at == .complete ? gone : nil
        }
      }
      let error = await apiError { try await media.resumeUpload(pending).value }
      #expect(error?.code == .notFound && error?.httpStatus == nil, "\(step): \(error as Any)")
      #expect(error?.message.contains("upload the file again from the beginning") == true)
      #expect(try await media.pendingUploads().uploads.isEmpty, "\(step)")
      // Running it again starts a new one.
      server.setScript { _, _ in nil }
      _ = try await media.upload(.file(path), userId: "u").value
      #expect(server.current.uploads["up2"]?.bytes == Self.bytes)
    }
  }

  /// A page of another server says nothing about the upload.
  @Test(arguments: [404, 410]) func aPageProvesNothing(status: Int) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (media, pending, _) = try await server.interrupted(in: folder)
    server.setScript { step, _ in
      step == .get ? .refusal(status, type: "text/html", "<html>not here</html>") : nil
    }
    let error = await apiError { try await media.resumeUpload(pending).value }
    #expect(error?.httpStatus == status)
    #expect(try await media.pendingUploads().uploads.count == 1)
  }

  @Test func anIDThatCannotBeUsedIsFoundBeforeBytesAreSent() async throws {
    for id in [String(repeating: "x", count: 20_000), ""] {
      let body = #"{"upload":{"id":"\#(id)"},"upload_url":"/put/x","chunk_size":0}"#
      let server = UploadServer { step, _ in step == .start ? .refusal(200, type: "application/json", body) : nil }
      let error = await apiError { try await server.media().upload(.bytes(Self.bytes), userId: "u").value }
      #expect(error?.code == .invalidResponse && server.count(.put) == 0, "\(error as Any)")
    }
  }

  /// A server that accepts no larger chunks than it requests gets those.
  @Test(arguments: UploadSourceTests.kinds) func aServerGetsTheChunksThatItAsksFor(_ kind: String) async throws {
    let folder = try TemporaryFolder()
    let server = UploadServer(chunkSize: 1000) { step, number in step == .put && number == 1 ? .status(413) : nil }
    _ = try await server.media(state: folder).upload(try source(kind, folder), userId: "u").value
    #expect(server.count(.put) == 201 && server.onlyUpload?.bytes == Self.bytes)
    // Unless there would be too many.
    let tiny = UploadServer(chunkSize: 1) { step, _ in step == .put ? .status(413) : nil }
    let error = await apiError { try await tiny.media().upload(.bytes(Self.bytes), userId: "u").value }
    #expect(error?.httpStatus == 413 && tiny.count(.put) == 1)
  }
}
