public import Logging

/// The options of a call, such as its token, its deadline, and its logger.
///
/// Set them with `with`, for all services or for one:
///
/// ```swift
/// let mine = nova.with {
///   $0.token = token
///   $0.deadline = .now + .seconds(2)
/// }
/// ```
public struct CallOptions: Sendable {
  /// What few calls have.
  private struct Uncommon: Sendable {
    var retry: RetryPolicy?
    var tokens: (any TokenProvider)?
    var transport: (any HTTPTransport)?
    var onSource: (@Sendable (ResponseSource) -> Void)?
    var onBody: (@Sendable ([UInt8]) -> Void)?
  }

  private final class UncommonBox: Sendable {
    let content: Uncommon
    init(_ content: Uncommon) { self.content = content }
  }

  /// How long the call may take from the call to its result, all attempts and waits together. Default: the
  /// configuration's or the contract's. Never more than the configuration's limit of a transfer, 300 s.
  public var timeout: Duration?
  /// The time by which the call must end, including all attempts and waits. Several calls can share one. If there is also
  /// a ``timeout``, the earlier time applies. Default: none.
  public var deadline: ContinuousClock.Instant? {
    get { end?.instant }
    set { end = newValue.map { Moment($0) } }
  }
  /// The deadline, in a form that is cheap to copy.
  var end: Moment?
  /// Whether and when a failed call is tried again. Default: the client's policy.
  public var retry: RetryPolicy? {
    get { box?.content.retry }
    set { uncommon.retry = newValue }
  }
  /// Sent as `X-Request-ID` and found again on responses, errors and in logs; several calls may share one. Default, also
  /// for an empty one: a new one for each call.
  public var requestID: String?
  /// Sent as `Idempotency-Key` with calls that change something, so that the gateway can recognize a repetition.
  /// The same for every attempt of a call. Default, also for an empty one: a new one for each call.
  public var idempotencyKey: String?
  /// More headers. They cannot replace those the SDK sets. An `Authorization` header takes the place of any token; ``token``
  /// is the better way to send one.
  public var headers: HTTPHeaders = [:]
  /// The bearer token of the call, in place of the client's: for a program that acts for many users on one client. Sent
  /// with the RPCs that require one. Default: nil, the client's.
  ///
  /// ```swift
  /// let nova = nova.with { $0.token = token }  // all services, for one request
  /// let page = try await nova.graph.getFollowers(userId: id)
  /// ```
  public var token: AccessToken?
  /// Where the call gets its bearer token from, in place of the client's provider: for example a user's `SessionManager`.
  /// Not asked if ``token`` is set. Default: nil, the client's.
  public var tokens: (any TokenProvider)? {
    get { box?.content.tokens }
    set { uncommon.tokens = newValue }
  }
  /// Whether arguments that the server would refuse (an empty id, a text too long, a negative offset) are refused
  /// before anything is sent. Default `true`; a test of the server's own checks turns it off.
  public var checksArguments = true
  /// Where a read gets its answer from. Default: the policy of the client's store. On a client without one, calls go to
  /// the gateway, and `cacheOnly` fails.
  public var cache: CachePolicy?
  /// When a write is sent. Default `automatic`. On a client without a store, writes are sent at once, and `enqueue` fails.
  public var delivery = DeliveryPolicy.automatic
  /// Where the call's attempts are logged, at debug level, with this logger's metadata; see docs/observability.md. Pass
  /// the logger of the request that your server handles. Default: the client's logger.
  public var logger: Logger?
  /// Whose call it must be, if that is known. With another caller's token, nothing is sent.
  package var caller: OperationCaller?
  /// Carries the call's requests in place of the client's transport.
  package var transport: (any HTTPTransport)? {
    get { box?.content.transport }
    set { uncommon.transport = newValue }
  }
  /// Told where each answer came from, for callers that get only its message.
  package var onSource: (@Sendable (ResponseSource) -> Void)? {
    get { box?.content.onSource }
    set { uncommon.onSource = newValue }
  }

  /// Told the body of each answer before it is decoded, for what its message does not keep: whether a field was there.
  package var onBody: (@Sendable ([UInt8]) -> Void)? {
    get { box?.content.onBody }
    set { uncommon.onBody = newValue }
  }

  // One reference, which most calls don't have: options are copied for each service and each call.
  private var box: UncommonBox?
  private var uncommon: Uncommon {
    get { box?.content ?? Uncommon() }
    set { box = UncommonBox(newValue) }
  }

  /// Creates options that all have their defaults.
  public init() {}

  /// Creates options. Those that you omit have their defaults.
  public init(
    timeout: Duration? = nil, deadline: ContinuousClock.Instant? = nil, retry: RetryPolicy? = nil,
    requestID: String? = nil, idempotencyKey: String? = nil, headers: HTTPHeaders = [:], token: AccessToken? = nil,
    tokens: (any TokenProvider)? = nil, checksArguments: Bool = true, cache: CachePolicy? = nil,
    delivery: DeliveryPolicy = .automatic, logger: Logger? = nil
  ) {
    self.init()
    self.timeout = timeout
    end = deadline.map { Moment($0) }
    self.requestID = requestID
    self.idempotencyKey = idempotencyKey
    self.headers = headers
    self.token = token
    self.checksArguments = checksArguments
    self.cache = cache
    self.delivery = delivery
    self.logger = logger
    if retry != nil || tokens != nil { uncommon = Uncommon(retry: retry, tokens: tokens) }
  }
}
