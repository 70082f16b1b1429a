import ArgumentParser
import NovaCore

/// The settings of a context, as options.
struct ContextSettings: ParsableArguments {
  @Option(help: ArgumentHelp("The URL of the gateway, such as http://127.0.0.1:8080.", valueName: "url"))
  var baseURL: String?

  @Option(help: ArgumentHelp("The environment: development, staging, or production.", valueName: "name"))
  var environment: String?

  @Flag(help: "Use an in-memory mock backend; sends nothing.")
  var mock = false

  @Option(help: ArgumentHelp("The time limit of a call: 5s, 500ms, 2m.", valueName: "time"))
  var timeout: Seconds?

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("Certificate authorities to trust, a PEM file.", valueName: "file"), completion: .file())
  var caFile: String?

  @Option(help: ArgumentHelp("The client certificate, a PEM file.", valueName: "file"), completion: .file())
  var clientCertificateFile: String?

  @Option(
    help: ArgumentHelp("The private key of the client certificate, a PEM file.", valueName: "file"), completion: .file()
  )
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
  /// - Throws: ``Failure`` if there are none; ConfigurationError for the first that is invalid.
  func context(named name: String, replaces: Bool) throws -> ConfigurationContext {
    // Checks the values, as if they were typed for a command. The context may be used in any directory.
    try timeout?.checkTimeout()
    let file = try config.map(Self.absolute)
    let overrides = ConfigurationOverrides(
      environment: environment.map { APIEnvironment(rawValue: $0) }, baseURL: baseURL, timeout: timeout?.duration,
      caFile: try caFile.map(Self.absolute), clientCertificateFile: try clientCertificateFile.map(Self.absolute),
      clientKeyFile: try clientKeyFile.map(Self.absolute), usesMockData: mock ? true : nil)
    let checked = try APIConfiguration.load(
      file: file.map { .path($0) } ?? .standard, environment: [:], overrides: overrides, context: nil)
    let settings = [
      Self.setting("base_url", baseURL.map { _ in .string(checked.baseURL.text) }),
      Self.setting("environment", environment.map(JSONValue.string)),
      Self.setting("timeout_seconds", timeout.map { .number($0.duration.secondsText) }),
      Self.setting("flags.mock_data", mock ? .bool(true) : nil),
      Self.setting("ca_file", overrides.caFile.map(JSONValue.string)),
      Self.setting("client_certificate_file", overrides.clientCertificateFile.map(JSONValue.string)),
      Self.setting("client_key_file", overrides.clientKeyFile.map(JSONValue.string)),
    ].compactMap(\.self)
    guard !settings.isEmpty || file != nil else {
      throw Failure(
        "missing settings: a context has at least one",
        hint: RunningServers.advice(named: name, replaces: replaces)
          ?? "For example: nova context add \(name) --base-url http://localhost:8080", .usage)
    }
    return ConfigurationContext(name: name, settings: settings, configurationFile: file)
  }

  private static func setting(_ key: String, _ value: JSONValue?) -> ConfigurationContext.Setting? {
    value.map { ConfigurationContext.Setting(key, $0) }
  }

  /// The path of a file from the root: contexts are used in any directory.
  private static func absolute(_ path: String) throws -> String {
    do throws(SystemError) {
      return path.isEmpty ? path : try System.canonicalPath(path)
    } catch {
      throw Failure("cannot find \(path): \(error.reason)", .failed)
    }
  }
}
