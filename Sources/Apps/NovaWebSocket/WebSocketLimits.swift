/// The limits of a connection's messages and waits.
public struct WebSocketLimits: Sendable, Hashable {
  /// The maximum size of a received frame in bytes, 125 to 4,294,967,295. Default 1 MiB.
  public var maximumFrameBytes: Int
  /// The maximum size of a received message in bytes. Default 1 MiB.
  public var maximumMessageBytes: Int
  /// The maximum number of messages that wait for ``WebSocketConnection/receive()``, at least 1. While so many wait,
  /// the connection is not read. Default 16.
  public var maximumWaitingMessages: Int
  /// The maximum time from the first byte to the response that opens the connection, without the time for connecting.
  /// Default 10 seconds.
  public var handshakeTimeout: Duration
  /// How long the connection can be silent before the peer is pinged; nil for no pings. Default 20 seconds.
  public var pingInterval: Duration?
  /// The maximum time that the peer can take to answer a ping. Default 10 seconds.
  public var pongTimeout: Duration
  /// The maximum time that the peer can take to answer a close. Default 5 seconds.
  public var closeTimeout: Duration

  /// Creates limits. Each has a default.
  public init(
    maximumFrameBytes: Int = 1 << 20, maximumMessageBytes: Int = 1 << 20, maximumWaitingMessages: Int = 16,
    handshakeTimeout: Duration = .seconds(10), pingInterval: Duration? = .seconds(20),
    pongTimeout: Duration = .seconds(10), closeTimeout: Duration = .seconds(5)
  ) {
    self.maximumFrameBytes = maximumFrameBytes
    self.maximumMessageBytes = maximumMessageBytes
    self.maximumWaitingMessages = maximumWaitingMessages
    self.handshakeTimeout = handshakeTimeout
    self.pingInterval = pingInterval
    self.pongTimeout = pongTimeout
    self.closeTimeout = closeTimeout
  }
}
