extension ServiceProtocol {
  // Each takes the RPC, for errors to name it, and the service's own call of it, which is the only way to reach another
  // implementation.

  /// Calls an RPC and turns `success: false` into an error.
  @discardableResult
  package func acknowledged<Request, Response: ProtoMessage & AcknowledgedResponse>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> Response {
    try await acknowledgedResponse(rpc, request, by: call).value
  }

  private func acknowledgedResponse<Request, Response: ProtoMessage & AcknowledgedResponse>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> APIResponse<Response> {
    let response = try await respond(rpc, request, by: call)
    guard response.value.success else {
      throw APIError(
        .failedPrecondition, "the server did not do it", rpc: rpc.descriptor, response: response,
        server: ServerError(message: response.value.message))
    }
    return response
  }

  /// Calls an RPC and returns a field of its response; an absent field is an error.
  package func value<Request, Response, Value>(
    _ field: KeyPath<Response, Value?>, of rpc: RPC<Request, Response>, for request: Request,
    by call: (Request) async throws -> Response
  ) async throws -> Value {
    try requireValue(field, of: rpc, in: try await respond(rpc, request, by: call))
  }

  /// Calls an RPC and returns a field of its response; `success: false` and an absent field are errors.
  package func acknowledgedValue<Request, Response: ProtoMessage & AcknowledgedResponse, Value>(
    _ field: KeyPath<Response, Value?>, of rpc: RPC<Request, Response>, for request: Request,
    by call: (Request) async throws -> Response
  ) async throws -> Value {
    try requireValue(field, of: rpc, in: try await acknowledgedResponse(rpc, request, by: call))
  }

  private func requireValue<Request, Response, Value>(
    _ field: KeyPath<Response, Value?>, of rpc: RPC<Request, Response>, in response: APIResponse<Response>
  ) throws -> Value {
    if let value = response.value[keyPath: field] { return value }
    throw APIError(
      .invalidResponse, "the response has no \(Value.self)", rpc: rpc.descriptor, response: response)
  }

  /// Calls an RPC whose response has a flag for whether the requested entity exists; nil if it does not.
  ///
  /// An error inside the response that reports the same (`NOT_FOUND`) is nil too.
  package func value<Request, Response, Value>(
    _ field: KeyPath<Response, Value?>, if flag: KeyPath<Response, Bool>, of rpc: RPC<Request, Response>,
    for request: Request, by call: (Request) async throws -> Response
  ) async throws -> Value? {
    do {
      let response = try await respond(rpc, request, by: call)
      guard response.value[keyPath: flag] else { return nil }
      return try requireValue(field, of: rpc, in: response)
    } catch let error as APIError where error.code == .notFound && error.httpStatus.map({ $0 < 300 }) ?? false {
      return nil
    }
  }
}
