extension APIError {
  /// A failure as one of the seven cases of the integration guide's error, with their values.
  public enum Kind: Sendable {
    /// The URL of the call cannot be used, or must not be used with a token.
    case invalidURL
    /// The response does not have the form of the gateway's responses.
    case invalidResponse
    /// There is no response. The value is the ``TransportError``; a `CancellationError` for a cancelled call; otherwise the
    /// ``APIError`` itself, for example of a call that ran out of time, or whose session store failed.
    case networkError(any Error)
    /// The response's JSON does not match the contract. The value is the ``ProtoJSONError`` with the place.
    case decodingError(any Error)
    /// The server failed, or refused the call: every other status, 4xx included.
    ///
    /// `statusCode` is the HTTP status. For a failure in a response with a success status, it is the status of such a failure;
    /// for a call that the SDK refused in place of the server, the status that the server would have sent: 400 for an invalid
    /// argument. `message` is the server's, and may be any text; without one, it is the SDK's.
    case serverError(statusCode: Int, message: String)
    /// The token is missing, expired or invalid.
    case unauthorized
    /// The record does not exist.
    case notFound
  }

  /// The failure as a value to switch over exhaustively. ``code`` distinguishes more kinds, and may get new ones.
  ///
  /// ```swift
  /// switch error.kind {
  /// case .unauthorized: logIn()
  /// case .notFound: print("gone")
  /// case .serverError(let statusCode, let message): print(statusCode, message)
  /// case .networkError(let cause), .decodingError(let cause): print(cause)
  /// case .invalidURL, .invalidResponse: print(error)
  /// }
  /// ```
  public var kind: Kind {
    switch code {
    case .invalidURL, .insecureConnection: .invalidURL
    case .unauthorized: .unauthorized
    case .notFound: .notFound
    case .decodingError: .decodingError(decoding ?? self)
    case .invalidResponse, .unconfirmed: .invalidResponse
    default: httpStatus == nil && isOfNetwork ? .networkError(networkCause) : serverError
    }
  }

  /// Whether a failure without a response differs from those that the server would have sent.
  private var isOfNetwork: Bool {
    transport != nil || [.networkError, .timeout, .cancelled, .unavailable, .failedPrecondition].contains(code)
  }

  private var networkCause: any Error {
    if let transport { return transport }
    return code == .cancelled ? CancellationError() : self
  }

  private var serverError: Kind {
    let own = server?.message ?? ""
    return .serverError(statusCode: statusCode, message: own.isEmpty ? message : own)
  }

  private var statusCode: Int {
    if let httpStatus, !(200..<300).contains(httpStatus) { return httpStatus }
    return (grpcStatus ?? GRPCStatus(of: code))?.httpStatus ?? 500
  }
}
