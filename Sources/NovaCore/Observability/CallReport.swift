/// The story of a call that is over: what was tried, what came of it, and why it went on or ended.
///
/// It holds no header, token, body or text that a server chose.
public struct CallReport: Sendable, Hashable {
  /// The RPC, for example `graph.GetFollowers`.
  public var rpc: String
  /// The id under which the call went out as `X-Request-ID`.
  public var requestID: String
  /// How long it took, all attempts and waits together.
  public var duration: Duration
  /// What kind of failure it ended with; nil for success.
  public var failure: APIError.Code?
  /// Every attempt, in order.
  public var attempts: [CallAttempt]
  /// Signs that the server ignored a part of the request, although its response is usable, as sentences without values.
  /// Empty for most calls.
  public var warnings: [String]

  /// Creates a report.
  public init(
    rpc: String, requestID: String, duration: Duration, failure: APIError.Code?, attempts: [CallAttempt],
    warnings: [String] = []
  ) {
    self.rpc = rpc
    self.requestID = requestID
    self.duration = duration
    self.failure = failure
    self.attempts = attempts
    self.warnings = warnings
  }
}

/// Is told of every call of a client: for metrics, and for telling a call's story.
///
/// It is called on the task of the call, so it must not block. It cannot change anything; that is a ``Middleware``'s.
public protocol CallObserver: Sendable {
  /// A call begins.
  func callBegan(_ rpc: RPCDescriptor)
  /// An attempt failed and another follows when its wait is over. Default: nothing.
  func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt)
  /// A call is over, however it ended. Every call that began ends once.
  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport)
}

extension CallObserver {
  public func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt) {}
}
