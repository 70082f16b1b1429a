import Logging
import Testing

@testable import NovaCore

@Suite struct PrecedenceTests {
  private static let file = """
    {"environment": "staging", "retry": {"attempts": 4}, "log_level": "debug",
     "services": {"graph": {"base_url": "https://graph.example/"}, "media": {"timeout_seconds": 120.5}}}
    """

  @Test func aFileBeatsWhatIsBuiltIn() throws {
    let configuration = try load(file: Self.file)
    #expect(configuration.environment == .staging)
    #expect(configuration.baseURL == "https://staging-api.nova.social")
    #expect(configuration.retryAttempts == 4)
    #expect(configuration.retryDelay == .seconds(2))
    #expect(configuration.logLevel == .debug)
  }

  @Test func servicesHaveTheirOwn() throws {
    let configuration = try load(file: Self.file)
    #expect(configuration.baseURL(for: "graph") == "https://graph.example")
    #expect(configuration.baseURL(for: "media") == "https://staging-api.nova.social")
    #expect(configuration.timeout(for: "media") == .milliseconds(120_500))
    #expect(configuration.timeout(for: "graph") == .seconds(30))
    #expect(configuration.services.keys.sorted() == ["graph", "media"])
  }

  @Test func variablesBeatAFile() throws {
    let variables = [
      "NOVA_ENVIRONMENT": "production", "NOVA_RETRY_ATTEMPTS": "5", "NOVA_GRAPH_BASE_URL": "https://g.example",
      "NOVA_MEDIA_TIMEOUT": "1500ms",
    ]
    let configuration = try load(file: Self.file, variables)
    #expect(configuration.environment == .production)
    #expect(configuration.retryAttempts == 5)
    #expect(configuration.baseURL(for: "graph") == "https://g.example")
    #expect(configuration.timeout(for: "media") == .milliseconds(1500))
    #expect(configuration.entry("retry.attempts")?.source == .environmentVariable("NOVA_RETRY_ATTEMPTS"))
    #expect(configuration.logLevel == .debug)
  }

  @Test func codeBeatsVariables() throws {
    let overrides = ConfigurationOverrides(
      environment: .development, timeout: .seconds(7), usesMockData: false, logLevel: .error, retryAttempts: 1)
    let variables = [
      "NOVA_ENVIRONMENT": "staging", "NOVA_TIMEOUT": "9", "NOVA_MOCK": "1", "NOVA_LOG_LEVEL": "trace",
      "NOVA_RETRY_ATTEMPTS": "2",
    ]
    let configuration = try load(variables, overrides)
    #expect(configuration.environment == .development)
    #expect(configuration.timeout == .seconds(7))
    #expect(!configuration.usesMockData)
    #expect(configuration.logLevel == .error)
    #expect(configuration.retryAttempts == 1)
    #expect(
      configuration.entry("timeout_seconds") == ConfigurationEntry(key: "timeout_seconds", value: "7", source: .code))
  }

  @Test func codeBeatsAFile() throws {
    let overrides = ConfigurationOverrides(
      environment: .production, retryAttempts: 2, services: ["graph": ServiceConfiguration(timeout: .seconds(3))])
    let configuration = try load(file: Self.file, [:], overrides)
    #expect(configuration.environment == .production)
    #expect(configuration.retryAttempts == 2)
    #expect(configuration.baseURL(for: "graph") == "https://graph.example")
    #expect(configuration.timeout(for: "graph") == .seconds(3))
  }

  @Test func codeBeatsWhatIsBuiltIn() throws {
    let limits = TransferLimits(
      connectTimeout: .seconds(1), idleTimeout: .seconds(2), totalTimeout: .milliseconds(2500), maximumResponseBytes: 9)
    let overrides = ConfigurationOverrides(
      baseURL: "http://127.0.0.1:9/", token: try AccessToken("abc"), logsRequests: true, isOffline: true,
      retryDelay: .zero, limits: limits)
    let configuration = try APIConfiguration(overrides)
    #expect(configuration.baseURL == "http://127.0.0.1:9")
    #expect(configuration.token?.secretValue == "abc")
    #expect(configuration.logsRequests)
    #expect(configuration.isOffline)
    #expect(configuration.retryDelay == .zero)
    #expect(configuration.limits == limits)
  }

  @Test func theBaseURLVariableBeatsTheEnvironmentVariable() throws {
    let configuration = try load(["NOVA_ENVIRONMENT": "staging", "NOVA_BASE_URL": "https://other.example"])
    #expect(configuration.environment == .staging)
    #expect(configuration.baseURL == "https://other.example")
    #expect(configuration.timeout == .seconds(30))
  }

  @Test func anEnvironmentSetInCodeIsNotLedElsewhereByVariables() throws {
    let variables = [
      "NOVA_BASE_URL": "https://other.example", "NOVA_GRAPH_BASE_URL": "https://g.example", "NOVA_GRAPH_TIMEOUT": "4",
    ]
    let configuration = try load(variables, ConfigurationOverrides(environment: .development))
    #expect(configuration.baseURL(for: "graph") == "http://localhost:8080")
    #expect(configuration.timeout(for: "graph") == .seconds(4))
    #expect(
      configuration.warnings == [
        "NOVA_BASE_URL is not used: the environment set in code decides where calls go",
        "NOVA_GRAPH_BASE_URL is not used: the environment set in code decides where calls go",
      ])
    let moved = try load(variables, ConfigurationOverrides(baseURL: "https://mine.example"))
    #expect(moved.baseURL(for: "graph") == "https://mine.example")
    #expect(moved.warnings.first == "NOVA_BASE_URL is not used: the base URL set in code decides where calls go")
  }

  /// A command line has its options in place of code, and a variable with the same URL needs no warning.
  @Test(
    arguments: [
      (
        ["NOVA_BASE_URL": "https://other.example"], "https://mine.example", nil,
        ["NOVA_BASE_URL is not used: --base-url decides where calls go"]
      ),
      (
        ["NOVA_BASE_URL": "https://other.example"], "https://mine.example", "staging",
        ["NOVA_BASE_URL is not used: --base-url decides where calls go"]
      ),
      (
        ["NOVA_BASE_URL": "https://other.example"], nil, "staging",
        ["NOVA_BASE_URL is not used: --environment decides where calls go"]
      ),
      (
        ["NOVA_BASE_URL": "https://mine.example/", "NOVA_GRAPH_BASE_URL": "https://g.example"], "https://mine.example",
        nil, ["NOVA_GRAPH_BASE_URL is not used: --base-url decides where calls go"]
      ),
      (["NOVA_BASE_URL": "https://mine.example"], "https://mine.example/", "staging", []),
      (["NOVA_BASE_URL": "https://staging-api.nova.social"], nil, "staging", []),
    ] as [(variables: [String: String], url: String?, environment: String?, warnings: [String])])
  func optionsAreNamedInWarnings(
    variables: [String: String], url: String?, environment: String?, warnings: [String]
  ) throws {
    var overrides = ConfigurationOverrides(environment: environment.map { APIEnvironment(rawValue: $0) }, baseURL: url)
    overrides.optionNames = ["environment": "--environment", "base_url": "--base-url"]
    let configuration = try load(variables, overrides)
    #expect(configuration.warnings == warnings)
    #expect(configuration.baseURL(for: "graph") == configuration.baseURL)
    #expect(configuration.baseURL.text == (url == nil ? "https://staging-api.nova.social" : "https://mine.example"))
  }

  @Test func aFileMayDefineEnvironments() throws {
    let text = """
      {"environments": {"qa-2": {"base_url": "https://qa.example"}, "staging": {"timeout_seconds": 45}}}
      """
    let configuration = try load(file: text, ["NOVA_ENVIRONMENT": "qa-2"])
    #expect(configuration.environment == APIEnvironment(rawValue: "qa-2"))
    #expect(configuration.baseURL == "https://qa.example")
    #expect(configuration.timeout == .seconds(30))
    let staging = try load(file: text, ["NOVA_ENVIRONMENT": "staging"])
    #expect(staging.timeout == .seconds(45))
    #expect(staging.baseURL == "https://staging-api.nova.social")
  }

  @Test func aFileMayChangeTheDefaultEnvironment() throws {
    let text = #"{"default_environment": {"debug": "staging", "release": "staging"}}"#
    #expect(try load(file: text).environment == .staging)
    #expect(try load(file: text, ["NOVA_ENVIRONMENT": "production"]).environment == .production)
  }

  @Test func nullAndEmptyAreAbsent() throws {
    let text = #"{"environment": null, "limits": null, "retry": {"attempts": null}}"#
    let configuration = try load(file: text, ["NOVA_RETRY_ATTEMPTS": "", "NOVA_TOKEN": "", "NOVA_TOKEN_FILE": ""])
    #expect(configuration.entries == (try load().entries))
    #expect(configuration.token == nil)
  }

  @Test func theWholeFileChangesNothing() throws {
    #expect(try load(file: BuiltInConfig.json).entries.map(\.value) == load().entries.map(\.value))
  }
}
