/// A response that may carry a failure though its status says success.
public protocol ErrorCarrying {
  /// The failure; nil or empty for none.
  var error: ErrorStatus? { get }
}

/// A response that says whether it was done.
public protocol Confirming {
  /// Whether it was done.
  var success: Bool { get }
  /// What the server says about it; may be empty.
  var message: String { get }
}

extension Confirming {
  public var message: String { "" }
}

extension ErrorStatus {
  /// Whether this is a failure at all.
  var isFailure: Bool { !code.isEmpty || !message.isEmpty }
}

extension ServiceProtocol {
  // Each takes the RPC, for errors to name it, and the service's own call of it: what stands in for a service has no
  // other way to be asked.

  /// Calls an RPC and turns `success: false` into an error.
  @discardableResult
  package func confirmed<Request, Response: ProtoMessage & Confirming>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> Response {
    try await confirmedResponse(rpc, request, by: call).value
  }

  private func confirmedResponse<Request, Response: ProtoMessage & Confirming>(
    _ rpc: RPC<Request, Response>, _ request: Request, by call: (Request) async throws -> Response
  ) async throws -> APIResponse<Response> {
    let response = try await respond(rpc, request, by: call)
    guard response.value.success else {
      throw APIError(
        .failedPrecondition, "the server did not do it", rpc.descriptor, response,
        server: ServerError(message: response.value.message))
    }
    return response
  }

  /// Calls an RPC whose response holds what was asked for in a field; its absence is an error.
  package func value<Request, Response, Value>(
    _ field: KeyPath<Response, Value?>, _ rpc: RPC<Request, Response>, _ request: Request,
    by call: (Request) async throws -> Response
  ) async throws -> Value {
    let response = try await respond(rpc, request, by: call)
    return try held(response.value[keyPath: field], rpc, response)
  }

  /// Calls an RPC whose response confirms and holds something; `success: false` and absence are errors.
  package func confirmedValue<Request, Response: ProtoMessage & Confirming, Value>(
    _ field: KeyPath<Response, Value?>, _ rpc: RPC<Request, Response>, _ request: Request,
    by call: (Request) async throws -> Response
  ) async throws -> Value {
    let response = try await confirmedResponse(rpc, request, by: call)
    return try held(response.value[keyPath: field], rpc, response)
  }

  private func held<Request, Response, Value>(
    _ value: Value?, _ rpc: RPC<Request, Response>, _ response: APIResponse<Response>
  ) throws -> Value {
    if let value { return value }
    throw APIError(.invalidResponse, "the answer holds no \(Value.self)", rpc.descriptor, response)
  }

  /// Calls an RPC that says by a flag whether there is what was asked for; nil if not.
  ///
  /// An error inside the answer that says the same (`NOT_FOUND`) is nil too.
  package func found<Request, Response, Value>(
    _ rpc: RPC<Request, Response>, _ request: Request, _ flag: KeyPath<Response, Bool>,
    _ field: KeyPath<Response, Value?>, by call: (Request) async throws -> Response
  ) async throws -> Value? {
    do {
      let response = try await respond(rpc, request, by: call)
      guard response.value[keyPath: flag] else { return nil }
      return try held(response.value[keyPath: field], rpc, response)
    } catch let error as APIError where error.code == .notFound && error.httpStatus.map({ $0 < 300 }) ?? false {
      return nil
    }
  }
}
