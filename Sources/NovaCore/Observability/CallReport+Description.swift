extension CallReport: CustomStringConvertible {
  /// The story in words: a line about the call, and one for each attempt.
  ///
  /// ```
  /// graph.GetFollowers took 1.4 s and 2 attempts (request 0b7d…)
  ///   1. after 0 ms: HTTP 503 in 12 ms; waited 1.3 s to try again, because of HTTP 503
  ///   2. after 1.3 s: HTTP 200 in 9 ms
  /// ```
  public var description: String {
    let count = attempts.count == 1 ? "1 attempt" : "\(attempts.count) attempts"
    let ending = failure.map { " and failed with \($0)" } ?? ""
    let head = "\(rpc) took \(duration.inShort) and \(count)\(ending) (request \(requestID.printable(to: 80)))"
    let lines = attempts.enumerated().map { "  \($0.offset + 1). \($0.element)" }
    return ([head] + lines + warnings.map { "  warning: \($0)" }).joined(separator: "\n")
  }
}

extension CallAttempt: CustomStringConvertible {
  /// `after 0 ms: HTTP 503 in 12 ms; not tried again: all 3 attempts are used up`
  public var description: String {
    "after \(start.inShort): \(outcome) in \(duration.inShort)\(consequence?.clause ?? "")"
  }

  private var outcome: String {
    if let failure { return failure.rawValue }
    let grpc = grpcStatus.map { " \($0)" } ?? ""
    return httpStatus.map { "HTTP \($0)\(grpc)" } ?? "ended without an answer"
  }
}

extension CallAttempt.Consequence {
  fileprivate var clause: String {
    switch self {
    case .retry(.zero, let reason): "; tried again at once: \(reason)"
    case .retry(let wait, let reason): "; waited \(wait.inShort) to try again: \(reason)"
    case .stop(let reason): "; not tried again: \(reason)"
    }
  }
}

extension Duration {
  /// Two or three digits, as people say it: `12 ms`, `1.3 s`, `75 s`.
  package var inShort: String {
    let milliseconds = self / .milliseconds(1)
    if milliseconds < 9.95 { return "\((milliseconds * 10).rounded() / 10) ms".replacing(".0 ", " ") }
    if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
    if milliseconds < 9950 { return "\((milliseconds / 100).rounded() / 10) s".replacing(".0 ", " ") }
    return "\(Int(min(milliseconds / 1000, 1e15).rounded())) s"
  }
}

extension String {
  fileprivate func replacing(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
