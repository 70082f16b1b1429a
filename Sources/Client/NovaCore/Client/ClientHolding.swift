/// Something with a client, which modules beside the services can extend: with NovaOffline, `nova.offline` is there.
public protocol ClientHolding: Sendable {
  /// The client that makes the calls.
  var client: APIClient { get }
  /// The options of the calls. Default: those of every call.
  var options: CallOptions { get }
}

extension ClientHolding {
  public var options: CallOptions { CallOptions() }

  /// Whose calls these are: see ``APIClient/identity(for:)``.
  ///
  /// - Throws: what the ``TokenProvider`` throws.
  public var identity: Identity {
    get async throws { try await client.identity(for: options) }
  }
}
