import Testing

@testable import NovaCore

@Suite struct ProvenanceTests {
  @Test func everySettingIsListedInAFixedOrder() throws {
    let configuration = try load(["NOVA_GRAPH_TIMEOUT": "5"])
    #expect(
      configuration.entries.map(\.key) == [
        "environment", "base_url", "timeout_seconds", "token", "services.graph.timeout_seconds",
        "limits.connect_timeout_seconds", "limits.idle_timeout_seconds", "limits.transfer_timeout_seconds",
        "limits.max_response_bytes", "limits.max_transfers", "limits.max_streams", "limits.queue_timeout_seconds",
        "limits.max_connections", "limits.max_connections_per_host", "limits.max_kept_connections", "proxy",
        "no_proxy", "connect_to", "unix_socket", "flags.mock_data", "flags.request_logging", "flags.offline_mode",
        "retry.attempts", "retry.delay_seconds", "retry.max_wait_seconds", "retry.idempotency_keys", "log_level",
        "log_body_bytes", "ca_file",
        "client_certificate_file", "client_key_file", "state_directory",
      ])
  }

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
