import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Uploads of files over real connections that break.
@Suite(.hangLimit) struct UploadConnectionTests {
  private static let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }

  private static let scripts: [(name: String, steps: [FaultServer.Step])] = [
    ("none", []),
    ("refused", [.healthy, .fault(.resetOnConnect), .healthy, .fault(.resetOnConnect)]),
    ("lost before they arrive", [.healthy, .fault(.resetBeforeHeaders, executes: false), .healthy]),
    ("answers lost", [.healthy, .fault(.resetBeforeHeaders), .healthy, .fault(.closeBeforeHeaders), .healthy]),
    ("answers torn", [.healthy, .fault(.resetMidBody), .fault(.resetMidBody), .healthy, .fault(.resetMidBody)]),
    ("unavailable", [.healthy, .fault(.serviceUnavailable), .healthy, .fault(.serviceUnavailable)]),
  ]

  @Test(arguments: scripts) func aFileArrives(script: (name: String, steps: [FaultServer.Step])) async throws {
    let (uploads, folder) = (UploadServer(), try TemporaryFolder())
    let server = try FaultServer(script.steps) { uploads.respond(to: $0) }
    defer { server.stop() }
    let transport = CurlTransport()
    let client = try APIClient.test(
      transport, baseURL: server.url, overrides: ConfigurationOverrides(stateDirectory: folder.path), token: nil,
      resilience: Resilience(retry: .standard(attempts: 4, delay: .milliseconds(1)), budget: nil, breaker: nil),
      clock: ContinuousClock())
    let upload = MediaService(client: client).upload(.file(try folder.write(Self.bytes, to: "a.bin")), userId: "u")
    let result = await apiError { try await upload.value }
    await transport.shutdown()
    #expect(result == nil && uploads.onlyUpload?.bytes == Self.bytes, "\(script.name): \(result as Any)")
  }

  /// Every third chunk is cut off between its head and its end.
  @Test func aChunkThatIsCutOffIsSentAgain() async throws {
    let (uploads, folder) = (UploadServer(chunkSize: 128 << 10), try TemporaryFolder())
    let chunks = Locked(0)
    let server = try RawServer { connection in
      while let head = try connection.readHead() {
        let parts = head.requestLine.split(separator: " ").map(String.init)
        let isCutOff =
          parts[0] == "PUT"
          && chunks.withLock {
            $0 += 1
            return $0 % 3 == 2
          }
        if isCutOff { return connection.reset() }
        var headers = HTTPHeaders()
        for name in ["Content-Range", "Content-Digest", "Idempotency-Key"] { headers[name] = head.header(name) }
        let request = HTTPRequest(
          method: HTTPMethod(rawValue: parts[0]), url: try HTTPURL(parsing: "http://localhost\(parts[1])"),
          headers: headers,
          body: .bytes(try connection.readBody(of: head).body))
        let response = uploads.respond(to: request)
        try connection.respond(
          "\(response.status) OK", headers: ["Content-Type: application/json"], body: response.body.inMemory)
      }
    }
    defer { server.stop() }
    let transport = CurlTransport()
    let client = try APIClient.test(
      transport, baseURL: server.url(""), overrides: ConfigurationOverrides(stateDirectory: folder.path), token: nil,
      resilience: Resilience(retry: .standard(attempts: 4, delay: .milliseconds(1)), budget: nil, breaker: nil),
      clock: ContinuousClock())
    let upload = MediaService(client: client).upload(.file(try folder.write(Self.bytes, to: "a.bin")), userId: "u")
    let result = await apiError { try await upload.value }
    await transport.shutdown()
    #expect(result == nil && uploads.onlyUpload?.bytes == Self.bytes, "\(result as Any)")
    #expect(chunks.withLock { $0 } > 4)
  }
}
