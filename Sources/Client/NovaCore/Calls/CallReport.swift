/// A finished call: its attempts, their results, and why it was retried or ended.
///
/// It contains no header, token, body, or text of a server.
public struct CallReport: Sendable, Equatable {
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
  /// The fields of a created or changed record whose values differ from those that were sent, or are only a part of them,
  /// by their names in `Proto/`. The call succeeded: do not repeat it. Each has a warning. Empty for most calls.
  public var changedFields: [String]
  /// The range of bytes that was requested, as the value of `Range`, such as `bytes=600000-`; nil for everything.
  public var range: String?

  /// Creates a report.
  public init(
    rpc: String, requestID: String, duration: Duration, failure: APIError.Code?, attempts: [CallAttempt],
    warnings: [String] = [], changedFields: [String] = [], range: String? = nil
  ) {
    self.rpc = rpc
    self.requestID = requestID
    self.duration = duration
    self.failure = failure
    self.attempts = attempts
    self.warnings = warnings
    self.changedFields = changedFields
    self.range = range
  }
}

/// Observes every call of a client, for metrics and reports.
///
/// Its methods run on the task of the call and must not block. To change calls, write a ``Middleware``.
public protocol CallObserver: Sendable {
  /// A call begins.
  func callBegan(_ rpc: RPCDescriptor)
  /// An attempt failed and another follows when its wait is over. Default: nothing.
  func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt)
  /// A call is over, however it ended. Every call that began ends once.
  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport)
  /// The body of a response that arrives after its call has ended, such as a download's, has ended, too. Default: nothing.
  func bodyEnded(_ rpc: RPCDescriptor, _ report: BodyReport)
}

extension CallObserver {
  public func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt) {}
  public func bodyEnded(_ rpc: RPCDescriptor, _ report: BodyReport) {}
}

extension CallReport: CustomStringConvertible {
  /// The report as text: a line about the call, and one for each attempt.
  ///
  /// ```
  /// graph.GetFollowers took 1.4 s and 2 attempts (request 0b7d…)
  ///   1. after 0 ms: HTTP 503 in 12 ms; retried after 1.3 s: HTTP 503
  ///   2. after 1.3 s: HTTP 200 in 9 ms
  /// ```
  public var description: String {
    let count = attempts.count == 1 ? "1 attempt" : "\(attempts.count) attempts"
    let ending = failure.map { " and failed with \($0)" } ?? ""
    let part = range.map { " for \($0.printable(to: 80))" } ?? ""
    var text = "\(rpc) took \(duration.formatted) and \(count)\(part)\(ending) (request \(requestID.printable(to: 80)))"
    for index in attempts.indices { text += "\n  \(index + 1). \(attempts[index])" }
    for warning in warnings { text += "\n  warning: \(warning)" }
    return text
  }
}

extension CallAttempt: CustomStringConvertible {
  /// `after 0 ms: HTTP 503 in 12 ms; not retried: all 3 attempts are used up`
  public var description: String {
    "after \(start.formatted): \(outcome) in \(duration.formatted)\(consequence?.clause ?? "")"
  }

  private var outcome: String {
    if let failure { return failure.rawValue }
    if isOverGRPC, let status = grpcStatus ?? (httpStatus == 200 ? .ok : nil) { return status.description }
    let grpc = grpcStatus.map { " \($0)" } ?? ""
    return httpStatus.map { "HTTP \($0)\(grpc)" } ?? "no response"
  }
}

extension CallAttempt.Consequence {
  fileprivate var clause: String {
    switch self {
    case .retry(.zero, let reason): "; retried at once: \(reason)"
    case .retry(let wait, let reason): "; retried after \(wait.formatted): \(reason)"
    case .stop(let reason): "; not retried: \(reason)"
    }
  }
}
