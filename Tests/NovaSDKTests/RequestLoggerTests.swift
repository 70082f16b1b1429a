import Logging
import NovaCore
import Testing

@testable import NovaSDK

@Suite struct RequestLoggerTests {
  /// Tests are debug builds, and log by default; but no program is flooded for that.
  @Test func byDefaultTheProgramsSetUpDecides() throws {
    let logger = try #require(APIConfiguration.builtIn.requestLogger)
    #expect(logger.label == "NovaSDK")
    #expect(logger.logLevel == Logger(label: "any").logLevel)
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
