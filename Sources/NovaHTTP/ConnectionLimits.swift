/// How many transfers and connections a ``CurlTransport`` has at once.
///
/// Event streams have a limit of their own, so that many open streams keep no call waiting. What is beyond a limit waits for
/// its turn, in the order of arrival.
///
/// ```swift
/// let transport = CurlTransport(options: .init(connections: ConnectionLimits(maximumStreams: 5000)))
/// ```
public struct ConnectionLimits: Sendable, Hashable {
  /// The maximum number of calls, uploads, and downloads under way, at least 1. Default 64.
  public var maximumTransfers: Int
  /// The maximum number of open event streams, at least 1. Default 1,000. Over HTTP/1.1 each has a connection, and so a file
  /// descriptor. WebSocket connections don't count.
  public var maximumStreams: Int
  /// The longest wait for a turn. Default `nil`: a call waits until ``TransferLimits/totalTimeout``, and a stream, which has
  /// no such limit, 10 s.
  public var queueTimeout: Duration?
  /// The maximum number of connections, at least 1, those of streams included. Default `nil`: no limit.
  public var maximumConnections: Int?
  /// The maximum number of connections to one host, at least 1, those of streams included. Default `nil`: no limit.
  public var maximumConnectionsPerHost: Int?
  /// The maximum number of connections that are kept open for later calls, at least 1, those that calls use included. Default
  /// `nil`: as many as ``maximumTransfers``.
  public var maximumKeptConnections: Int?

  /// Creates limits; every one has a default. In place of a number below 1, 1 is used.
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
  /// How long a stream waits for its turn without ``queueTimeout``.
  static let streamQueueTimeout = Duration.seconds(10)

  /// The longest wait for a turn; nil for no limit but that of the whole transfer.
  func queueTimeout(ofStream isStream: Bool) -> Duration? {
    queueTimeout ?? (isStream ? Self.streamQueueTimeout : nil)
  }

  /// The reason and the remedy of a wait for a turn that was too long.
  func queueAdvice(forStream isStream: Bool) -> String {
    isStream
      ? "the maximum number of open streams is \(max(1, maximumStreams)); end some, or raise limits.max_streams"
      : "the maximum number of transfers is \(max(1, maximumTransfers)); raise limits.max_transfers"
  }

  /// The reason and the remedy of a wait for a connection that was too long; nil without such limits.
  var connectionAdvice: String? {
    var limits: [String] = []
    if let maximumConnections { limits.append("\(max(1, maximumConnections)) (limits.max_connections)") }
    if let maximumConnectionsPerHost {
      limits.append("\(max(1, maximumConnectionsPerHost)) to one host (limits.max_connections_per_host)")
    }
    return limits.isEmpty ? nil : "the maximum number of connections is \(limits.joined(separator: ", and "))"
  }
}
