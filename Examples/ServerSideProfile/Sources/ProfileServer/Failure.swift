import Hummingbird
import NovaSDK

/// Answers failed calls of every route with a status and a ``Failure``.
struct FailureMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do { return try await next(request, context) } catch let error as APIError {
      let status = Failure.status(of: error.code)
      // The log has everything: the call, its statuses, what failed. Tokens and bodies are not part of it.
      context.logger.log(level: status < 500 ? .info : .warning, "Request failed", metadata: ["error": "\(error)"])
      var response = try Failure(error, requestID: context.id).response(from: request, context: context)
      response.status = .init(code: status)
      setHeaders(of: error, in: &response.headers)
      return response
    }
  }

  private func setHeaders(of error: APIError, in headers: inout HTTPFields) {
    if error.code == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    if let wait = error.retryAfter {
      // Whole seconds, rounded up: a client that comes early is refused again.
      let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
      headers[.retryAfter] = String(max(1, seconds))
    }
  }
}

/// Why there is no answer, as JSON: `{"error":{"code":"notFound","message":"…","request_id":"…"}}`.
///
/// Nothing of it is text that the gateway chose. Nor does it name hosts and ports, as messages of network failures do.
struct Failure: ResponseEncodable {
  struct Details: Encodable {
    var code: String
    var message: String
    /// What this server's logs and the gateway's know the request by.
    var requestId: String

    enum CodingKeys: String, CodingKey {
      case code
      case message
      case requestId = "request_id"
    }
  }

  var error: Details

  init(_ error: APIError, requestID: String) {
    let isCallers = (400..<500).contains(Self.status(of: error.code))
    self.error = Details(
      code: error.code.rawValue, message: isCallers ? error.message : "the service is not available; try again later",
      requestId: requestID)
  }

  /// What the caller can fix is theirs (4xx); the rest is between this server and its gateway (5xx).
  static func status(of code: APIError.Code) -> Int {
    switch code {
    case .invalidArgument: 400
    case .unauthorized: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .rateLimited, .unavailable, .cancelled: 503
    case .timeout: 504
    default: 502
    }
  }
}
