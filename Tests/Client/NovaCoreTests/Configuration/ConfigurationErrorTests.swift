import Testing

@testable import NovaCore

/// docs/configuration.md quotes some of these errors.
@Suite struct ConfigurationErrorTests {
  @Test(arguments: [
    ("NOVA_ENVIRONMENT", "prod", "\"prod\"", "development, staging or production"),
    ("NOVA_BASE_URL", "localhost:8080", "\"localhost:8080\"", "a URL such as https://api.nova.social"),
    ("NOVA_BASE_URL", "https://u:p@x.y", "\"https://****@x.y\"", "a URL such as https://api.nova.social"),
    ("NOVA_GRAPH_BASE_URL", "ftp://x\n", "\"ftp://x\\u{a}\"", "a URL such as https://api.nova.social"),
    (
      "NOVA_TOKEN", "s3cret\n", "****",
      "a token of visible ASCII characters, without spaces, line breaks or the word Bearer"
    ),
    ("NOVA_MOCK", "maybe", "\"maybe\"", "true or false"), ("NOVA_OFFLINE", "2", "\"2\"", "true or false"),
    ("NOVA_LOG_REQUESTS", " true", "\" true\"", "true or false"),
    ("NOVA_LOG_LEVEL", "verbose", "\"verbose\"", "trace, debug, info, notice, warning, error or critical"),
    ("NOVA_TIMEOUT", "0", "\"0\"", "seconds from 0.001 to 300"),
    ("NOVA_TIMEOUT", "-1", "\"-1\"", "seconds from 0.001 to 300"),
    ("NOVA_TIMEOUT", "300.001", "\"300.001\"", "seconds from 0.001 to 300"),
    ("NOVA_TIMEOUT", "0.5ms", "\"0.5ms\"", "seconds from 0.001 to 300"),
    ("NOVA_TIMEOUT", "inf", "\"inf\"", "seconds from 0.001 to 300"),
    ("NOVA_TIMEOUT", "0x10", "\"0x10\"", "seconds from 0.001 to 300"),
    ("NOVA_TIMEOUT", "s", "\"s\"", "seconds from 0.001 to 300"),
    ("NOVA_TIMEOUT", "5m", "\"5m\"", "seconds from 0.001 to 300"),
    ("NOVA_FEED_TIMEOUT", "soon", "\"soon\"", "seconds from 0.001 to 300"),
    ("NOVA_RETRY_ATTEMPTS", "0", "\"0\"", "a whole number from 1 to 10"),
    ("NOVA_RETRY_ATTEMPTS", "11", "\"11\"", "a whole number from 1 to 10"),
    ("NOVA_RETRY_ATTEMPTS", "1.5", "\"1.5\"", "a whole number from 1 to 10"),
    ("NOVA_RETRY_MAX_WAIT", "0", "\"0\"", "seconds from 1 to 86400"),
    ("NOVA_RETRY_DELAY", "61", "\"61\"", "seconds from 0 to 60"),
  ])
  func aVariableIsRefused(name: String, value: String, found: String, expected: String) {
    #expect(message { try load([name: value]) } == "\(name) is \(found) (environment variable): expected \(expected)")
  }

  @Test(arguments: [
    (
      #"{"environments": {"staging": {"base_url": 5}}}"#,
      "environments.staging.base_url is number 5 (APIConfig.json): expected a URL such as https://api.nova.social"
    ),
    (
      #"{"environments": {"staging": {"timeout_seconds": "30"}}}"#,
      "environments.staging.timeout_seconds is \"30\" (APIConfig.json): expected seconds from 0.001 to 300"
    ),
    (
      #"{"environment": "prod"}"#,
      "environment is \"prod\" (APIConfig.json): expected development, staging or production"
    ),
    (
      #"{"environment": "x", "environments": {"qa": {"base_url": "https://q.a"}}}"#,
      "environment is \"x\" (APIConfig.json): expected development, staging, production or qa"
    ),
    (
      #"{"default_environment": {"release": "live"}}"#,
      "default_environment.release is \"live\" (APIConfig.json): expected development, staging or production"
    ),
    (
      #"{"environments": {"qa": {"timeout_seconds": 5}}}"#,
      "environments.qa.base_url is missing (APIConfig.json): expected a URL such as https://api.nova.social"
    ),
    (
      #"{"environments": {"Q A": {}}}"#,
      "environments is an object with the name \"Q A\" (APIConfig.json): expected names of at most 40 lower-case "
        + "letters, digits, - and _"
    ),
    (#"{"flags": {"mock_data": "yes"}}"#, "flags.mock_data is \"yes\" (APIConfig.json): expected true or false"),
    (#"{"flags": {"mock_data": 1}}"#, "flags.mock_data is number 1 (APIConfig.json): expected true or false"),
    (#"{"flags": true}"#, "flags is true (APIConfig.json): expected an object"),
    (
      #"{"services": {"graph": "https://g"}}"#,
      "services.graph is a string (APIConfig.json): expected an object"
    ),
    (
      #"{"retry": {"attempts": [3]}}"#,
      "retry.attempts is a list (APIConfig.json): expected a whole number from 1 to 10"
    ),
    (
      #"{"retry": {"delay_seconds": -0.5}}"#,
      "retry.delay_seconds is number -0.5 (APIConfig.json): expected seconds from 0 to 60"
    ),
    (
      #"{"limits": {"transfer_timeout_seconds": 301}}"#,
      "limits.transfer_timeout_seconds is number 301 (APIConfig.json): expected seconds from 0.001 to 300"
    ),
    (
      #"{"limits": {"idle_timeout_seconds": 1e400}}"#,
      "limits.idle_timeout_seconds is number 1e400 (APIConfig.json): expected seconds from 0.001 to 300"
    ),
    (
      #"{"limits": {"max_response_bytes": 0}}"#,
      "limits.max_response_bytes is number 0 (APIConfig.json): expected a whole number from 1 to 1073741824"
    ),
    (
      #"{"log_level": ""}"#,
      "log_level is empty (APIConfig.json): expected trace, debug, info, notice, warning, error or critical"
    ),
    (#"[]"#, "APIConfig.json: expected an object, found a list"),
  ])
  func aValueInAFileIsRefused(_ text: String, _ expected: String) {
    #expect(message { try load(file: text) } == expected)
  }

  @Test(arguments: [
    (#"{"retry": {"atempts": 3}}"#, "retry.atempts", "retry.attempts"),
    (#"{"limits": {"conect_timeout_seconds": 3}}"#, "limits.conect_timeout_seconds", "limits.connect_timeout_seconds"),
    (#"{"enviroment": "staging"}"#, "enviroment", "environment"),
    (#"{"services": {"grpah": {}}}"#, "services.grpah", "services.graph"),
    (#"{"base_url": "https://x"}"#, "base_url", "environments.<name>.base_url or services.graph.base_url"),
    (#"{"mock_data": true}"#, "mock_data", "flags.mock_data"),
    (
      #"{"retry": {"x": 3}}"#, "retry.x",
      SettingDefinition.all.map(\.path).filter { $0.hasPrefix("retry.") }.alternatives
    ),
    (
      #"{"token": "s3cret"}"#, "token", "the token in NOVA_TOKEN or NOVA_TOKEN_FILE, not in a file that others may read"
    ),
  ])
  func anUnknownKeyIsRefusedWithoutItsValue(text: String, key: String, expected: String) {
    #expect(
      message { try load(file: text) }
        == "\(key) is not a key of the configuration (APIConfig.json): expected \(expected)")
  }

  @Test(arguments: [
    ("{\n  \"retry\": {\"attempts\": }\n}", "line 2, column 25"), ("", "line 1, column 1"),
    ("{\"log_level\": \"info\"", "line 1, column 21"), ("{} x", "line 1, column 4"),
  ])
  func whatIsNotJSONIsRefusedWithItsPlace(_ text: String, _ place: String) {
    let message = message { try load(file: text) }
    #expect(message.contains("(APIConfig.json, \(place))") || message.hasPrefix("APIConfig.json, \(place): expected "))
  }

  @Test(arguments: ["s3cretT0kenOfSomebody", "\"s3cretT0kenOfSomebody", "{\"a\": s3cretT0kenOfSomebody}"])
  func whatIsNotJSONIsNotShown(_ text: String) {
    #expect(!message { try load(file: text) }.contains("s3cret"))
  }

  @Test func aKeyMayStandOnlyOnce() {
    #expect(
      message { try load(file: #"{"retry": {"attempts": 1, "attempts": 2}}"#) }
        == "retry.attempts is a repetition (APIConfig.json, line 1, column 27): expected the name only once")
  }

  @Test func aValueThatAnotherLayerReplacesIsCheckedToo() {
    #expect(
      message { try load(file: #"{"retry": {"attempts": 99}}"#, ["NOVA_RETRY_ATTEMPTS": "2"]) }
        == "retry.attempts is number 99 (APIConfig.json): expected a whole number from 1 to 10")
  }

  @Test(arguments: [
    (
      ConfigurationOverrides(environment: APIEnvironment(rawValue: "live")),
      "environment is \"live\" (set in code): expected development, staging or production"
    ),
    (
      ConfigurationOverrides(baseURL: "x"),
      "base_url is \"x\" (set in code): expected a URL such as https://api.nova.social"
    ),
    (
      ConfigurationOverrides(timeout: .zero),
      "timeout_seconds is number 0 (set in code): expected seconds from 0.001 to 300"
    ),
    (
      ConfigurationOverrides(timeout: .milliseconds(-1500)),
      "timeout_seconds is number -1.5 (set in code): expected seconds from 0.001 to 300"
    ),
    (
      ConfigurationOverrides(retryAttempts: -1),
      "retry.attempts is number -1 (set in code): expected a whole number from 1 to 10"
    ),
    (
      ConfigurationOverrides(services: ["grpah": ServiceConfiguration()]),
      "services is \"grpah\" (set in code): expected graph, social, content, media, user, auth, feed, capture, "
        + "analytics, event or announcements"
    ),
  ])
  func whatCodeSaysIsRefused(_ overrides: ConfigurationOverrides, _ expected: String) {
    #expect(message { try load([:], overrides) } == expected)
  }

  private static let encryption =
    "expected https, because a token is set and only this machine may receive it unencrypted"

  @Test(arguments: [
    (["NOVA_BASE_URL": "http://api.example"], "NOVA_BASE_URL is \"http://api.example\""),
    (
      ["NOVA_ENVIRONMENT": "production", "NOVA_FEED_BASE_URL": "http://10.0.0.1"],
      "NOVA_FEED_BASE_URL is \"http://10.0.0.1\""
    ),
  ])
  func aTokenIsNotSentInTheClear(_ variables: [String: String], _ expected: String) {
    let withToken = variables.merging(["NOVA_TOKEN": "s3cret"]) { $1 }
    #expect(message { try load(withToken) } == "\(expected) (environment variable): \(Self.encryption)")
    #expect(message { try load(variables) } == "no error")
  }

  @Test func aTokenIsNotSentInTheClearByAFile() {
    let text = #"{"environment": "qa", "environments": {"qa": {"base_url": "http://qa.example"}}}"#
    #expect(
      message { try load(file: text, ["NOVA_TOKEN": "s3cret"]) }
        == "environments.qa.base_url is \"http://qa.example\" (APIConfig.json): \(Self.encryption)")
    #expect(
      message { try load(file: text, ["NOVA_TOKEN": "s3cret", "NOVA_ENVIRONMENT": "staging"]) } == "no error")
  }

  @Test(arguments: ["http://localhost:1", "http://127.0.0.1", "http://[::1]:8080", "https://api.example"])
  func aTokenMayGoToThisMachineOrEncrypted(_ url: String) throws {
    #expect(try load(["NOVA_TOKEN": "s3cret", "NOVA_BASE_URL": url]).baseURL.text == url)
  }

  @Test(arguments: [
    ("true", true), ("1", true), ("YES", true), ("on", true), ("false", false), ("0", false), ("no", false),
    ("Off", false),
  ])
  func flagsAreReadInManyForms(_ text: String, _ flag: Bool) throws {
    #expect(try load(["NOVA_MOCK": text]).usesMockData == flag)
    #expect(try load(["NOVA_OFFLINE": text]).isOffline == flag)
    #expect(try load(["NOVA_LOG_REQUESTS": text]).logsRequests == flag)
  }

  @Test(arguments: [
    ("30", Duration.seconds(30)), ("1.1", .milliseconds(1100)), ("30s", .seconds(30)), ("1500ms", .milliseconds(1500)),
    ("0.25s", .milliseconds(250)), ("1ms", .milliseconds(1)), ("300", .seconds(300)), (".5", .milliseconds(500)),
  ])
  func timesAreReadInManyForms(_ text: String, _ duration: Duration) throws {
    #expect(try load(["NOVA_TIMEOUT": text]).timeout == duration)
  }
}
