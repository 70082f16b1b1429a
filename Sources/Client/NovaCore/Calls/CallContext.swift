/// A call, as middlewares see it.
public struct CallContext: Sendable {
  /// What is the same during the whole call. A class, because the context is passed from step to step.
  final class Call: Sendable {
    let rpc: RPCDescriptor
    let requestID: String
    let idempotencyKey: String
    let options: CallOptions
    let isForGateway: Bool
    /// The gateway's name in identities.
    let gateway: String
    /// The operation that the call is part of; its caller makes the call.
    let operation: OperationCaller?
    /// The last request that was sent, whose secrets are masked in errors and logs.
    let sent = SentRequest()

    init(
      rpc: RPCDescriptor, requestID: String, idempotencyKey: String, options: CallOptions, isForGateway: Bool,
      gateway: String, operation: OperationCaller?
    ) {
      self.rpc = rpc
      self.requestID = requestID
      self.idempotencyKey = idempotencyKey
      self.options = options
      self.isForGateway = isForGateway
      self.gateway = gateway
      self.operation = operation
    }
  }

  private let call: Call
  /// When the call must be over.
  public var deadline: ContinuousClock.Instant? { end?.instant }
  /// The deadline, in a form that is cheap to copy.
  var end: Moment?
  /// The number of the attempt, counted from 1.
  public internal(set) var attempt = 1
  /// Whether the program has set up tracing. Read once for each call, because that takes a lock.
  var isTraced = false
  /// Whether a mock backend answers, and nothing is sent to the URL of the request.
  package internal(set) var isMock = false
  /// Whether the call goes over gRPC, and not over HTTP/JSON.
  package internal(set) var usesGRPC = false
  /// The range of bytes that is requested, as the value of `Range`; nil for everything.
  var range: String?

  /// The RPC.
  public var rpc: RPCDescriptor { call.rpc }
  /// The id that the call sends as `X-Request-ID`.
  public var requestID: String { call.requestID }
  /// The `Idempotency-Key` of a call that changes something: the same for every attempt, and a new one for each call.
  public var idempotencyKey: String { call.idempotencyKey }
  /// The caller's options.
  public var options: CallOptions { call.options }
  /// Whether the request goes to the gateway. False for uploads to a storage, which must not receive what is meant for the
  /// gateway alone, such as tokens.
  public var isForGateway: Bool { call.isForGateway }
  var gateway: String { call.gateway }
  var operation: OperationCaller? { call.operation }
  var sent: SentRequest { call.sent }

  /// Whose request is about to be sent: that of the token it carries, or nobody's without a token. For middlewares that
  /// keep something for later requests.
  ///
  /// Middlewares may change the token, so the request decides.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the token's user is unknown and the system has no libcrypto.
  public func identity(of request: HTTPRequest) throws(APIError) -> Identity {
    var token = request.headers.authorizationToken
    // The call's own token can be known as its user's.
    if let own = sent.token, own.authorization == token?.authorization { token = own }
    return try Identity(gateway: gateway, token: token)
  }

  /// Who makes the call: fixed by its first token.
  func withCaller<Result>(_ body: (inout PinnedCaller) throws -> Result) rethrows -> Result {
    try operation.map { try $0.withCaller(body) } ?? sent.withCaller(body)
  }

  /// Creates a context.
  ///
  /// - Parameter idempotencyKey: Default: the options' key, or else the request id.
  public init(
    rpc: RPCDescriptor, requestID: String, idempotencyKey: String? = nil, options: CallOptions = CallOptions(),
    isForGateway: Bool = true
  ) {
    self.init(
      Call(
        rpc: rpc, requestID: requestID, idempotencyKey: idempotencyKey ?? options.idempotencyKey ?? requestID,
        options: options, isForGateway: isForGateway, gateway: "", operation: nil))
  }

  init(_ call: Call) { self.call = call }
}
