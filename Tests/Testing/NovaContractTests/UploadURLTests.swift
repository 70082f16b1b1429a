import NovaContract
import NovaCore
import NovaTesting
import Testing

/// Upload URLs that a gateway makes up: the check sends bytes only where the SDK would.
@Suite struct UploadURLTests {
  private static let gateway = "http://localhost:8080"
  private static let startPath = "/api/v1/media/upload/start"
  private static let internalAddress = "a link-local, unspecified or metadata address and never a storage"
  private static let unencrypted = "which is neither https nor this machine"

  /// The mock behind a gateway that returns one upload URL, with every other host answering in the same way.
  private struct Network: HTTPTransport {
    let gateway: WrongGateway
    let requests = Locked<[HTTPRequest]>([])
    var storage: @Sendable () throws -> HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.withLock { $0.append(request) }
      // Bytes are answered here, wherever they go: the mock does not know the URL.
      if request.isBytes { return try storage() }
      return try await gateway.send(request)
    }
  }

  private func check(
    _ uploadURL: String, storage: @escaping @Sendable () throws -> HTTPResponse = { HTTPResponse(status: 200) }
  ) async -> (report: ContractReport, requests: [HTTPRequest]) {
    let network = Locked<Network?>(nil)
    let report = await ContractCheck.ofMock({ $0.checkOnlyService(of: Self.startPath) }) { mock in
      let change = WrongGateway.member("upload_url") { _ in [.init(name: "upload_url", value: .string(uploadURL))] }
      let transport = Network(
        gateway: WrongGateway(base: mock, path: Self.startPath, change: change), storage: storage)
      network.withLock { $0 = transport }
      return transport
    }.run()
    return (report, network.withLock { $0 }?.requests.withLock { $0 } ?? [])
  }

  @Test(arguments: [
    ("http://169.254.169.254/", "169.254.169.254:80, \(internalAddress)"),
    ("https://169.254.169.254/latest/meta-data", "169.254.169.254:443, \(internalAddress)"),
    ("http://[::ffff:169.254.169.254]/", "[::ffff:169.254.169.254]:80, \(internalAddress)"),
    ("http://2852039166/a", "169.254.169.254:80, \(internalAddress)"),
    ("https://0xA9FEA9FE/", "169.254.169.254:443, \(internalAddress)"),
    ("https://[fe80::1]/", "[fe80::1]:443, \(internalAddress)"),
    ("https://metadata.google.internal/", "metadata.google.internal:443, \(internalAddress)"),
    ("http://0.0.0.0:9000/", "0.0.0.0:9000, \(internalAddress)"),
    ("http://storage.example/put?signature=SECRET", "storage.example:80, \(unencrypted)"),
    ("http://10.0.0.1/put", "10.0.0.1:80, \(unencrypted)"),
    ("http://localhost.evil.example/put", "localhost.evil.example:80, \(unencrypted)"),
    ("//evil.example/put", "the URL must begin with http:// or https://"),
    ("ftp://storage.example/put", "the URL must begin with http:// or https://"),
    ("@evil.example/put", "the URL must begin with http:// or https://"),
    ("https://user:SECRET@storage.example/", "the URL must not contain a user name or a password"),
    ("/a\\b", "the URL has a character that must be percent-encoded"),
  ])
  func refusedURLsAreFoundAndNotFollowed(uploadURL: String, found: String) async throws {
    let (report, requests) = await check(uploadURL)
    #expect(requests.filter(\.isBytes).map(\.url) == [])
    #expect(requests.map(\.url.text).filter { !$0.hasPrefix("\(Self.gateway)/") } == [])
    let lines = report.differences.map(\.line)
    try #require(lines.count == 1, "\(lines)")
    #expect(lines[0].hasPrefix("breaking outOfRange media.StartUpload [a small file] upload_url: "), "\(lines)")
    #expect(lines[0].contains(found) && !lines[0].contains("SECRET"), "\(lines)")
    #expect(!report.isPassed && report.stop == nil)
    let complete = report.results.first { $0.rpc == "media.CompleteUpload" }
    #expect(complete?.unchecked == "the upload's bytes cannot be sent")
  }

  @Test(arguments: [
    "https://storage.example/put?signature=s", "https://10.0.0.1/put", "https://localhost:8080/put",
    "http://localhost:9000/put", "http://127.0.0.1:8080/put", "http://[::1]:9000/put",
  ])
  func aStorageGetsOnlyTheBytes(uploadURL: String) async throws {
    let (report, requests) = await check(uploadURL)
    let puts = requests.filter(\.isBytes)
    try #require(puts.count == 1, "\(puts.map(\.url))")
    #expect(puts[0].url.text == uploadURL && puts[0].method == .put && !puts[0].body.isEmpty)
    #expect(puts[0].headers.fields.map(\.name) == ["Content-Type", "Content-Range"])
    #expect(puts[0].isForStorage, "the transport must check the address that it reaches")
    #expect(report.differences.filter { $0.path == "upload_url" }.map(\.line) == [])
  }

  @Test(arguments: ["/put", "http://localhost:8080/put", "http://LOCALHOST:8080/put"])
  func theGatewayGetsWhatItsCallsHave(uploadURL: String) async throws {
    let (_, requests) = await check(uploadURL)
    let puts = requests.filter(\.isBytes)
    try #require(puts.count == 1, "\(puts.map(\.url))")
    let url = uploadURL.hasPrefix("/") ? Self.gateway + uploadURL : uploadURL
    #expect(puts[0].url.text == url.lowercased() && !puts[0].isForStorage)
    for name in ["Authorization", "X-Request-ID", "Idempotency-Key"] {
      #expect(puts[0].headers[name] != nil, "\(name)")
    }
    #expect(puts[0].headers["Content-Type"] == "application/octet-stream")
  }

  /// A name that leads to an internal address is refused by the transport, and the rest is still checked.
  @Test func aStorageThatCannotBeReachedIsAFinding() async throws {
    let reason = "storage.example:443 leads to 169.254.169.254, which is \(Self.internalAddress); nothing was sent"
    let (report, _) = await check("https://storage.example/put") {
      throw TransportError(.invalidURL, reason, requestMayHaveLeft: false)
    }
    #expect(report.stop == nil)
    let lines = report.differences.filter { $0.kind == .noAnswer }.map(\.line)
    #expect(
      lines == ["breaking noAnswer media.StartUpload [PUT of its bytes] : expected an answer, found \(reason) ×1"])
  }
}

extension HTTPRequest {
  /// Whether it carries an upload's bytes.
  fileprivate var isBytes: Bool { headers["Content-Range"] != nil }
}
