/// What a caller may decide for a call.
public struct CallOptions: Sendable, Hashable {
  /// How long the call may take, from the call to its result. Default: what the contract or the configuration says.
  public var timeout: Duration?
  /// Sent as `X-Request-ID` and found again on responses, errors and in logs. Default: a new one for each call.
  public var requestID: String?
  /// Sent as `Idempotency-Key` with calls that change something, so that the gateway can recognise a repetition.
  /// Default: a new one for each call.
  public var idempotencyKey: String?
  /// More headers. They cannot replace those the SDK sets.
  public var headers: HTTPHeaders
  /// Whether arguments that the server would refuse (an empty id, a text too long, a negative offset) are refused
  /// before anything is sent. Default `true`; a test of the server's own checks turns it off.
  public var checksArguments: Bool

  /// Creates options; every one has a default.
  public init(
    timeout: Duration? = nil, requestID: String? = nil, idempotencyKey: String? = nil, headers: HTTPHeaders = [:],
    checksArguments: Bool = true
  ) {
    self.timeout = timeout
    self.requestID = requestID
    self.idempotencyKey = idempotencyKey
    self.headers = headers
    self.checksArguments = checksArguments
  }
}
