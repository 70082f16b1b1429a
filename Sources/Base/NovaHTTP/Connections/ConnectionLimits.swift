/// The maximum numbers of a ``CurlTransport``'s concurrent transfers and connections.
///
/// Event streams have a separate limit, so that many open streams never block a call. Requests above a limit wait in
/// order of arrival.
///
/// ```swift
/// let transport = CurlTransport(options: .init(connections: ConnectionLimits(maximumStreams: 5000)))
/// ```
public struct ConnectionLimits: Sendable, Hashable {
  /// The maximum number of calls, uploads, and downloads under way, at least 1. Default 64.
  public var maximumTransfers: Int
  /// The maximum number of open event streams, at least 1. Default 1,000. Over HTTP/1.1, each uses a connection, and
  /// therefore a file descriptor. WebSocket connections don't count.
  public var maximumStreams: Int
  /// The maximum time in the queue. Default `nil`: calls wait up to ``TransferLimits/totalTimeout``; streams, which
  /// have no total timeout, wait up to 10 s.
  public var queueTimeout: Duration?
  /// The maximum number of connections, at least 1, including those of streams. Default `nil`: no limit.
  public var maximumConnections: Int?
  /// The maximum number of connections to one host, at least 1, including those of streams. Default `nil`: no limit.
  public var maximumConnectionsPerHost: Int?
  /// The maximum number of connections that are kept open for later calls, at least 1, including those that calls are
  /// using. Default `nil`: as many as ``maximumTransfers``.
  public var maximumKeptConnections: Int?

  /// Creates limits. Each has a default. A number below 1 counts as 1.
  public init(
    maximumTransfers: Int = 64,
    maximumStreams: Int = 1000,
    queueTimeout: Duration? = nil,
    maximumConnections: Int? = nil,
    maximumConnectionsPerHost: Int? = nil,
    maximumKeptConnections: Int? = nil
  ) {
    self.maximumTransfers = maximumTransfers
    self.maximumStreams = maximumStreams
    self.queueTimeout = queueTimeout
    self.maximumConnections = maximumConnections
    self.maximumConnectionsPerHost = maximumConnectionsPerHost
    self.maximumKeptConnections = maximumKeptConnections
  }
}

extension ConnectionLimits {
  /// How long a stream waits in the queue if ``queueTimeout`` is nil.
  static let streamQueueTimeout = Duration.seconds(10)

  /// The maximum time in the queue; nil if only the transfer's own limits apply.
  func queueTimeout(ofStream isStream: Bool) -> Duration? {
    queueTimeout ?? (isStream ? Self.streamQueueTimeout : nil)
  }

  /// The reason for a timeout in the queue.
  func queueReason(ofStream isStream: Bool) -> String {
    isStream
      ? "the maximum number of open streams is \(max(1, maximumStreams))"
      : "the maximum number of transfers is \(max(1, maximumTransfers))"
  }

  /// What to do about a timeout in the queue.
  func queueAdvice(forStream isStream: Bool) -> String {
    isStream ? "end some, or raise limits.max_streams" : "raise limits.max_transfers"
  }

  /// The reason for a timeout while waiting for a connection; nil if connections are unlimited.
  var connectionReason: String? {
    var limits: [String] = []
    if let maximumConnections { limits.append("\(max(1, maximumConnections)) (limits.max_connections)") }
    if let maximumConnectionsPerHost {
      limits.append("\(max(1, maximumConnectionsPerHost)) to one host (limits.max_connections_per_host)")
    }
    return limits.isEmpty ? nil : "the maximum number of connections is \(limits.joined(separator: ", and "))"
  }
}
