import Foundation
import NovaContract
import NovaCore
import NovaMock
import NovaServer
import NovaTestSupport
import Testing

#if !Server
  #error("These tests need nova serve: run `make test`, or `Tools/swift test`.")
#endif

extension APIClient {
  /// A client as users have it, with one attempt per call.
  static func backend(
    _ transport: any HTTPTransport, baseURL: String = "http://localhost:8080", middlewares: [any Middleware] = []
  ) throws -> APIClient {
    APIClient(configuration: try APIConfiguration(ConfigurationOverrides(baseURL: baseURL)), transport: transport) {
      $0.middlewares = middlewares
      $0.resilience = .none
    }
  }
}

/// The implementations of the backend.
enum Backend {
  /// The backend in memory, what it said, and which calls were made. Run once, for all tests.
  static let mock = Task {
    let (transport, calls) = (MockTransport(MockBackend()), RecordedCalls())
    let client = try APIClient.backend(transport, middlewares: [calls])
    return (run: await ContractSuite(client: client).run("mock"), transport: transport, calls: calls)
  }

  /// The program, over sockets and libcurl.
  static func serve() async throws -> ContractRun {
    let program = try ProgramRun(["serve", "--port", "0"])
    let line = try await program.waitForOutput("\n")
    let url = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
    defer { program.signal(SIGTERM) }
    return await ContractSuite(client: try .backend(CurlTransport(), baseURL: String(url))).run("nova serve")
  }

  /// The gateway at `NOVA_CONTRACT_BASE_URL`, or else the mock's server in this process.
  static func url() async throws -> (run: ContractRun, strictness: ContractComparison.Strictness) {
    if let url = ProcessInfo.processInfo.environment["NOVA_CONTRACT_BASE_URL"] {
      return (await ContractSuite(client: try .backend(CurlTransport(), baseURL: url)).run(url), .contract)
    }
    let server = try await MockServer(host: "127.0.0.1", port: 0, backend: MockBackend())
    let client = try APIClient.backend(CurlTransport(), baseURL: server.url)
    let run = await ContractSuite(client: client).run("server")
    // Without connections the server need not wait for them.
    await client.shutdown()
    await server.stop()
    return (run, .exact)
  }
}
