import NovaCore

extension Fault {
  /// The value of a `Retry-After` header.
  public enum RetryAfter: Sendable, Hashable {
    case seconds(Int)
    /// An HTTP date, in seconds relative to the server's time.
    case date(secondsFromNow: Int)
    /// Anything else.
    case text(String)

    func value(now: Double) -> String {
      switch self {
      case .seconds(let seconds): String(seconds)
      case .date(let seconds): HTTPDate.text(Int64(now.rounded(.down)) + Int64(seconds))
      case .text(let text): text
      }
    }
  }

  /// 401: the access token is expired or not valid.
  public static let unauthorized = refusing(
    "unauthorized", "401: the access token is expired or not valid.", status: .unauthenticated)

  /// 429 without Retry-After.
  public static let rateLimited = refusing(
    "rate-limited", "429 without Retry-After.", status: .resourceExhausted)
  /// 429 with `Retry-After`: 2 seconds.
  public static let rateLimitedSeconds = rateLimited("seconds", "2 seconds", retryAfter: .seconds(2))
  /// 429 with `Retry-After`: 0 seconds.
  public static let rateLimitedZero = rateLimited("zero", "0 seconds", retryAfter: .seconds(0))
  /// 429 with `Retry-After`: an HTTP date 3 seconds from now.
  public static let rateLimitedDate = rateLimited(
    "date", "an HTTP date 3 seconds from now", retryAfter: .date(secondsFromNow: 3))
  /// 429 with `Retry-After`: an HTTP date an hour ago.
  public static let rateLimitedPastDate = rateLimited(
    "past-date", "an HTTP date an hour ago", retryAfter: .date(secondsFromNow: -3600))
  /// 429 with `Retry-After`: neither a number nor a date.
  public static let rateLimitedGarbage = rateLimited(
    "garbage", "neither a number nor a date", retryAfter: .text("soon"))
  /// 429 with `Retry-After`: -5 seconds.
  public static let rateLimitedNegative = rateLimited("negative", "-5 seconds", retryAfter: .seconds(-5))
  /// 429 with `Retry-After`: more seconds than fit in 64 bits.
  public static let rateLimitedHuge = rateLimited(
    "huge", "more seconds than fit in 64 bits", retryAfter: .text("99999999999999999999"))

  /// 500: the server failed.
  public static let internalServerError = status(500, "the server failed", executes: true)
  /// 502: the gateway lost the server.
  public static let badGateway = status(502, "the gateway lost the server", executes: true)
  /// 503: the server accepts no requests.
  public static let serviceUnavailable = status(503, "the server accepts no requests")
  /// 504: the gateway waited too long for the server.
  public static let gatewayTimeout = status(504, "the gateway waited too long for the server", executes: true)
  /// 503: the server accepts no requests for 2 seconds and sends Retry-After.
  public static let serviceUnavailableRetryAfter = status(
    503, "the server accepts no requests for 2 seconds and sends Retry-After", retryAfter: .seconds(2))

  /// 503 with gRPC's UNAVAILABLE in the body.
  public static let grpcUnavailable = refusing(
    "grpc-unavailable", "503 with gRPC's UNAVAILABLE in the body.", status: .unavailable)
  /// 429 with gRPC's RESOURCE_EXHAUSTED in the body.
  public static let grpcResourceExhausted = refusing(
    "grpc-resource-exhausted", "429 with gRPC's RESOURCE_EXHAUSTED in the body.", status: .resourceExhausted)
  /// 409 with gRPC's ABORTED in the body.
  public static let grpcAborted = refusing("grpc-aborted", "409 with gRPC's ABORTED in the body.", status: .aborted)
  /// 200 whose body carries an error with the code UNAVAILABLE.
  public static let errorInSuccess = Fault(
    "error-in-success", "200 whose body carries an error with the code UNAVAILABLE.", kind: .status, executes: false
  ) { exchange in
    try exchange.send(.json(200, #"{"error":{"code":"UNAVAILABLE","message":"try again later"}}"#))
  }

  /// 200 whose body is a gRPC status, UNAVAILABLE, as a number.
  public static let codeInSuccess = Fault(
    "code-in-success", "200 whose body is a gRPC status, UNAVAILABLE, as a number.", kind: .status, executes: false
  ) { exchange in
    try exchange.send(.json(200, #"{"code":14,"message":"try again later","details":[]}"#))
  }

  /// A response with a status and plain text, as gateways send it.
  ///
  /// - Parameters:
  ///   - status: the status code, 400…599.
  ///   - text: the body, and the summary's end.
  ///   - retryAfter: the value of `Retry-After`. Default: no header.
  ///   - executes: see ``Fault/executes``. Default `false`.
  public static func status(
    _ status: Int, _ text: String, retryAfter: RetryAfter? = nil, executes: Bool = false
  ) -> Fault {
    let name = "status-\(status)" + (retryAfter == nil ? "" : "-retry-after")
    return Fault(name, "\(status): \(text).", kind: .status, executes: executes) { exchange in
      var response = HTTPResponse(status: status, headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
      response.headers["Retry-After"] = retryAfter?.value(now: exchange.now)
      return try exchange.send(response)
    }
  }

  /// 429 with a `Retry-After`; `form` completes the name, `what` the summary.
  private static func rateLimited(_ form: String, _ what: String, retryAfter: RetryAfter) -> Fault {
    refusing(
      "rate-limited-\(form)", "429 with Retry-After: \(what).", status: .resourceExhausted, retryAfter: retryAfter)
  }

  /// An error response in grpc-gateway's format.
  private static func refusing(
    _ name: String, _ summary: String, status: GRPCStatus, retryAfter: RetryAfter? = nil
  ) -> Fault {
    Fault(name, summary, kind: .status, executes: false) { exchange in
      let body = #"{"code":\#(status.rawValue),"message":"the request is refused","details":[]}"#
      var response = HTTPResponse.json(status.httpStatus, body)
      response.headers["Retry-After"] = retryAfter?.value(now: exchange.now)
      if status == .unauthenticated { response.headers["WWW-Authenticate"] = "Bearer" }
      return try exchange.send(response)
    }
  }

  static let statusFaults = [
    unauthorized, rateLimited, rateLimitedSeconds, rateLimitedZero, rateLimitedDate, rateLimitedPastDate,
    rateLimitedGarbage, rateLimitedNegative, rateLimitedHuge, internalServerError, badGateway, serviceUnavailable,
    gatewayTimeout, serviceUnavailableRetryAfter, grpcUnavailable, grpcResourceExhausted, grpcAborted, errorInSuccess,
    codeInSuccess,
  ]
}

extension HTTPResponse {
  static func json(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}
