/// A service of NovaSocial: a client and the options of the calls made through it.
///
/// Services are small values; changing an option gives a copy and leaves the original as it was.
///
/// ```swift
/// let patient = nova.graph.with(timeout: .seconds(120))
/// ```
public protocol NovaService: ServiceProtocol {
  /// The client that carries the calls.
  var client: APIClient { get }
  /// The options of every call made through this value.
  var options: CallOptions { get set }

  /// Creates the service on a client.
  init(client: APIClient, options: CallOptions)
}

extension NovaService {
  /// A copy that uses these options.
  public func with(_ options: CallOptions) -> Self {
    var copy = self
    copy.options = options
    return copy
  }

  /// A copy whose calls may take this long, from the call to its result.
  public func with(timeout: Duration) -> Self {
    var copy = self
    copy.options.timeout = timeout
    return copy
  }

  /// A copy whose calls must be over by then.
  public func with(deadline: ContinuousClock.Instant) -> Self {
    var copy = self
    copy.options.deadline = deadline
    return copy
  }

  /// A copy whose calls are tried again as this policy says.
  public func with(retry: RetryPolicy) -> Self {
    var copy = self
    copy.options.retry = retry
    return copy
  }

  /// A copy whose calls carry this idempotency key: for one call that is to be made once, whoever repeats it.
  public func with(idempotencyKey: String) -> Self {
    var copy = self
    copy.options.idempotencyKey = idempotencyKey
    return copy
  }

  /// A copy whose calls carry this request id.
  public func with(requestID: String) -> Self {
    var copy = self
    copy.options.requestID = requestID
    return copy
  }
}
