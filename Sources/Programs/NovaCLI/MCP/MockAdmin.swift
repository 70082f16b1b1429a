import NovaMock
import NovaSDK

/// The admin API of the mock backend: of the one in this process, or of a `nova serve` on this machine.
struct MockAdmin: Sendable {
  private let origin: String
  private let send: @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// Nil for gateways that cannot be a mock: those on other machines.
  init?(_ context: MCPContext) {
    if let backend = context.backend {
      let api = AdminAPI(backend)
      (origin, send) = ("http://localhost", { await api.respond(to: $0) })
      return
    }
    let configuration = context.configuration
    let url = configuration.baseURL.origin.usesGRPC ? configuration.grpc.gatewayURL : configuration.baseURL
    guard let url, url.origin.isLoopback else { return nil }
    let transport = context.transport
    (origin, send) = (url.origin.text, { try await transport.send($0) })
  }

  /// Sends a request.
  ///
  /// - Parameter path: the path below `/_nova/`, with its query.
  /// - Throws: ``Failure`` if the server refuses it, or is not a `nova serve`.
  func request(_ method: HTTPMethod, _ path: String, sending body: JSONValue? = nil) async throws -> JSONValue {
    guard let url = try? HTTPURL(parsing: "\(origin)/_nova/\(path)") else {
      throw Failure("invalid argument: \(path.quoted) cannot be part of a URL", .badData)
    }
    var request = HTTPRequest(method: method, url: url, body: body?.jsonUTF8 ?? [])
    request.limits.totalTimeout = .seconds(30)
    if body != nil { request.headers["Content-Type"] = "application/json" }
    let response: HTTPResponse
    do { response = try await send(request) } catch let error as TransportError {
      throw Failure("no mock backend at \(origin): \(error.message)", hint: Self.advice, .noConnection)
    }
    let json = try? JSONValue(jsonUTF8: response.body.inMemory)
    if response.isSuccess, let json, response.headers["Cache-Control"] == "no-store" { return json }
    guard !response.isSuccess, path != Self.state else { throw notAMock(response) }
    // Another gateway refuses these requests, too.
    _ = try await self.request(.get, Self.state)
    throw refusal(response, json ?? .null)
  }

  /// What every mock has.
  private static let state = "state"
  private static let advice = "Start one with `nova serve`, or use `nova mcp --mock`."

  private func notAMock(_ response: HTTPResponse) -> Failure {
    Failure(
      "no mock backend at \(origin): it has no admin API (status \(response.status))", hint: Self.advice, .notFound)
  }

  /// The server's reason.
  private func refusal(_ response: HTTPResponse, _ json: JSONValue) -> Failure {
    let message =
      json["message"]?.stringValue?.printable(to: 1000) ?? "the mock backend failed: status \(response.status)"
    return Failure(message, response.status == 404 ? .notFound : .badData)
  }
}
