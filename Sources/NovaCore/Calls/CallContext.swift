/// A call, as middlewares see it.
public struct CallContext: Sendable {
  // What stays as it is during a call, as one reference: the context goes from step to step.
  private final class Call: Sendable {
    let rpc: RPCDescriptor
    let requestID: String
    let idempotencyKey: String
    let options: CallOptions
    let isForGateway: Bool
    let sent = SentRequest()

    init(
      rpc: RPCDescriptor, requestID: String, idempotencyKey: String, options: CallOptions, isForGateway: Bool
    ) {
      self.rpc = rpc
      self.requestID = requestID
      self.idempotencyKey = idempotencyKey
      self.options = options
      self.isForGateway = isForGateway
    }
  }

  private let call: Call
  /// When the call must be over.
  public var deadline: ContinuousClock.Instant? { end?.instant }
  /// The deadline, in the form that costs least to carry.
  var end: Moment?
  /// The number of the attempt, counted from 1.
  public internal(set) var attempt = 1
  /// Whether the program has set up tracing. Asked once for each call, because the answer is behind a lock.
  var isTraced = false
  /// Whether a mock backend answers, and nothing is sent to the URL of the request.
  package internal(set) var isMock = false
  /// The range of bytes that is requested, as the value of `Range`; nil for everything.
  var range: String?

  /// The RPC.
  public var rpc: RPCDescriptor { call.rpc }
  /// The id under which the call goes out.
  public var requestID: String { call.requestID }
  /// What goes out as `Idempotency-Key` if the call changes something: the same for every attempt, and another one for
  /// every call.
  public var idempotencyKey: String { call.idempotencyKey }
  /// What the caller decided.
  public var options: CallOptions { call.options }
  /// Whether the request goes to the gateway. False for uploads to a storage, which must not receive what is meant for the
  /// gateway alone, such as tokens.
  public var isForGateway: Bool { call.isForGateway }
  /// The last request that was sent, whose secrets are masked in errors and logs.
  var sent: SentRequest { call.sent }

  /// Creates a context.
  ///
  /// - Parameter idempotencyKey: Default: the options' key, or else the request id.
  public init(
    rpc: RPCDescriptor, requestID: String, idempotencyKey: String? = nil, options: CallOptions = CallOptions(),
    isForGateway: Bool = true
  ) {
    call = Call(
      rpc: rpc, requestID: requestID, idempotencyKey: idempotencyKey ?? options.idempotencyKey ?? requestID,
      options: options, isForGateway: isForGateway)
  }
}
