/// What the protocols of all services have in common: `GraphServiceProtocol`, `SocialServiceProtocol`, ….
///
/// A service's protocol asks for one call per RPC, and the calls with plain arguments, lists and batches come with it. So
/// a type of your own that has the RPCs has everything else, too; there is nothing to do for this protocol.
public protocol ServiceProtocol: Sendable {
  /// Makes a call and also returns what came along with the answer, for errors about an answer to tell of it.
  ///
  /// Services on a client know it. Default, for what stands in for them: `call`'s answer, of which nothing more is known.
  ///
  /// - Parameter call: the service's own call of the RPC.
  /// - Throws: ``APIError``, or what `call` throws.
  func respond<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> APIResponse<Response>
}

extension ServiceProtocol {
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
