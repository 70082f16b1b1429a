import Foundation
import NovaSDK
import Testing

/// The gateway under test: the one that the `NOVA_…` variables name, or else a mock backend.
struct Target {
  let name: String
  let configuration: APIConfiguration
  let nova: NovaClient
  let transport: any HTTPTransport

  private static let variables = ProcessInfo.processInfo.environment

  /// Whether the suite tests a mock backend, because no variable names a gateway.
  static let isMock = ["NOVA_BASE_URL", "NOVA_ENVIRONMENT"].allSatisfy { (variables[$0] ?? "").isEmpty }
  /// Whether tests may create accounts and posts: never by themselves at a gateway that others use.
  static let allowsWrites = isMock || variables["QA_WRITES"] == "1"
  /// The user whose data is read.
  static let user = variables["QA_USER"] ?? "mock-user-id"

  /// All tests of a gateway use one client, as a program does. Each test of the mock has a backend of its own, so that
  /// tests can run in any order, and side by side.
  static func make() throws -> Target { try isMock ? Target(MockTransport(MockBackend.current)) : gateway.get() }

  private static let gateway = Result {
    let configuration = try APIConfiguration.load(file: .none)
    return Target(named: "\(configuration.baseURL)", configuration, transport: configuration.makeTransport())
  }

  private init(_ mock: MockTransport) { self.init(named: "the mock", .builtIn, transport: mock) }

  private init(named name: String, _ configuration: APIConfiguration, transport: any HTTPTransport) {
    (self.name, self.configuration, self.transport) = (name, configuration, transport)
    nova = NovaClient(configuration: configuration, transport: transport)
  }

  /// Creates an account with a new name, and returns a client that acts for it.
  func newUser(_ label: String) async throws -> (id: String, nova: NovaClient) {
    let name = "qa_\(label)_\(UInt32.random(in: 0 ... .max))"
    let answer = try await nova.auth.register(email: "\(name)@qa.example", username: name, password: "correct horse")
    let token = try AccessToken(answer.token)
    return (answer.userId, nova.with { $0.token = token })
  }
}
