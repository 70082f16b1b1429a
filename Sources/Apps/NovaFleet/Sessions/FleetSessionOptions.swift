public import NovaAuth

/// How ``FleetSessions`` stores and refreshes sessions.
public struct FleetSessionOptions: Sendable {
  /// What to do while the store cannot be reached.
  public enum StoreFailure: Sendable, Hashable {
    /// Use a token in memory while it is valid, and refresh it only when the store is back. Calls that need a new token
    /// fail with `unavailable` until then. No refresh token is sent twice.
    case keepTokens
    /// Refresh without the store, and save the new tokens when it is back. Every machine does, so this is only for
    /// gateways whose refresh tokens stay valid: one that rotates them may end the session.
    case refreshAlone
  }

  /// How long a machine may refresh without a sign of life; the lease is extended while it works. After that, another
  /// machine takes over with the same `Idempotency-Key`. 1 s to 60 s. Default: 5 s.
  public var lease: Duration
  /// The longest wait between two looks at the store while another machine refreshes, and the usual one with
  /// notifications. Without them, the wait begins at 10 ms, and grows with the time waited, so that it never adds more
  /// than half of it. Default: 500 ms.
  public var maximumPause: Duration
  /// What to do while the store cannot be reached. Default: `keepTokens`.
  public var whenStoreFails: StoreFailure
  /// How long to try to save new tokens before the caller gets them. After that, saving continues in the background.
  /// Default: 2 s.
  public var saveTimeout: Duration
  /// How many users' managers are kept in memory; those that are used least recently are released first, and created
  /// again from the store when they are needed. At least 1. Default: 10,000.
  public var maximumUsers: Int
  /// When to refresh a session.
  public var refreshing: RefreshPolicy

  /// Creates options; everything has a default.
  public init(
    lease: Duration = .seconds(5), maximumPause: Duration = .milliseconds(500),
    whenStoreFails: StoreFailure = .keepTokens, saveTimeout: Duration = .seconds(2), maximumUsers: Int = 10_000,
    refreshing: RefreshPolicy = RefreshPolicy()
  ) {
    self.lease = min(max(lease, .seconds(1)), .seconds(60))
    self.maximumPause = max(maximumPause, .milliseconds(10))
    self.whenStoreFails = whenStoreFails
    self.saveTimeout = max(saveTimeout, .zero)
    self.maximumUsers = max(maximumUsers, 1)
    self.refreshing = refreshing
  }
}
