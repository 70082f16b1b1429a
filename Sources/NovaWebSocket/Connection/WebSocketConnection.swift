#if WebSocket
  package import NIOCore
  import NIOWebSocket
  package import NovaCore

  /// A WebSocket connection (RFC 6455), of a client or of a server.
  ///
  /// ```swift
  /// let socket = try await WebSocketConnection.connect(to: "https://api.nova.social/api/v1/events/ws")
  /// try await socket.send(#"{"subscribe":["post:42"]}"#)
  /// while let message = try await socket.receive() { print(message) }
  /// ```
  ///
  /// Messages arrive no faster than they are received: while ``WebSocketLimits/maximumWaitingMessages`` of them wait,
  /// nothing is read. Pings are answered, and a peer from which nothing comes is pinged. The connection closes when the
  /// last reference goes; ``close(_:reason:)`` closes it in order.
  public final class WebSocketConnection: Sendable {
    /// The protocol that the server chose among those offered; nil for none.
    public let subprotocol: String?
    private let core: WebSocketCore

    private init(_ core: WebSocketCore, subprotocol: String?) { (self.core, self.subprotocol) = (core, subprotocol) }

    deinit { core.channel.close(promise: nil) }

    /// The peer's code and reason, once the connection was closed in order; nil before, or if it was lost.
    public var closure: WebSocketClosure? { core.inbox.closure }

    /// Waits for the next message. Only one task at a time can receive; cancelling it closes the connection at once.
    ///
    /// - Returns: the message; nil when the connection was closed in order, see ``closure``.
    /// - Throws: `TransportError`: `connectionLost` if the connection ended otherwise, `idleTimeout` if a ping got no
    ///   answer, `responseTooLarge` and `malformedResponse` if the peer violated a limit or the protocol.
    ///   `CancellationError` if the task was cancelled.
    public func receive() async throws -> WebSocketMessage? {
      try await withTaskCancellationHandler {
        try await core.inbox.take { core.onLoop { $0.resumeReading() } }
      } onCancel: {
        core.inbox.finish(.failed(CancellationError()), dropsMessages: true)
        core.channel.close(promise: nil)
      }
    }

    /// Sends a message, and returns when the system has taken it. Cancelling the task while it waits closes the
    /// connection, because the message may have left in part.
    ///
    /// - Throws: `TransportError.connectionLost` if the connection is closed.
    public func send(_ message: WebSocketMessage) async throws { try await finish(begin(message)) }

    /// Begins to send a message, behind those that were begun before.
    package func begin(_ message: WebSocketMessage) -> WebSocketSending {
      WebSocketSending(future: core.begin { $0.send(message) })
    }

    /// Waits until the system has taken a message.
    package func finish(_ sending: WebSocketSending) async throws {
      try await withTaskCancellationHandler {
        try await core.finish(sending.future)
      } onCancel: {
        core.channel.close(promise: nil)
      }
    }

    /// Sends a text.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends a ping and waits for its pong, at most ``WebSocketLimits/pongTimeout``; after that, the connection is closed
    /// with the same error. Messages must be received meanwhile: while too many wait, no pong can arrive, and the
    /// connection stays open.
    public func ping() async throws { try await core.ping() }

    /// Closes the connection, and waits until it is closed: at most ``WebSocketLimits/closeTimeout``. Messages that have
    /// arrived can still be received.
    ///
    /// - Parameters:
    ///   - code: why; a code that cannot be sent, such as 1006, is left out.
    ///   - reason: at most 123 bytes; the rest is cut off.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
      let closure = WebSocketClosure(code: code.isSendable ? code : .noCode, reason: reason)
      core.onLoop { $0.close(closure) }
      await withTaskCancellationHandler {
        _ = try? await core.channel.closeFuture.get()
      } onCancel: {
        core.channel.close(promise: nil)
      }
    }

    /// Sends nothing more, not even pongs, and drops what arrives: to its peer, this side is gone.
    package func goSilent() { core.onLoop { $0.goSilent() } }

    /// Ends the connection without a word.
    package func drop() { core.channel.close(promise: nil) }

    /// Takes over a channel that carries nothing but frames from now on. Called on its event loop.
    package static func open(
      on channel: any Channel, as role: WebSocketRole, subprotocol: String?, limits: WebSocketLimits,
      clock: any CallClock
    ) throws -> WebSocketConnection {
      let inbox = WebSocketInbox(capacity: limits.maximumWaitingMessages)
      let handler = WebSocketHandler(role, limits, inbox: inbox, clock: clock)
      let check = FrameLengthCheck(clock: clock)
      let frameLimit = min(max(limits.maximumFrameBytes, 125), Int(UInt32.max))
      // Fails if the channel is closed by now; what it has brought can be received nevertheless.
      try? channel.syncOptions?.setOption(.autoRead, value: false)
      try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
      try channel.pipeline.syncOperations.addHandlers([
        WebSocketFrameEncoder(), check, ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: frameLimit)), handler,
      ])
      let core = WebSocketCore(
        channel: channel, handler: NIOLoopBound(handler, eventLoop: channel.eventLoop),
        check: NIOLoopBound(check, eventLoop: channel.eventLoop), inbox: inbox, limits: limits, clock: clock)
      handler.keepAlive { await core.keepAlive() }
      return WebSocketConnection(core, subprotocol: subprotocol)
    }
  }

  /// A message on its way.
  package struct WebSocketSending: Sendable {
    fileprivate let future: EventLoopFuture<Void>
  }

  /// What a connection and its keep-alive task share.
  private struct WebSocketCore: Sendable {
    let channel: any Channel
    let handler: NIOLoopBound<WebSocketHandler>
    let check: NIOLoopBound<FrameLengthCheck>
    let inbox: WebSocketInbox
    let limits: WebSocketLimits
    let clock: any CallClock

    func onLoop(_ body: @escaping @Sendable (WebSocketHandler) -> Void) {
      channel.eventLoop.execute { body(handler.value) }
    }

    /// Begins something on the loop, in the order of the calls; fails if the connection is closed.
    func begin(_ body: @escaping @Sendable (WebSocketHandler) -> EventLoopFuture<Void>?) -> EventLoopFuture<Void> {
      channel.eventLoop.flatSubmit {
        body(handler.value) ?? channel.eventLoop.makeFailedFuture(TransportError.webSocketClosed)
      }
    }

    func finish(_ future: EventLoopFuture<Void>) async throws {
      do { try await future.get() } catch {
        // The cancellation has closed the connection.
        try Task.checkCancellation()
        throw error as? TransportError ?? .webSocketLost("\(error)")
      }
    }

    /// - Parameter isKeepAlive: whether the peer need not answer in time as long as something comes, such as a large
    ///   message.
    func ping(isKeepAlive: Bool = false) async throws {
      let start = clock.now
      let timeUp = TransportError(
        .idleTimeout, "the WebSocket connection was closed: no pong within \(limits.pongTimeout.formatted)",
        requestMayHaveLeft: true)
      do {
        try await Race.run(until: clock.now + limits.pongTimeout, clock, timeUp: timeUp) {
          try await finish(begin { $0.ping() })
        }
      } catch let error as TransportError where error == timeUp {
        // Messages wait to be received, and the pong behind them.
        if inbox.isReadingPaused { return }
        if isKeepAlive, let last = await lastRead(), last > start { return }
        onLoop { $0.abort(error) }
        throw error
      }
    }

    /// Pings a peer from which nothing has come for the interval, until the connection ends or the task is cancelled.
    func keepAlive() async {
      guard let interval = limits.pingInterval else { return }
      do {
        while let last = await lastRead() {
          if clock.now < last + interval {
            try await clock.sleep(until: last + interval, tolerance: nil)
          } else if inbox.isReadingPaused {
            try await clock.sleep(for: interval)
          } else {
            try await ping(isKeepAlive: true)
          }
        }
      } catch {}
    }

    /// When the last bytes came; nil once the connection has ended.
    private func lastRead() async -> ContinuousClock.Instant? {
      if Task.isCancelled { return nil }
      return try? await channel.eventLoop.submit { check.value.lastRead }.get()
    }
  }
#endif
