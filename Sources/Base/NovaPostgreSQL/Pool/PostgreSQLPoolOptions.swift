/// The limits of a ``PostgreSQLPool``.
public struct PostgreSQLPoolOptions: Sendable, Hashable {
  /// The maximum number of connections, 1…1,000. Default 8. Each has a thread of its own. Notifications have one more.
  public var maximumConnections: Int
  /// The maximum number of callers that wait for a connection. Default 10,000. More are refused at once.
  public var maximumWaiters: Int
  /// How long a caller waits for a connection, including the time to connect. Default 10 s.
  public var acquireTimeout: Duration
  /// How long a caller waits while connecting fails, at most `acquireTimeout`. Default 3 s, as a restart takes. A server that
  /// is starting, or has no connection left, is waited for until `acquireTimeout`.
  public var outageTimeout: Duration
  /// How long connecting to one of the hosts may take, in whole seconds, at least 2 s. Default 5 s. `connect_timeout` in
  /// the URL takes precedence.
  public var connectTimeout: Duration
  /// How long a statement may take. Default 30 s. Then it is cancelled.
  public var queryTimeout: Duration
  /// How long the server may take to confirm that it has cancelled a statement. Default 2 s. Then the connection is
  /// closed.
  public var cancelTimeout: Duration
  /// How long an unused connection stays open. Default 5 minutes.
  public var maximumIdleTime: Duration
  /// The age at which an unused connection is replaced, so that new addresses of the server are found. Default 30
  /// minutes, less a random tenth.
  public var maximumAge: Duration
  /// Where to listen for notifications, if not where statements run: PgBouncer in transaction mode passes none on, so
  /// this is then the URL of PostgreSQL itself. Default nil: the pool's URL.
  public var notificationURL: String?

  /// Creates options.
  public init(
    maximumConnections: Int = 8, maximumWaiters: Int = 10_000, acquireTimeout: Duration = .seconds(10),
    outageTimeout: Duration = .seconds(3), connectTimeout: Duration = .seconds(5),
    queryTimeout: Duration = .seconds(30), cancelTimeout: Duration = .seconds(2),
    maximumIdleTime: Duration = .seconds(300),
    maximumAge: Duration = .seconds(1800), notificationURL: String? = nil
  ) {
    self.maximumConnections = maximumConnections
    self.maximumWaiters = maximumWaiters
    self.acquireTimeout = acquireTimeout
    self.outageTimeout = outageTimeout
    self.connectTimeout = connectTimeout
    self.queryTimeout = queryTimeout
    self.cancelTimeout = cancelTimeout
    self.maximumIdleTime = maximumIdleTime
    self.maximumAge = maximumAge
    self.notificationURL = notificationURL
  }
}
