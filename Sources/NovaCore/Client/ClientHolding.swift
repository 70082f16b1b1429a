/// Something with a client, which modules beside the services can extend: with NovaOffline, `nova.offline` is there.
public protocol ClientHolding: Sendable {
  /// The client that makes the calls.
  var client: APIClient { get }
}
