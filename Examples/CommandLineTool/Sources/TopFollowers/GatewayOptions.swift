import ArgumentParser
import Logging
import NovaSDK

/// Where calls go, for every command of a tool. Options take precedence over variables, and variables over the file.
public struct GatewayOptions: ParsableArguments, Sendable {
  @Flag(help: "Use a mock backend in this process. Nothing is sent.")
  public var mock = false

  @Option(help: ArgumentHelp("Use this environment: development, staging, production.", valueName: "name"))
  public var environment: String?

  @Option(help: ArgumentHelp("Use the gateway at this URL.", valueName: "url"))
  public var baseURL: String?

  @Option(help: ArgumentHelp("Read this configuration file in place of APIConfig.json.", valueName: "path"))
  public var config: String?

  @Option(help: ArgumentHelp("Limit each call to this many seconds.", valueName: "seconds"))
  public var timeout: Double?

  @Flag(help: "Log each attempt of each call to standard error.")
  public var verbose = false

  public init() {}

  public func validate() throws {
    guard [mock, environment != nil, baseURL != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("--mock, --environment and --base-url exclude each other")
    }
    if let timeout, !(0.001...300).contains(timeout) {
      throw ValidationError("--timeout must be 0.001…300 seconds, got \(timeout)")
    }
  }

  /// The settings of all sources. There is no option for the token: arguments are visible to other users of the machine,
  /// so it comes from `NOVA_TOKEN` or `NOVA_TOKEN_FILE`.
  func configuration() throws -> APIConfiguration {
    let overrides = ConfigurationOverrides(
      environment: environment.map { APIEnvironment(rawValue: $0) }, baseURL: baseURL,
      timeout: timeout.map { .seconds($0) }, usesMockData: mock ? true : nil)
    return try APIConfiguration.load(file: config.map { .path($0) } ?? .standard, overrides: overrides)
  }

  /// A client with these settings.
  func client() throws -> NovaClient {
    let configuration = try configuration()
    for warning in configuration.warnings { Terminal.note("warning: \(warning)") }
    var logger = Logger(label: "top-followers")
    logger.logLevel = verbose ? .debug : .warning
    return NovaClient(configuration: configuration) { $0.logger = logger }
  }
}
