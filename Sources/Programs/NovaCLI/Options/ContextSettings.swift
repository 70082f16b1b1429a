import ArgumentParser
import NovaCore

/// The settings of a context, as options.
struct ContextSettings: ParsableArguments {
  @Option(help: .value("url", "The URL of the gateway, such as http://127.0.0.1:8080."))
  var baseURL: String?

  @Option(help: .value("url", "With a grpc:// base URL: the gateway for uploads and media."))
  var gatewayURL: String?

  @Option(help: .value("name", "The environment: development, staging, or production."))
  var environment: String?

  @Flag(help: "Use an in-memory mock backend; sends nothing.")
  var mock = false

  @Option(help: .value("time", "The time limit of a call: 5s, 500ms, 2m."))
  var timeout: Seconds?

  @Option(help: .value("file", "The configuration file."), completion: .file())
  var config: String?

  @Option(help: .value("file", "Certificate authorities to trust, a PEM file."), completion: .file())
  var caFile: String?

  @Option(help: .value("file", "The client certificate, a PEM file."), completion: .file())
  var clientCertificateFile: String?

  @Option(help: .value("file", "The private key of the client certificate, a PEM file."), completion: .file())
  var clientKeyFile: String?

  func validate() throws {
    let chosen = [
      baseURL.map { _ in "--base-url" }, environment.map { _ in "--environment" }, mock ? "--mock" : nil,
    ].compactMap(\.self)
    guard chosen.count < 2 else {
      throw ValidationError("\(chosen[0]) and \(chosen[1]) cannot be combined: both decide where calls go")
    }
  }

  /// The context with these settings.
  ///
  /// - Parameter replaces: whether a context with this name is replaced, for the advice.
  /// - Throws: ``Failure`` without any setting; ConfigurationError for the first one that is invalid.
  func context(named name: String, replaces: Bool) throws -> ConfigurationContext {
    // Checks the values, as if they were typed for a command. The context may be used in any directory.
    try timeout?.checkTimeout()
    let file = try config.map(Self.absolute)
    var overrides = ConfigurationOverrides(
      environment: environment.map { APIEnvironment(rawValue: $0) }, baseURL: baseURL, timeout: timeout?.duration,
      caFile: try caFile.map(Self.absolute), clientCertificateFile: try clientCertificateFile.map(Self.absolute),
      clientKeyFile: try clientKeyFile.map(Self.absolute), usesMockData: mock ? true : nil)
    overrides.grpcGatewayURL = gatewayURL
    let checked = try APIConfiguration.load(
      file: file.map { .path($0) } ?? .standard, environment: [:], overrides: overrides, context: nil)
    let values: [(key: String, value: JSONValue?)] = [
      ("base_url", baseURL.map { _ in .string(checked.baseURL.text) }),
      ("grpc.gateway_url", checked.grpc.gatewayURL.flatMap { url in gatewayURL.map { _ in .string(url.text) } }),
      ("environment", environment.map(JSONValue.string)),
      ("timeout_seconds", timeout.map { .number($0.duration.secondsText) }),
      ("flags.mock_data", mock ? .bool(true) : nil), ("ca_file", overrides.caFile.map(JSONValue.string)),
      ("client_certificate_file", overrides.clientCertificateFile.map(JSONValue.string)),
      ("client_key_file", overrides.clientKeyFile.map(JSONValue.string)),
    ]
    let settings = values.compactMap { key, value in value.map { ConfigurationContext.Setting(key, $0) } }
    guard !settings.isEmpty || file != nil else {
      throw Failure(
        "missing settings: a context has at least one",
        hint: RunningServers.advice(named: name, replaces: replaces)
          ?? "For example: nova context add \(name) --base-url http://localhost:8080", .usage)
    }
    return ConfigurationContext(name: name, settings: settings, configurationFile: file)
  }

  /// The path of a file from the root: contexts are used in any directory.
  private static func absolute(_ path: String) throws -> String {
    try Failure.explaining("cannot find \(path)") { path.isEmpty ? path : try System.canonicalPath(path) }
  }
}
