#if WebSocket
  import NIOCore
  import NIOPosix
  public import NovaCore

  extension WebSocketConnection {
    /// Connects to a server and opens a WebSocket connection.
    ///
    /// Like all connections of the SDK, it uses the proxy, Unix socket, certificates, and checks of `transport`. All
    /// connections of the process share NIO's event loops and, with TLS, one thread.
    ///
    /// - Parameters:
    ///   - url: an `https` or `http` URL, in place of `wss` or `ws`.
    ///   - headers: for example `Authorization` and `X-Request-ID`. A token is sent only over TLS or to this machine.
    ///   - subprotocols: the offered protocols, the preferred one first. Default: none.
    ///   - limits: the limits of messages and waits.
    ///   - transport: how to reach the server, and which certificates to trust and offer. Its limits on connections
    ///     have no effect. Default: the proxies of the environment and the certificates of the system.
    ///   - connectTimeout: the timeout for the network and TLS. Default 10 seconds.
    ///   - clock: measures all waits except that for the network.
    /// - Throws: ``WebSocketRefusal`` if the server returns another response than 101. `TransportError` if the
    ///   connection fails or the response is invalid. `APIError.insecureConnection` if a token would be sent
    ///   unencrypted. `CancellationError` if the task was cancelled.
    public static func connect(
      to url: HTTPURL, headers: NovaCore.HTTPHeaders = [:], subprotocols: [String] = [],
      limits: WebSocketLimits = WebSocketLimits(), transport: CurlTransport.Options = CurlTransport.Options(),
      connectTimeout: Duration = .seconds(10), clock: any CallClock = ContinuousClock()
    ) async throws -> WebSocketConnection {
      var headers = headers
      if headers["User-Agent"] == nil, !transport.userAgent.isEmpty { headers["User-Agent"] = transport.userAgent }
      let handshake = try ClientHandshake(url, headers: headers, subprotocols: subprotocols)
      let socket = try await CurlTunnel.open(to: url.origin, options: transport, timeout: connectTimeout)
      let result = SentPromise()
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.autoRead, value: false)
        .channelOption(.maxMessagesPerRead, value: 1)
        // Limits the memory: once the other side has closed, NIO reads the whole buffer.
        .channelOption(.socketOption(.so_rcvbuf), value: 128 << 10)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            result.set(try HandshakeHandler.add(to: channel, handshake, limits: limits, clock: clock))
          }
        }
        .withConnectedSocket(socket).get()
      let timeUp = TransportError(
        .idleTimeout, "no answer to the WebSocket handshake within \(limits.handshakeTimeout.formatted)",
        requestMayHaveLeft: true)
      do {
        return try await Race.run(until: clock.now + limits.handshakeTimeout, clock, timeUp: timeUp) {
          try await result.connection()
        }
      } catch {
        channel.close(promise: nil)
        throw error
      }
    }
  }

  /// The result of a handshake, which is set when the handler is added to the channel.
  private final class SentPromise: Sendable {
    private let future = Locked<EventLoopFuture<WebSocketConnection>?>(nil)

    func set(_ future: EventLoopFuture<WebSocketConnection>) { self.future.withLock { $0 = future } }

    func connection() async throws -> WebSocketConnection {
      guard let future = future.withLock({ $0 }) else { throw TransportError.webSocketClosed }
      return try await future.get()
    }
  }
#endif
