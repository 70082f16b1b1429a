/// A service of NovaSocial: a client, and the options of the calls made through it.
///
/// Services are small values: ``with(_:)`` returns a changed copy and leaves the original as it was.
///
/// ```swift
/// let patient = nova.graph.with { $0.timeout = .seconds(120) }
/// ```
public protocol NovaService: ServiceProtocol {
  /// The client that carries the calls.
  var client: APIClient { get }
  /// The options of every call made through this value.
  var options: CallOptions { get set }

  /// Creates the service on a client.
  init(client: APIClient, options: CallOptions)
}

extension NovaService {
  /// Returns a copy of the service with changed options.
  ///
  /// ```swift
  /// let patient = nova.graph.with { $0.timeout = .seconds(120) }
  /// let page = try await patient.getFollowers(userId: "mock-user-id")
  /// ```
  /// - Parameter change: changes the options of the copy.
  public func with(_ change: (inout CallOptions) throws -> Void) rethrows -> Self {
    var copy = self
    try change(&copy.options)
    return copy
  }
}
