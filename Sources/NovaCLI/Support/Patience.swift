import NovaCore
import NovaSDK

/// Does not retry when nothing listens on this machine: on a terminal, the user can read the error and start the
/// server. Scripts may have just started it themselves, and continue to retry.
struct NobodyListens: RetryRule {
  let configuration: APIConfiguration

  func objection(to failure: FailedAttempt) -> StopReason? {
    guard failure.error.transport?.kind == .connectionRefused,
      let url = try? HTTPURL(configuration.baseURL(for: failure.rpc.service)), url.isLoopback
    else { return nil }
    return .custom("nothing listens there on this machine")
  }
}

extension Resilience {
  /// The retry policy of a command, which retries less on a terminal.
  static func ofCommand(_ configuration: APIConfiguration, isInteractive: Bool) -> Resilience {
    guard isInteractive else { return Resilience() }
    let policy = RetryPolicy.standard(attempts: configuration.retryAttempts, delay: configuration.retryDelay)
    return Resilience(retry: policy.adding(NobodyListens(configuration: configuration)))
  }
}
