/// How large messages and how long waits on a connection can be.
public struct WebSocketLimits: Sendable, Hashable {
  /// The maximum size of a received frame in bytes, 125 to 4,294,967,295. Default 1 MiB.
  public var maximumFrameBytes: Int
  /// The maximum size of a received message in bytes. Default 1 MiB.
  public var maximumMessageBytes: Int
  /// How many received messages wait for ``WebSocketConnection/receive()``, at least 1; then the connection is not read
  /// from. Default 16.
  public var maximumWaitingMessages: Int
  /// From the first byte to the response that opens the connection, connecting not included. Default 10 seconds.
  public var handshakeTimeout: Duration
  /// How long nothing can arrive until the peer is pinged; nil for no pings. Default 20 seconds.
  public var pingInterval: Duration?
  /// How long the peer can take to answer a ping. Default 10 seconds.
  public var pongTimeout: Duration
  /// How long the peer can take to answer a close. Default 5 seconds.
  public var closeTimeout: Duration

  /// Creates limits; each has a default.
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
