import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Uploads of files over real connections that break.
@Suite(.timeLimit(.minutes(5))) struct UploadConnectionTests {
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
}
