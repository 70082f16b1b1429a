#if GRPC
  import NovaSDK

  extension CommandContext {
    /// Runs what calls the server that an argument names. Its failures have other advice than those of the gateway: no
    /// setting chose the server, and no token is sent to it.
    func calling(_ address: ServiceAddress, _ body: () async throws -> Void) async throws {
      do {
        try await body()
      } catch let error as APIError where !Interruption.happened {
        let failure = Failure(error, baseURL: configuration.baseURL)
        throw Failure(failure.message, hint: Self.hint(error, at: address) ?? failure.hint, failure.status)
      }
    }

    private static func hint(_ error: APIError, at address: ServiceAddress) -> String? {
      switch (error.code, error.transport?.kind) {
      case (.unauthorized, _):
        "No token is sent to this server but your own: pass one with --header 'authorization: Bearer <token>'."
      case (_, .connectionRefused?):
        "Nothing listens there. \(RunningServers.gRPCPlaces ?? "Check the address, and whether the server runs.")"
      case (_, .nameResolution?): "Check the name, and whether this machine is online."
      case (.networkError, _), (_, .connectTimeout?): "Check the address, and whether a gRPC server runs there."
      case (.unimplemented, _): "List what the server has with `nova describe \(address.server)`."
      default: nil
      }
    }
  }
#endif
