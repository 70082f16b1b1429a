import Foundation
import NovaContract
import NovaCore
import NovaMock
import NovaServer
import NovaTestSupport
import NovaTesting
import Testing

/// A way to a backend: what the contract suite and the contract check find there.
enum WayIn: String, CaseIterable {
  case inProcess = "in process"
  case http = "HTTP"
  case serve = "`nova serve`"
  case grpcInMemory = "gRPC in memory"
  case grpc = "gRPC"
  case serveGRPC = "`nova serve`, gRPC"
  case gateway = "Envoy → gRPC"

  /// The variable with the URL of Envoy in front of `nova serve`, which Examples/Gateway sets.
  static let gatewayVariable = "NOVA_WAYS_IN_GATEWAY"

  /// Whether the way is there: Envoy is only where Examples/Gateway runs.
  var isThere: Bool { self != .gateway || Self.gatewayURL != nil }

  private static var gatewayURL: String? { ProcessInfo.processInfo.environment[gatewayVariable] }

  /// What was found on a way.
  struct Findings {
    let run: ContractRun
    let report: ContractReport
  }

  /// Runs the suite and the check on a backend of their own.
  func findings() async throws -> Findings {
    switch self {
    case .inProcess: try await findings(MockTransport(), "http://localhost:8080")
    case .grpcInMemory:
      try await findings(GRPCInMemory(MockTransport()), "grpc://localhost:50051", gateway: "http://localhost:8080")
    case .http: try await serving { server in try await findings(CurlTransport(), server.url) }
    case .grpc:
      try await serving { server in
        try await findings(Self.grpcTransport, try #require(server.grpcURL), gateway: server.url)
      }
    case .serve: try await program { urls in try await findings(CurlTransport(), urls.http) }
    case .serveGRPC:
      try await program { urls in
        try await findings(Self.grpcTransport, try #require(urls.grpc), gateway: urls.http)
      }
    case .gateway: try await findings(CurlTransport(), try #require(Self.gatewayURL))
    }
  }

  private static var grpcTransport: any HTTPTransport {
    GRPCTransport(services: HTTP2Transport(), http: CurlTransport())
  }

  private func findings(
    _ transport: any HTTPTransport, _ url: String, gateway: String? = nil
  ) async throws -> Findings {
    var overrides = ConfigurationOverrides(baseURL: url)
    let gatewayURL = try gateway.map { try HTTPURL(parsing: $0) }
    if let gatewayURL { overrides.grpc = GRPCConfiguration(gatewayURL: gatewayURL) }
    let configuration = try APIConfiguration(overrides)
    let client = APIClient(configuration: configuration, transport: transport) { $0.resilience = .none }
    let run = await ContractSuite(client: client).run(rawValue)
    var options = ContractCheck.Options()
    (options.isReadOnly, options.requestsPerSecond, options.gatewayURL) = (false, nil, gatewayURL)
    let report = await ContractCheck(transport: transport, target: rawValue, options: options) {
      configuration.baseURL(for: $0)
    }.run()
    await transport.shutdown()
    return Findings(run: run, report: report)
  }

  private func serving<Result>(_ body: (MockServer) async throws -> Result) async throws -> Result {
    let server = try await MockServer(host: "127.0.0.1", port: 0, grpcPort: 0, backend: MockBackend())
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }

  private func program<Result>(
    _ body: ((http: String, grpc: String?)) async throws -> Result
  ) async throws -> Result {
    let program = try ProgramRun(["serve", "--port", "0", "--grpc-port", "0"])
    defer { program.signal(SIGTERM) }
    let text = try await program.waitForOutput("grpc://")
    let words = text.split(whereSeparator: \.isWhitespace).map { $0.trimmingCharacters(in: .punctuationCharacters) }
    let http = try #require(words.first { $0.hasPrefix("http://") })
    return try await body((http, words.first { $0.hasPrefix("grpc://") }))
  }
}
