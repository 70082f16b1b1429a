/// A call in progress: its attempts so far, and its deadline.
struct CallRun: Sendable {
  let began: Moment
  let deadline: Moment
  let policy: RetryPolicy
  /// Whether the call is a stream, whose attempts are limited until they are accepted, and not in their length.
  private let isOpenEnded: Bool
  let observers: [any CallObserver]
  private(set) var context: CallContext
  private(set) var attempts: [CallAttempt] = []
  /// Whether the server may have received a byte of any attempt.
  private(set) var mayHaveLeft = false
  /// Whether a refused token was replaced already.
  private(set) var hasReplacedToken = false

  init(
    _ context: CallContext, began: Moment, deadline: Moment, policy: RetryPolicy, isOpenEnded: Bool,
    observers: [any CallObserver]
  ) {
    self.isOpenEnded = isOpenEnded
    self.context = context
    self.began = began
    self.deadline = deadline
    self.policy = policy
    self.observers = observers
    self.context.end = deadline
  }

  /// The rest of the call's time, limited to the longest time of one attempt.
  func attemptTimeout(at now: Moment) -> Duration {
    // The first attempt gets all of it, so that messages show the limit that was set.
    let rest = (attempts.isEmpty ? began : now).duration(to: deadline)
    if isOpenEnded { return rest }
    return policy.attemptTimeout.map { min(max($0, .milliseconds(1)), rest) } ?? rest
  }

  /// The longest time until the server accepts an attempt of a stream; nil without a limit of its own.
  var acceptanceTimeout: Duration? { isOpenEnded ? policy.attemptTimeout.map { max($0, .milliseconds(1)) } : nil }

  mutating func record(from start: Moment, to end: Moment, httpStatus: Int) {
    append(CallAttempt(start: began.duration(to: start), duration: start.duration(to: end), httpStatus: httpStatus))
  }

  mutating func record(
    from start: Moment, to end: Moment, _ failure: AttemptFailure
  ) {
    // An error of a middleware shows neither.
    if failure.error.httpStatus != nil || failure.error.transport?.requestMayHaveLeft == true { mayHaveLeft = true }
    append(
      CallAttempt(
        start: began.duration(to: start), duration: start.duration(to: end), httpStatus: failure.error.httpStatus,
        grpcStatus: failure.error.grpcStatus, failure: failure.error.transport?.kind))
  }

  private mutating func append(_ attempt: CallAttempt) {
    var attempt = attempt
    attempt.isOverGRPC = context.usesGRPC
    attempts.append(attempt)
    context.attempt = attempts.count + 1
  }

  /// Records what followed the last attempt.
  mutating func conclude(_ consequence: CallAttempt.Consequence) {
    guard let last = attempts.indices.last else { return }
    attempts[last].consequence = consequence
  }

  mutating func replacedToken() {
    hasReplacedToken = true
    conclude(.retry(wait: .zero, reason: .newToken))
  }

  /// The report of a call that has succeeded with its last attempt.
  var report: CallReport {
    report(lasting: attempts.last.map { $0.start + $0.duration } ?? .zero, failure: nil)
  }

  /// The report of a call that has failed.
  func report(at now: Moment, failure: APIError.Code) -> CallReport {
    report(lasting: began.duration(to: now), failure: failure)
  }

  private func report(lasting duration: Duration, failure: APIError.Code?) -> CallReport {
    CallReport(
      rpc: context.rpc.id, requestID: context.requestID, duration: duration, failure: failure,
      attempts: attempts, range: context.range)
  }

  /// The report of a body that has ended.
  func report(of event: ObservedBody.Event, byteCount: Int, at now: Moment) -> BodyReport {
    var report = BodyReport(
      rpc: context.rpc.id, requestID: context.requestID, byteCount: byteCount, duration: began.duration(to: now),
      isComplete: false)
    switch event {
    case .finished: report.isComplete = true
    case .failed(let error): report.failure = APIError(anyFailure: error).transport?.kind
    case .firstChunk, .dropped: break
    }
    return report
  }
}
