extension APIError {
  /// What kind of failure it is. Open: later versions may add codes.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// A stable name, for example `notFound`.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    @inline(never)
    public static func == (left: Code, right: Code) -> Bool { left.rawValue == right.rawValue }

    /// The URL of the call cannot be used.
    public static let invalidURL = Code(rawValue: "invalidURL")
    /// The response does not have the form of the gateway's responses.
    public static let invalidResponse = Code(rawValue: "invalidResponse")
    /// There is no response: no server listens, the name is unknown, TLS failed, or the connection was lost.
    public static let networkError = Code(rawValue: "networkError")
    /// The response's JSON does not match the contract.
    public static let decodingError = Code(rawValue: "decodingError")
    /// The server failed.
    public static let serverError = Code(rawValue: "serverError")
    /// The token is missing, expired or invalid.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// Not found.
    public static let notFound = Code(rawValue: "notFound")
    /// The task was cancelled, or the client was shut down.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The call took too long.
    public static let timeout = Code(rawValue: "timeout")
    /// Too many calls; see ``APIError/retryAfter``.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// Signed in, but not allowed.
    public static let permissionDenied = Code(rawValue: "permissionDenied")
    /// The record already exists, or was changed at the same time.
    public static let conflict = Code(rawValue: "conflict")
    /// An argument does not match the contract.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The current state does not allow the call.
    public static let failedPrecondition = Code(rawValue: "failedPrecondition")
    /// The service is not available at the moment.
    public static let unavailable = Code(rawValue: "unavailable")
    /// The server has no such RPC.
    public static let unimplemented = Code(rawValue: "unimplemented")
    /// The call succeeded, but the record in the response lacks a value that was sent, see
    /// ``APIError/unconfirmedRecord``, or is another one.
    public static let unconfirmed = Code(rawValue: "unconfirmed")
    /// A token, or the bytes of an upload to another server, would be sent unencrypted.
    public static let insecureConnection = Code(rawValue: "insecureConnection")
  }

  /// ``Code/invalidURL``, for `catch`.
  public static let invalidURL = Code.invalidURL
  /// ``Code/invalidResponse``, for `catch`.
  public static let invalidResponse = Code.invalidResponse
  /// ``Code/networkError``, for `catch`.
  public static let networkError = Code.networkError
  /// ``Code/decodingError``, for `catch`.
  public static let decodingError = Code.decodingError
  /// ``Code/serverError``, for `catch`.
  public static let serverError = Code.serverError
  /// ``Code/unauthorized``, for `catch`.
  public static let unauthorized = Code.unauthorized
  /// ``Code/notFound``, for `catch`.
  public static let notFound = Code.notFound
  /// ``Code/cancelled``, for `catch`.
  public static let cancelled = Code.cancelled
  /// ``Code/timeout``, for `catch`.
  public static let timeout = Code.timeout
  /// ``Code/rateLimited``, for `catch`.
  public static let rateLimited = Code.rateLimited
  /// ``Code/permissionDenied``, for `catch`.
  public static let permissionDenied = Code.permissionDenied
  /// ``Code/conflict``, for `catch`.
  public static let conflict = Code.conflict
  /// ``Code/invalidArgument``, for `catch`.
  public static let invalidArgument = Code.invalidArgument
  /// ``Code/failedPrecondition``, for `catch`.
  public static let failedPrecondition = Code.failedPrecondition
  /// ``Code/unavailable``, for `catch`.
  public static let unavailable = Code.unavailable
  /// ``Code/unimplemented``, for `catch`.
  public static let unimplemented = Code.unimplemented
  /// ``Code/insecureConnection``, for `catch`.
  public static let insecureConnection = Code.insecureConnection
  /// ``Code/unconfirmed``, for `catch`.
  public static let unconfirmed = Code.unconfirmed
}

extension APIError.Code {
  /// Makes `catch APIError.notFound` work.
  public static func ~= (code: APIError.Code, error: any Error) -> Bool { (error as? APIError)?.code == code }

  /// The code of an HTTP status, if there is no gRPC status.
  package static func of(httpStatus status: Int) -> APIError.Code {
    switch status {
    case 400, 422: .invalidArgument
    case 401: .unauthorized
    case 403: .permissionDenied
    case 404, 410: .notFound
    // A proxy or a network that requires a sign-in has not forwarded the request.
    case 407, 511: .networkError
    case 408, 504: .timeout
    case 409: .conflict
    case 412: .failedPrecondition
    // The request came over a connection of another host, or too early.
    case 421, 425: .unavailable
    case 429: .rateLimited
    case 499: .cancelled
    case 501: .unimplemented
    case 503: .unavailable
    case _ where OriginStatus.all.contains(status): .unavailable
    case 500...: .serverError
    case 400..<500: .invalidArgument
    default: .invalidResponse
    }
  }

  /// The code of a failure below HTTP.
  static func of(_ kind: TransportError.Kind) -> APIError.Code {
    switch kind {
    case .invalidURL: .invalidURL
    case .invalidHeader, .unreadableBody: .invalidArgument
    case .connectTimeout, .idleTimeout, .totalTimeout: .timeout
    case .responseTooLarge, .malformedResponse, .redirectRefused: .invalidResponse
    case .shutDown: .cancelled
    case .circuitOpen: .unavailable
    default: .networkError
    }
  }
}
