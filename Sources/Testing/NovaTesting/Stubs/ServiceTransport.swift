public import NovaCore
import NovaRegistry

/// A mock backend for your own services: a transport that answers with your implementations of their protocols.
///
/// Encoding, routing and decoding are the real ones. `nova-generate --testing` writes the routes of each service.
///
/// ```swift
/// struct MockOrders: OrderServiceProtocol {
///   func getOrder(_ request: GetOrderRequest) async throws -> Order { Order(id: request.id) }
/// }
///
/// let transport = ServiceTransport(MockOrders().orderRoutes)
/// let orders = OrderService(client: APIClient(configuration: .builtIn, transport: transport))
/// ```
///
/// An ``APIError`` that an implementation throws becomes an error response with the HTTP status of its code. A path without
/// a route gets 404, and an RPC that an implementation leaves out 501.
public struct ServiceTransport: HTTPTransport {
  private let routes: [String: ServiceRoute]
  private let router: RPCRouter

  /// Creates a transport.
  ///
  /// - Parameter routes: the routes of all services.
  public init(_ routes: [ServiceRoute]) {
    self.routes = Dictionary(routes.map { ($0.rpc.fullName, $0) }) { first, _ in first }
    router = RPCRouter(RPCRegistry(rpcs: routes.map(\.rpc), messages: []))
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    switch router.route(request.method, request.url.path) {
    case .unknownPath: return Self.failure(.notFound, "no route for \(request.method) \(request.url.path)")
    case .wrongMethod(let allowed):
      let names = allowed.map(\.rawValue).joined(separator: ", ")
      return Self.failure(.unimplemented, "\(request.url.path) has \(names), not \(request.method)")
    case .rpc(let rpc, let variables):
      guard let route = routes[rpc.fullName] else { return Self.failure(.notFound, "no route for \(rpc.id)") }
      return try await answer(request, of: route, variables)
    }
  }

  private func answer(
    _ request: HTTPRequest, of route: ServiceRoute, _ variables: [String: String]
  ) async throws -> HTTPResponse {
    let http = route.rpc.http
    let bytes = try await request.body.collected(upTo: Recorder.largestBody).inMemory
    do {
      let message = try HTTPTranscoder.message(
        route.rpc.requestType, http, variables: variables, query: request.url.query ?? "", body: bytes)
      let body = try HTTPTranscoder.body(of: try await route.respond(message), http)
      return Self.response(http.successStatus, body)
    } catch let error as ProtoJSONError {
      return Self.failure(.invalidArgument, "\(error)")
    } catch let error as APIError {
      return Self.failure(error.grpcStatus ?? Self.status(of: error.code), error.message)
    } catch let error as CancellationError {
      throw error
    } catch {
      return Self.failure(.internalError, "\(error)")
    }
  }

  private static func status(of code: APIError.Code) -> GRPCStatus {
    if code == .failedPrecondition { return .failedPrecondition }
    let all = (1...16).map { GRPCStatus(rawValue: $0) }
    return all.first { APIError.Code.of(httpStatus: $0.httpStatus) == code } ?? .unknown
  }

  private static func failure(_ status: GRPCStatus, _ message: String) -> HTTPResponse {
    let body: JSONValue = ["code": .number(status.rawValue), "message": .string(message)]
    return response(status.httpStatus, body.jsonUTF8)
  }

  private static func response(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: status, headers: body.isEmpty ? [:] : ["Content-Type": "application/json"], body: body)
  }
}

/// An RPC and what responds to it, for ``ServiceTransport``.
public struct ServiceRoute: Sendable {
  let rpc: RPCDescriptor
  let respond: @Sendable (any ProtoMessage) async throws -> any ProtoMessage

  /// Creates a route.
  ///
  /// - Parameters:
  ///   - rpc: the RPC: `OrderRPC.getOrder`.
  ///   - respond: returns the response.
  public init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ respond: @escaping @Sendable (Request) async throws -> Response
  ) {
    self.rpc = rpc.descriptor
    self.respond = { message in
      guard let request = message as? Request else {
        throw APIError(.invalidArgument, "expected a \(Request.descriptor.name)")
      }
      return try await respond(request)
    }
  }
}
