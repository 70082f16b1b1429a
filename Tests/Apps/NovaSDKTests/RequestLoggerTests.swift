import Logging
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaSDK

@Suite struct RequestLoggerTests {
  /// Tests are debug builds, and log by default; but no program is flooded for that.
  @Test func byDefaultTheProgramsSetUpDecides() throws {
    let logger = try #require(APIConfiguration.builtIn.requestLogger)
    #expect(logger.label == "NovaSDK")
    #expect(logger.logLevel == Logger(label: "any").logLevel)
  }

  /// What counts is who answers, not what the configuration says.
  @Test func logsNameTheGatewayThatIsCalled() async throws {
    let log = CapturedLog()
    let configuration = try APIConfiguration(ConfigurationOverrides(usesMockData: true))
    let sent = NovaClient(configuration: configuration, transport: RecordingTransport("{}")) { $0.logger = log.logger }
    _ = try await sent.graph.getFollowers(userId: "ada")
    #expect(log.lines.contains { $0.contains("url=\(configuration.baseURL.text)/api/v1/graph/followers") })
    let mock = NovaClient(configuration: .builtIn, transport: MockTransport()) { $0.logger = log.logger }
    _ = try await mock.graph.getFollowers(userId: "ada")
    #expect(log.lines.contains { $0.contains("url=mock:/api/v1/graph/followers") })
  }

  @Test func whoAsksGetsLogs() throws {
    #expect(try APIConfiguration(ConfigurationOverrides(logsRequests: true)).requestLogger?.logLevel == .debug)
    let variables = try APIConfiguration.load(file: .none, environment: ["NOVA_LOG_REQUESTS": "1"])
    #expect(variables.requestLogger?.logLevel == .debug)
    let quiet = ConfigurationOverrides(logsRequests: true, logLevel: .error)
    #expect(try APIConfiguration(quiet).requestLogger?.logLevel == .error)
    #expect(try APIConfiguration(ConfigurationOverrides(logsRequests: false)).requestLogger == nil)
  }
}
