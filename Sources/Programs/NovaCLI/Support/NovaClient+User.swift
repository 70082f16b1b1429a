import NovaSDK

extension NovaClient {
  /// Creates a client with the token in NOVA_TOKEN, or else the session at the gateway if there is one. Its logs go to
  /// standard error.
  ///
  /// - Parameters:
  ///   - isVerbose: whether requests are logged, even if the configuration does not ask for it.
  ///   - transport: the transport of requests. Default: the configuration's choice.
  ///   - change: changes the client's options. Default: no change.
  /// - Throws: ``Failure`` if the session cannot be read.
  static func ofUser(
    _ configuration: APIConfiguration, isVerbose: Bool = false, transport: (any HTTPTransport)? = nil,
    with change: (inout ClientOptions) -> Void = { _ in }
  ) async throws -> NovaClient {
    var options = ClientOptions()
    options.logger = CommandContext.logger(configuration, verbose: isVerbose)
    change(&options)
    guard configuration.token == nil, try await SessionFile.isSignedIn(configuration) else {
      return NovaClient(configuration: configuration, transport: transport) { $0 = options }
    }
    return NovaClient(
      configuration: configuration, sessionStore: try SessionFile.store(configuration),
      refreshing: RefreshPolicy(refreshesInBackground: false), transport: transport
    ) { $0 = options }
  }
}
