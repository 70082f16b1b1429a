import ArgumentParser
import NovaCore

/// Where calls go, shared by all commands that make some.
struct ConnectionOptions: ParsableArguments {
  @Flag(help: "Answer from the mock backend in memory; nothing is sent.")
  var mock = false

  @Option(help: ArgumentHelp("Which deployment to call: development, staging or production.", valueName: "name"))
  var environment: String?

  @Option(help: ArgumentHelp("Where the gateway is, such as http://127.0.0.1:8080.", valueName: "url"))
  var baseURL: String?

  @Option(help: ArgumentHelp("Which configuration file to read.", valueName: "file"), completion: .file())
  var config: String?

  @Option(help: ArgumentHelp("How long a call may take: 5s, 500ms, 2m.", valueName: "time"))
  var timeout: Seconds?

  @Flag(help: "Tell on standard error what is sent and received. NOVA_LOG_LEVEL says how much.")
  var verbose = false

  @Flag(help: "Tell on standard error the story of each call: its attempts, why it was tried again or not, and its id.")
  var explain = false

  /// The configuration that these options make of the file and the environment variables.
  ///
  /// - Throws: ConfigurationError.
  func configuration() throws(ConfigurationError) -> APIConfiguration {
    try APIConfiguration.load(
      file: config.map { .path($0) } ?? .standard,
      overrides: ConfigurationOverrides(
        environment: environment.map { APIEnvironment(rawValue: $0) }, baseURL: baseURL, timeout: timeout?.duration,
        usesMockData: mock ? true : nil))
  }

  /// The option that stands for a setting.
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
