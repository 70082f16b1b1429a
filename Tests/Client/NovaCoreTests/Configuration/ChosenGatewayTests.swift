import NovaCore
import NovaTestSupport
import Testing

/// What a release build requires before it calls anything.
@Suite struct ChosenGatewayTests {
  @Test func nothingIsChosenWithoutSettings() throws {
    let error = #expect(throws: ConfigurationError.self) { try load().requireChosenGateway() }
    #expect(error?.key == "environment")
    let text = error.map { "\($0)" } ?? ""
    for name in ["NOVA_ENVIRONMENT", "NOVA_BASE_URL", "APIConfig.json", "release build"] {
      #expect(text.contains(name), "\(text)")
    }
  }

  @Test(arguments: [
    ["NOVA_ENVIRONMENT": "production"], ["NOVA_BASE_URL": "https://gateway.example"], ["NOVA_MOCK": "1"],
    ["NOVA_OFFLINE": "1"],
  ])
  func variablesChoose(_ variables: [String: String]) throws {
    try load(variables).requireChosenGateway()
  }

  @Test(arguments: [
    #"{"environment":"staging"}"#,
    #"{"environments":{"production":{"base_url":"https://p.example"},"#
      + #""development":{"base_url":"http://localhost:9"}}}"#, #"{"flags":{"mock_data":true}}"#,
    #"{"default_environment":{"debug":"staging","release":"production"}}"#,
  ])
  func filesChoose(_ file: String) throws {
    try load(file: file).requireChosenGateway()
  }

  @Test func codeChooses() throws {
    try load([:], ConfigurationOverrides(environment: .production)).requireChosenGateway()
    try load([:], ConfigurationOverrides(baseURL: "https://gateway.example")).requireChosenGateway()
  }

  /// Neither other settings nor the URL of one service says where the other calls go.
  @Test(arguments: [
    ["NOVA_TIMEOUT": "5"], ["NOVA_GRAPH_BASE_URL": "https://graph.example"], ["NOVA_MOCK": "0"],
    ["NOVA_ENVIRONMENT": ""],
  ])
  func otherSettingsDoNot(_ variables: [String: String]) throws {
    let configuration = try load(variables)
    #expect(throws: ConfigurationError.self) { try configuration.requireChosenGateway() }
  }

  @Test func theBuiltInConfigurationNeedsNoChoice() throws {
    _ = try APIConfiguration()
    _ = APIConfiguration.builtIn
    #if DEBUG
      _ = try APIConfiguration.load(file: .none, environment: [:])
    #else
      #expect(throws: ConfigurationError.self) { try APIConfiguration.load(file: .none, environment: [:]) }
    #endif
  }
}
