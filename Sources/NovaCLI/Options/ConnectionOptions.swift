import ArgumentParser
import NovaCore

/// The connection options of all commands that make calls.
struct ConnectionOptions: ParsableArguments {
  @Flag(help: "Use a mock backend in memory; sends nothing.")
  var mock = false

  @Option(help: ArgumentHelp("The environment: development, staging or production.", valueName: "name"))
  var environment: String?

  @Option(help: ArgumentHelp("The URL of the gateway, such as http://127.0.0.1:8080.", valueName: "url"))
  var baseURL: String?

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("The time limit of a call: 5s, 500ms, 2m.", valueName: "time"))
  var timeout: Seconds?

  @Flag(help: "Log requests and responses to standard error. NOVA_LOG_LEVEL sets the level.")
  var verbose = false

  @Flag(
    help: "Print a trace of each call to standard error: its attempts, why it was retried or not, and its request ID.")
  var explain = false

  /// The configuration from the file, the environment variables and these options.
  ///
  /// - Throws: ConfigurationError.
  func configuration() throws(ConfigurationError) -> APIConfiguration {
    try APIConfiguration.load(
      file: config.map { .path($0) } ?? .standard,
      overrides: ConfigurationOverrides(
        environment: environment.map { APIEnvironment(rawValue: $0) }, baseURL: baseURL, timeout: timeout?.duration,
        usesMockData: mock ? true : nil))
  }

  /// The option for a setting.
  static func flag(of key: String) -> String? {
    switch key {
    case "environment": "--environment"
    case "base_url": "--base-url"
    case "timeout_seconds": "--timeout"
    case "configuration file": "--config"
    case "flags.mock_data": "--mock"
    default: nil
    }
  }
}
