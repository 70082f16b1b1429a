import NovaSDK

extension NovaClient {
  /// Creates a client with the token in NOVA_TOKEN, or else the session at the gateway if there is one.
  ///
  /// - Parameter change: changes the client's options.
  /// - Throws: ``Failure`` if the session cannot be read.
  static func ofUser(
    _ configuration: APIConfiguration, with change: (inout ClientOptions) -> Void
  ) async throws -> NovaClient {
    guard configuration.token == nil, try await SessionFile.isSignedIn(configuration) else {
      return NovaClient(configuration: configuration, with: change)
    }
    return NovaClient(
      configuration: configuration, sessionStore: try SessionFile.store(configuration),
      refreshing: RefreshPolicy(refreshesInBackground: false), with: change)
  }
}
