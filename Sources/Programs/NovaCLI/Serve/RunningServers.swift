import NovaSDK

/// Advice about the `nova serve` that this user runs. Nothing is sent to it: the user decides.
enum RunningServers {
  /// How to use the newest running server; nil if none runs.
  ///
  /// - Parameters:
  ///   - name: the name of the context to suggest.
  ///   - replaces: whether it replaces a context with this name.
  ///   - overGRPC: whether it is to be called over gRPC.
  static func advice(named name: String = "local", replaces: Bool = false, overGRPC: Bool = false) -> String? {
    let urls = RunFile.running().compactMap { overGRPC ? $0.grpcURL : $0.url }
    guard let url = urls.first else { return nil }
    return """
      nova serve runs at \(url)\(others(urls)): use --base-url \(url), or \
      `\(command(for: url, named: name, replaces: replaces))`.
      """
  }

  /// Where the newest running server takes gRPC, as a sentence; nil if none does.
  static var gRPCPlaces: String? {
    let urls = RunFile.running().compactMap(\.grpcURL)
    return urls.first.map { "nova serve runs at \($0)\(others(urls))." }
  }

  private static func others(_ urls: [String]) -> String { urls.count > 1 ? " (and \(urls.count - 1) more)" : "" }

  /// Whether the gateway is a server of this machine with the generated sample data.
  static func haveSampleData(at configuration: APIConfiguration) -> Bool {
    guard configuration.baseURL.origin.isLoopback else { return false }
    return RunFile.running().contains { server in
      server.data.hasPrefix("seed ") && (try? HTTPURL(parsing: server.url))?.origin == configuration.baseURL.origin
    }
  }

  /// The command after which calls go to a server.
  private static func command(for url: String, named name: String, replaces: Bool) -> String {
    let contexts = (try? ContextStore.ofUser().read()) ?? SavedContexts()
    let setting = ConfigurationContext.Setting("base_url", .string(url))
    if let context = contexts.all.first(where: { $0.settings == [setting] && $0.configurationFile == nil }) {
      return "nova context use \(context.name)"
    }
    if replaces { return "nova context add \(name) --base-url \(url) --use --force" }
    let port = url.split(separator: ":").last.map { "\(name)-\($0)" } ?? name
    let isFree = { (name: String) in contexts[name] == nil && contexts.name(like: name) == nil }
    let names = [name, port] + (2...contexts.all.count + 2).map { "\(port)-\($0)" }
    return "nova context add \(names.first(where: isFree) ?? port) --base-url \(url) --use"
  }

  /// The advice after a call that failed: nil if the configuration names another gateway that responded.
  static func advice(after error: APIError, _ configuration: APIConfiguration) -> String? {
    let isUnconfigured = configuration.isDefaultGateway
    switch error.code {
    case .networkError where isUnconfigured, .timeout where isUnconfigured, .unauthorized where isUnconfigured:
      let place = "No gateway is configured, so calls go to \(configuration.baseURL.text)."
      if let advice = advice() { return "\(place) \(advice)" }
      guard error.code == .networkError else { return nil }
      return """
        \(place) Choose one with `nova context add <name> --base-url <url> --use`, --base-url or --environment. Or start the \
        mock backend with `nova serve` in another terminal, or use a mock backend in memory with --mock.
        """
    case .networkError where error.transport?.kind == .connectionRefused && configuration.baseURL.origin.isLoopback:
      return advice(overGRPC: configuration.baseURL.origin.usesGRPC)
    default: return nil
    }
  }
}

extension APIConfiguration {
  /// Whether no setting chose a gateway, so that calls go to the default one of this build.
  fileprivate var isDefaultGateway: Bool {
    guard !usesMockData, baseURL == APIConfiguration.builtIn.baseURL else { return false }
    // A file may spell out what is built in.
    return entries.filter { ["base_url", "environment"].contains($0.key) }.allSatisfy {
      switch $0.source {
      case .builtIn, .file: true
      case .named, .environmentVariable, .code: false
      }
    }
  }
}
