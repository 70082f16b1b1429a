/// The common base of the services' protocols: `GraphServiceProtocol`, `SocialServiceProtocol`, ….
///
/// A service's protocol has one call for each RPC; the calls with plain arguments, the lists and the batches are built on
/// them. Your own implementation needs only the RPCs that your code calls: the others throw `unimplemented`. This protocol
/// itself requires nothing.
///
/// ```swift
/// struct OneFollower: GraphServiceProtocol {
///   func getFollowers(_ request: GetFollowersRequest) async throws -> GetFollowersResponse {
///     GetFollowersResponse(userIds: ["ada"], totalCount: 1)
///   }
/// }
/// ```
public protocol ServiceProtocol: Sendable {
  /// Makes a call, and returns its response together with status, request id and attempts, for errors about it.
  ///
  /// Services with a client have them. Default, for other implementations: the response of `call` alone.
  ///
  /// - Parameter call: the service's own call of the RPC.
  /// - Throws: ``APIError``, or what `call` throws.
  func respond<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> APIResponse<Response>

  /// Returns a copy of the service whose calls have changed options.
  ///
  /// Services with a client send them, and generated fakes record them. Default, for other implementations: the service as
  /// it is.
  ///
  /// - Parameter change: changes the options of the copy.
  func with(_ change: (inout CallOptions) throws -> Void) rethrows -> Self
}

extension ServiceProtocol {
  public func with(_ change: (inout CallOptions) throws -> Void) rethrows -> Self { self }

  public func respond<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> APIResponse<Response> {
    let report = CallReport(rpc: rpc.descriptor.id, requestID: "", duration: .zero, failure: nil, attempts: [])
    return APIResponse(value: try await call(request), report: report)
  }
}

extension NovaService {
  public func respond<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> APIResponse<Response> {
    try await client.respond(rpc, request, options: options)
  }
}

extension APIError {
  /// The error of a call that an implementation of a service's protocol leaves out.
  ///
  /// - Parameters:
  ///   - rpc: the RPC's id, for example `graph.GetFollowers`.
  ///   - service: the implementation.
  public init(unimplemented rpc: String, by service: some ServiceProtocol) {
    self.init(.unimplemented, "not implemented", reason: "\(type(of: service)) has no \(rpc)", rpc: rpc)
  }
}

/// A service of NovaSocial: a client, and the options of the calls made through it.
///
/// Services are small values: ``ServiceProtocol/with(_:)`` returns a changed copy and leaves the original as it was.
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

extension NovaService {
  /// A copy for the calls of one operation, which are all made as the caller whose call would begin now. If another user
  /// signs in, or this one signs out, the rest of the operation fails with `unauthorized`, and sends nothing.
  ///
  /// - Returns: the copy, and the caller.
  /// - Throws: ``APIError``.
  package func forOneCaller() async throws -> (service: Self, identity: Identity) {
    let identity: Identity
    do { identity = try await client.identity(for: options) } catch { throw APIError(anyFailure: error) }
    return (with { $0.caller = $0.caller ?? OperationCaller(identity) }, identity)
  }
}
