import NovaCore
import NovaSDK

/// Does not wait for a server on this machine that is not there: whoever sits at the terminal reads what to do, and
/// starts it. Programs may have started it themselves a moment ago, and go on waiting.
struct NobodyListens: RetryRule {
  let configuration: APIConfiguration

  func objection(to failure: FailedAttempt) -> String? {
    guard failure.error.transport?.kind == .connectionRefused,
      let url = try? HTTPURL(configuration.baseURL(for: failure.rpc.service)), url.isLoopback
    else { return nil }
    return "nothing listens there on this machine"
  }
}

extension Resilience {
  /// What a command tries again: less where a person waits for it.
  static func ofCommand(_ configuration: APIConfiguration, isInteractive: Bool) -> Resilience {
    guard isInteractive else { return Resilience() }
    let policy = RetryPolicy.standard(attempts: configuration.retryAttempts, delay: configuration.retryDelay)
    return Resilience(retry: policy.adding(NobodyListens(configuration: configuration)))
  }
}
