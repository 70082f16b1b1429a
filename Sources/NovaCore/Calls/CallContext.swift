/// A call, as middlewares see it.
public struct CallContext: Sendable {
  /// The RPC.
  public let rpc: RPCDescriptor
  /// The id under which the call goes out.
  public let requestID: String
  /// What goes out as `Idempotency-Key` if the call changes something: the same for every attempt, and another one for
  /// every call.
  public let idempotencyKey: String
  /// What the caller decided.
  public let options: CallOptions
  /// Whether the request goes to the gateway. False for uploads to a storage, which must not receive what is meant for the
  /// gateway alone, such as tokens.
  public let isForGateway: Bool
  /// When the call must be over.
  public internal(set) var deadline: ContinuousClock.Instant?
  /// The number of the attempt, counted from 1.
  public internal(set) var attempt = 1
  /// The range of bytes that is requested, as the value of `Range`; nil for everything.
  var range: String?
  /// The last request that was sent, whose secrets are masked in errors and logs.
  let sent = SentRequest()

  /// Creates a context.
  ///
  /// - Parameter idempotencyKey: Default: the options' key, or else the request id.
  public init(
    rpc: RPCDescriptor, requestID: String, idempotencyKey: String? = nil, options: CallOptions = CallOptions(),
    isForGateway: Bool = true
  ) {
    self.rpc = rpc
    self.requestID = requestID
    self.idempotencyKey = idempotencyKey ?? options.idempotencyKey ?? requestID
    self.options = options
    self.isForGateway = isForGateway
  }
}
