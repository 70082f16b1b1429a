/// When a session is refreshed.
public struct RefreshPolicy: Sendable {
  /// How long before its expiry an access token is replaced, at most half of its lifetime. Default: 60 s.
  public var margin: Duration
  /// The maximum random time added to the margin, so that programs that started together do not refresh together.
  /// Default: 30 s.
  public var jitter: Duration
  /// Whether calls use a token that is still valid while the next one is requested. Default: `true`. Set it to `false`
  /// in programs that may exit at any moment, because an interrupted refresh can end the session.
  public var refreshesInBackground: Bool
  /// How long to wait after a failed refresh before the next attempt, while the token is still valid. Default: 5 s.
  public var pauseAfterFailure: Duration
  /// The time limit of a refresh, sign-in, or sign-out, including the wait for other processes that use the store.
  /// Default: nil, the client's timeout for calls to the auth service.
  public var timeout: Duration?
  /// Returns a number from 0 to 1, for the jitter.
  public var random: @Sendable () -> Double

  /// Creates a policy; everything has a default.
  public init(
    margin: Duration = .seconds(60), jitter: Duration = .seconds(30), refreshesInBackground: Bool = true,
    pauseAfterFailure: Duration = .seconds(5), timeout: Duration? = nil,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.margin = margin
    self.jitter = jitter
    self.refreshesInBackground = refreshesInBackground
    self.pauseAfterFailure = pauseAfterFailure
    self.timeout = timeout
    self.random = random
  }

  /// Returns how many seconds before its expiry to replace a token that has `remaining` seconds left.
  func lead(remaining: Double) -> Double {
    min((margin + jitter * random()) / .seconds(1), max(0, remaining / 2))
  }
}
