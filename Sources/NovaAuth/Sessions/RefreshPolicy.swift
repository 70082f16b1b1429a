/// When a session is refreshed.
public struct RefreshPolicy: Sendable {
  /// How long before its expiry an access token is replaced, at most half of the time it has left when it is got.
  /// Default 60 s.
  public var margin: Duration
  /// How much earlier at most, at random, so that many programs that started together do not refresh together. Default
  /// 30 s.
  public var jitter: Duration
  /// Whether calls go on with a token that is still good while the next one is got. Default `true`. A program that may
  /// end at any moment should wait instead: a refresh that is cut off can cost it the session.
  public var refreshesInBackground: Bool
  /// How long to go on with a token that is still good before a refresh that failed is tried again. Default 5 s.
  public var pauseAfterFailure: Duration
  /// How long a refresh, signing in or signing out may take, including the wait for other processes that use the store.
  /// Default nil: the client's timeout for calls to the auth service.
  public var timeout: Duration?
  /// A number from 0 to 1, for the jitter.
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

  /// How many seconds before its expiry a token is replaced that has `remaining` seconds left now.
  func lead(remaining: Double) -> Double {
    min((margin + jitter * random()) / .seconds(1), max(0, remaining / 2))
  }
}
