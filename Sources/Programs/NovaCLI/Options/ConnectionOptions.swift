import ArgumentParser
import NovaCore

/// The connection options of all commands that make calls.
struct ConnectionOptions: ParsableArguments {
  @Flag(help: "Use an in-memory mock backend; sends nothing.")
  var mock = false

  @Option(
    help: ArgumentHelp(
      "The context: settings saved with `nova context add`. Default: the current one.", valueName: "name"),
    completion: .custom { _, _, _ in ContextStore.names })
  var context: String?

  @Option(
    help: .value(
      "name",
      "The environment: development, staging or production. Default: production; development in a debug build of nova."),
    completion: Completions.environments)
  var environment: String?

  @Option(
    help: .value(
      "url", "The URL of the gateway, such as http://127.0.0.1:8080, or of services over gRPC: grpc://127.0.0.1:50051.")
  )
  var baseURL: String?

  @Option(help: .value("url", "With a grpc:// base URL: the gateway for uploads and media."))
  var gatewayURL: String?

  @Option(help: .value("file", "The configuration file."), completion: .file())
  var config: String?

  @Option(help: .value("time", "The time limit of a call: 5s, 500ms, 2m."))
  var timeout: Seconds?

  @Flag(
    name: [.customShort("v"), .long],
    help: "Log requests and responses to standard error. NOVA_LOG_LEVEL sets the level.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Print no notes, confirmations, or progress; warnings and errors stay.")
  var quiet = false

  @Flag(
    help: "Print a trace of each call to standard error: its attempts, why it was retried or not, and its request ID.")
  var explain = false

  /// What `--timeout` limits.
  enum TimeLimit {
    /// Each call, or each request of an upload.
    case call
    /// All that the command does, which can take longer than the longest call.
    case command
  }

  /// The configuration from the file, the context, the environment variables and these options.
  ///
  /// - Parameters:
  ///   - isOffline: whether nothing may be sent; nil for what is set.
  ///   - connections: how many transfers and connections there are at once; nil for what is set.
  /// - Throws: ConfigurationError; ``Failure`` for a context or a time limit that cannot be used.
  func configuration(
    limiting limit: TimeLimit = .call, isOffline: Bool? = nil, connections: ConnectionLimits? = nil
  ) throws -> APIConfiguration {
    try timeout?.checkTimeout(upTo: limit == .call ? Seconds.longestCall : nil)
    let variables = APIConfiguration.processVariables()
    var overrides = ConfigurationOverrides(
      environment: environment.map { APIEnvironment(rawValue: $0) }, baseURL: baseURL, timeout: callTimeout,
      usesMockData: mock ? true : nil, isOffline: isOffline)
    overrides.optionNames = ["environment": "--environment", "base_url": "--base-url"]
    overrides.grpcGatewayURL = gatewayURL
    overrides.connections = connections
    var context = try chosenContext()
    if let replaced = context, replaced.isReplaced(by: variables, overrides, hasFile: config != nil) {
      guard !replaced.isTyped else { throw conflict(with: replaced) }
      context = nil
    }
    return try APIConfiguration.load(
      file: file(context), environment: variables, overrides: overrides, context: context)
  }

  /// The configuration of a command without options and context. Unlike a program's, it has a default gateway in every
  /// build.
  static func withoutContext() throws(ConfigurationError) -> APIConfiguration {
    try .load(
      file: .standard, environment: APIConfiguration.processVariables(), overrides: ConfigurationOverrides(),
      context: nil)
  }

  /// The time limit of a call.
  var callTimeout: Duration? { timeout.map { min($0.duration, Seconds.longestCall) } }

  /// The context, which may be replaced. If an option chooses the gateway, no context is read, so that the command works
  /// even if the contexts cannot be read.
  private func chosenContext() throws -> ConfigurationContext? {
    let isChosen = mock || baseURL != nil || environment != nil
    return isChosen && context == nil ? nil : try ContextChoice.context(typed: context)
  }

  private func file(_ context: ConfigurationContext?) -> ConfigurationFile {
    if let config { return .path(config) }
    guard let context, let path = context.configurationFile,
      context.isTyped || System.variable(ConfigurationVariable.config) == nil
    else { return .standard }
    return .path(path, from: context.source)
  }

  private func conflict(with context: ConfigurationContext) -> Failure {
    let option = baseURL != nil ? "--base-url" : environment != nil ? "--environment" : mock ? "--mock" : "--config"
    return Failure(
      "--context and \(option) cannot be combined: both decide where calls go",
      hint: "Context \(context.name) has \(context.summary).", .usage)
  }

  /// The option for a setting.
  static func flag(of key: String) -> String? {
    switch key {
    case "environment": "--environment"
    case "base_url": "--base-url"
    case "timeout_seconds": "--timeout"
    case "configuration file": "--config"
    case "flags.mock_data": "--mock"
    case "ca_file": "--ca-file"
    case "client_certificate_file": "--client-certificate-file"
    case "client_key_file": "--client-key-file"
    case "grpc.gateway_url": "--gateway-url"
    default: nil
    }
  }
}
