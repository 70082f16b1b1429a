import NovaCore
import NovaMedia
import NovaTestSupport
import Testing

/// The three requests for an image, and where its bytes and the token are sent.
@Suite struct ImageUploadTests {
  private static let token = "header.payload.signature"

  /// Responds to StartUpload with `url`, to the bytes with `bytes`, and to everything else with a completed upload.
  private func transport(
    _ url: String, bytes: (status: Int, body: String) = (200, "{}"), completed: String = #""url":"/media/a""#
  ) -> RecordingTransport {
    RecordingTransport { _, request in
      let isStart = request.url.text.hasSuffix("/upload/start")
      let (status, body) =
        request.method == .put
        ? bytes
        : (
          200,
          isStart
            ? #"{"upload":{"id":"a"},"upload_url":"\#(url)"}"#
            : #"{"found":true,"upload":{"id":"a","uploaded_size":"3",\#(completed)}}"#
        )
      return HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
  }

  private func media(
    _ transport: RecordingTransport, baseURL: String = "https://gateway.example/api-root", logger: CapturedLog? = nil
  ) throws -> MediaService {
    let client = try APIClient.test(transport, baseURL: baseURL, logger: logger?.logger)
    client.setAuthToken(try AccessToken(Self.token))
    return MediaService(client: client)
  }

  @Test func bytesCarryTheirRangeAndDigest() async throws {
    let transport = transport("/put/here?x=1")
    let url = try await media(transport).uploadImage(
      image: Array("abc".utf8), userId: "u", contentType: "text/plain", fileName: "a.txt")
    #expect(url == "/media/a")
    let requests = transport.requests
    #expect(requests.map(\.method) == [.post, .put, .post, .post])
    let put = try #require(requests.dropFirst().first)
    #expect(put.url == "https://gateway.example/api-root/put/here?x=1" && put.body.bytes == Array("abc".utf8))
    #expect(put.headers["Content-Range"] == "bytes 0-2/3" && put.headers["Content-Type"] == "text/plain")
    #expect(
      put.headers["Content-Digest"] == "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:")
    #expect(put.headers["X-Request-ID"] == "test-request-2" && put.limits.totalTimeout == .seconds(300))
    let complete = try JSONValue(jsonUTF8: try #require(requests.last?.body.bytes))
    #expect(
      complete["sha256"]?.stringValue == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: [
    ("/put", true), ("https://gateway.example/put", true), ("https://GATEWAY.example:443/put", true),
    ("https://storage.example/put", false), ("https://gateway.example:8443/put", false),
    ("https://gateway.example.evil.example/put", false), ("http://localhost:9000/put", false),
  ])
  func theTokenStaysAtTheGateway(url: String, isGateway: Bool) async throws {
    let transport = transport(url)
    let options = CallOptions(headers: ["X-Secret": "s"])
    _ = try await media(transport).with { $0 = options }.uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u")
    let put = try #require(transport.requests.first { $0.method == .put })
    #expect(put.headers["Authorization"] == (isGateway ? "Bearer \(Self.token)" : nil))
    #expect(put.headers["X-Secret"] == (isGateway ? "s" : nil))
    let calls = transport.requests.filter { $0.method == .post }
    #expect(calls.count == 3 && calls.allSatisfy { $0.headers["Authorization"] != nil })
  }

  @Test(arguments: [
    ("", APIError.Code.invalidResponse), ("put", .invalidResponse), ("//evil.example/put", .invalidResponse),
    ("ftp://storage.example/put", .invalidResponse), ("https://u:p@storage.example/", .invalidResponse),
    ("@evil.example/put", .invalidResponse), ("/a\\b", .invalidResponse),
    ("http://gateway.example/put", .insecureConnection), ("http://storage.example/put", .insecureConnection),
  ])
  func bytesGoNowhereElse(url: String, code: APIError.Code) async throws {
    let transport = transport(url)
    let media = try media(transport)
    let error = await apiError { try await media.uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u") }
    #expect(error?.code == code && error?.rpc == "media.UploadBytes" && error?.requestID == "test-request-2")
    #expect(transport.requests.count == 1)
  }

  /// For any gateway: a storage server elsewhere requires https, and is never an internal address.
  @Test(
    arguments: ["http://localhost:8080", "http://127.0.0.1:1", "http://gateway.example", "https://gateway.example"],
    [
      ("http://storage.example/put", APIError.Code?.some(.insecureConnection)),
      ("http://10.0.0.1/put", .insecureConnection),
      ("http://127.evil.example/put", .insecureConnection), ("http://localhost.evil.example/put", .insecureConnection),
      ("http://169.254.169.254/latest/meta-data", .invalidResponse), ("https://169.254.169.254/", .invalidResponse),
      ("https://2852039166/", .invalidResponse), ("http://0xA9FEA9FE/", .invalidResponse),
      ("http://0251.0376.0251.0376/", .invalidResponse), ("http://[::ffff:169.254.169.254]/", .invalidResponse),
      ("https://[fe80::1]/", .invalidResponse), ("https://[fd00:ec2::254]/", .invalidResponse),
      ("https://metadata.google.internal/", .invalidResponse), ("http://0.0.0.0:9000/", .invalidResponse),
      ("https://[::]/", .invalidResponse), ("http://0/", .invalidResponse),
      ("https://storage.example/put", nil), ("https://10.0.0.1/put", nil), ("http://localhost:9000/put", nil),
      ("http://127.0.0.1:9000/put", nil), ("http://[::1]:9000/put", nil), ("https://localhost/put", nil), ("/put", nil),
    ])
  func aStorageIsSafe(gateway: String, storage: (url: String, code: APIError.Code?)) async throws {
    let transport = transport(storage.url)
    let client = try APIClient.test(transport, baseURL: gateway, token: nil)
    let error = await apiError {
      try await MediaService(client: client).uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u")
    }
    #expect(error?.code == storage.code, "\(String(describing: error))")
    #expect(transport.requests.contains { $0.method == .put } == (storage.code == nil))
    if let error { #expect(error.message.hasSuffix("no byte was sent"), "\(error)") }
  }

  @Test(arguments: [
    (422, #"{"code":3,"message":"digest"}"#, APIError.Code.invalidArgument), (413, "", .invalidArgument),
    (401, "", .unauthorized), (403, "<Error>Expired</Error>", .permissionDenied), (503, "", .unavailable),
    (200, #"{"error":{"code":"RESOURCE_EXHAUSTED","message":"full"}}"#, .rateLimited),
  ])
  func refusedBytesAreErrors(status: Int, body: String, code: APIError.Code) async throws {
    let transport = transport("/put", bytes: (status, body))
    let media = try media(transport)
    let error = await apiError { try await media.uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u") }
    #expect(error?.code == code && error?.httpStatus == status && error?.rpc == "media.UploadBytes")
    #expect(error?.attempts.map(\.httpStatus) == [status])
    // Bytes that arrived with a wrong digest are sent again.
    #expect(transport.requests.count == (status == 422 ? 4 : 2), "nothing is completed")
  }

  @Test func bytesThatAreThereAlreadyAreNoConflict() async throws {
    let transport = transport("/put", bytes: (409, #"{"upload":{"uploaded_size":3}}"#))
    let media = try media(transport)
    #expect(try await media.uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u") == "/media/a")
    let error = await apiError { try await media.uploadImage(image: SampleMedia.jpeg(count: 4), userId: "u") }
    #expect(error?.code == .conflict && error?.httpStatus == 409)
  }

  @Test func anUploadWithoutItsURLIsAnError() async throws {
    let media = try media(transport("/put", completed: #""url":"""#))
    let error = await apiError { try await media.uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u") }
    #expect(error?.code == .invalidResponse && error?.rpc == "media.CompleteUpload")
    let empty = MediaService(client: try APIClient.test(RecordingTransport("{}")))
    #expect(
      await apiError { try await empty.uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u") }?.code
        == .invalidResponse)
  }

  @Test func stepsDoNotShareAnIdempotencyKey() async throws {
    let cases: [(CallOptions, [String?])] = [
      (CallOptions(idempotencyKey: "mine"), ["mine", "mine-bytes", "mine-progress-3", "mine-complete"]),
      (CallOptions(requestID: "mine"), ["test-request", "test-request-2", "test-request-3", "test-request-4"]),
    ]
    for (options, keys) in cases {
      let transport = transport("/put")
      _ = try await media(transport).with { $0 = options }.uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u")
      #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == keys)
    }
  }

  @Test func logsHoldNoSecret() async throws {
    let log = CapturedLog()
    let transport = transport("https://storage.example/put?signature=SECRET")
    _ = try await media(transport, logger: log).uploadImage(image: SampleMedia.jpeg(count: 3), userId: "u")
    let text = log.lines.joined(separator: "\n")
    #expect(text.contains("media.UploadBytes") && text.contains("https://storage.example/put"))
    #expect(!text.contains("SECRET") && !text.contains(Self.token))
  }
}
