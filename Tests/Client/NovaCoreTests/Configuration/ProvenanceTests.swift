import NovaTestSupport
import Testing

@testable import NovaCore

@Suite struct ProvenanceTests {
  @Test func everySettingIsListed() throws {
    // One of a service is listed only if it is set; one of an environment has the name of the chosen environment's.
    let isListed = { (path: String) in !["services", "environments", "default_environment"].contains(section(path)) }
    let expected = SettingDefinition.all.map(\.path).filter(isListed) + ["services.graph.timeout_seconds"]
    let keys = try load(["NOVA_GRAPH_TIMEOUT": "5"]).entries.map(\.key)
    let difference = ListDifference(of: keys, from: expected)
    #expect(difference.isEmpty, "\(difference): change APIConfiguration.init(_:) in APIConfiguration.swift")
    #expect(Set(keys).count == keys.count)
  }

  /// Sections in this order, and the settings of a section in that of their definitions.
  @Test func theOrderIsFixed() throws {
    let keys = try load(["NOVA_GRAPH_TIMEOUT": "5"]).entries.map(\.key)
    var sections: [String] = []
    for key in keys where sections.last != section(key) { sections.append(section(key)) }
    #expect(
      sections == [
        "environment", "base_url", "timeout_seconds", "token", "services", "limits", "grpc", "proxy", "no_proxy",
        "connect_to", "unix_socket", "flags", "retry", "log_level", "log_body_bytes", "ca_file",
        "client_certificate_file",
        "client_key_file", "state_directory",
      ])
    for section in sections {
      let listed = keys.filter { self.section($0) == section }
      #expect(listed == SettingDefinition.all.map(\.path).filter { listed.contains($0) })
    }
  }

  /// The first name of a setting's path.
  private func section(_ path: String) -> String { String(path.prefix { $0 != "." }) }

  @Test func valuesAreTextAndTheTokenIsHidden() throws {
    let configuration = try load(
      ["NOVA_TOKEN": "s3cret", "NOVA_ENVIRONMENT": "staging", "NOVA_TIMEOUT": "1.5"],
      ConfigurationOverrides(retryDelay: .milliseconds(250)))
    #expect(configuration.token?.secretValue == "s3cret")
    #expect(
      configuration.entry("token")
        == ConfigurationEntry(key: "token", value: "****", source: .environmentVariable("NOVA_TOKEN")))
    #expect(
      configuration.entry("base_url")
        == ConfigurationEntry(key: "base_url", value: "https://staging-api.nova.social", source: .builtIn))
    #expect(
      configuration.entry("timeout_seconds")
        == ConfigurationEntry(key: "timeout_seconds", value: "1.5", source: .environmentVariable("NOVA_TIMEOUT")))
    #expect(
      configuration.entry("retry.delay_seconds")
        == ConfigurationEntry(key: "retry.delay_seconds", value: "0.25", source: .code))
    #expect(configuration.entry("limits.max_response_bytes")?.value == "67108864")
    #expect(configuration.entry("log_level") == ConfigurationEntry(key: "log_level", value: nil, source: .builtIn))
  }

  @Test func sourcesSayWhatTheyAre() {
    let sources: [ConfigurationSource] = [
      .builtIn, .file("a/APIConfig.json"), .environmentVariable("NOVA_MOCK"), .code,
    ]
    #expect(sources.map(\.description) == ["built in", "a/APIConfig.json", "NOVA_MOCK", "set in code"])
  }

  @Test(arguments: [
    ("NOVA_ENVIROMENT", "; did you mean NOVA_ENVIRONMENT?"), ("NOVA_TOKEN_FLIE", "; did you mean NOVA_TOKEN_FILE?"),
    ("NOVA_GRAHP_BASE_URL", "; did you mean NOVA_GRAPH_BASE_URL?"), ("NOVA_SOMETHING_ELSE", ""),
  ])
  func unknownVariablesAreWarnedOf(_ name: String, _ suggestion: String) throws {
    let configuration = try load([name: "x", "PATH": "/bin", "NOVA_EMPTY": ""])
    #expect(configuration.warnings == ["\(name) is not a variable NovaSDK reads\(suggestion)"])
  }

  @Test func theProcessHasVariables() {
    #expect(APIConfiguration.processVariables()["PATH"]?.isEmpty == false)
  }
}
