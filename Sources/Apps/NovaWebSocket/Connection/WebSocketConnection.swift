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
  /// While ``WebSocketLimits/maximumWaitingMessages`` messages wait to be received, the connection is not read, so the
  /// peer cannot send faster than you receive. The SDK answers pings, and pings a silent peer. The connection closes
  /// when its last reference is released; ``close(_:reason:)`` closes it with a close frame.
  public final class WebSocketConnection: Sendable {
    // How it works: a `WebSocketHandler` on the channel's event loop reads and writes frames. Received messages go
    // through a `WebSocketInbox` to the task that receives; while it is full, the handler requests no more reads.
    // Everything that this class does with the handler runs on its event loop, in the order of the calls. A keep-alive
    // task, which holds only `WebSocketCore` and not this object, pings a silent peer.
    /// The protocol that the server chose among the offered ones; nil if it chose no protocol.
    public let subprotocol: String?
    private let core: WebSocketCore

    private init(_ core: WebSocketCore, subprotocol: String?) { (self.core, self.subprotocol) = (core, subprotocol) }

    deinit { core.channel.close(promise: nil) }

    /// The peer's code and reason after a close frame; nil while the connection is open, and if it was lost.
    public var closure: WebSocketClosure? { core.inbox.closure }

    /// Waits for the next message. Only one task at a time can receive. Cancelling it closes the connection at once.
    ///
    /// - Returns: the message; nil after a close frame, see ``closure``.
    /// - Throws: `TransportError`: `connectionLost` if the connection ended without a close frame, `idleTimeout` if the
    ///   peer did not answer a ping, `responseTooLarge` if it exceeded a limit, `malformedResponse` if it violated the
    ///   protocol. `CancellationError` if the task was cancelled.
    public func receive() async throws -> WebSocketMessage? {
      try await withTaskCancellationHandler {
        try await core.inbox.take { core.onLoop { $0.resumeReading() } }
      } onCancel: {
        core.inbox.finish(.failed(CancellationError()), dropsMessages: true)
        core.channel.close(promise: nil)
      }
    }

    /// Sends a message, and returns when it has been passed to the system. Cancelling the task while it waits closes
    /// the connection, because a part of the message may have been sent.
    ///
    /// - Throws: `TransportError.connectionLost` if the connection is closed.
    public func send(_ message: WebSocketMessage) async throws { try await finish(begin(message)) }

    /// Starts to send a message. Messages are sent in the order of these calls.
    package func begin(_ message: WebSocketMessage) -> WebSocketSending {
      WebSocketSending(future: core.begin { $0.send(message) })
    }

    /// Waits until a message has been passed to the system.
    package func finish(_ sending: WebSocketSending) async throws {
      try await withTaskCancellationHandler {
        try await core.finish(sending.future)
      } onCancel: {
        core.channel.close(promise: nil)
      }
    }

    /// Sends a text.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends a ping and waits for its pong, for at most ``WebSocketLimits/pongTimeout``. After that, closes the
    /// connection with the same error. Keep receiving messages while you wait: while too many of them wait, no pong can
    /// arrive, and this method returns after the timeout without an error.
    public func ping() async throws { try await core.ping() }

    /// Sends a close frame, and waits until the connection is closed, for at most ``WebSocketLimits/closeTimeout``.
    /// Messages that have arrived can still be received.
    ///
    /// - Parameters:
    ///   - code: the code to send. A code that must not be sent, such as 1006, is left out.
    ///   - reason: the reason to send, cut to 123 bytes.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
      let closure = WebSocketClosure(code: code.isSendable ? code : .noCode, reason: reason)
      core.onLoop { $0.close(closure) }
      await withTaskCancellationHandler {
        _ = try? await core.channel.closeFuture.get()
      } onCancel: {
        core.channel.close(promise: nil)
      }
    }

    /// Stops sending, even pongs, and drops everything that arrives. The peer cannot distinguish that from a lost
    /// connection.
    package func goSilent() { core.onLoop { $0.goSilent() } }

    /// Ends the connection without a close frame.
    package func drop() { core.channel.close(promise: nil) }

    /// Takes over a channel that carries only frames from now on. Call it on the channel's event loop.
    package static func open(
      on channel: any Channel, as role: WebSocketRole, subprotocol: String?, limits: WebSocketLimits,
      clock: any CallClock
    ) throws -> WebSocketConnection {
      let inbox = WebSocketInbox(capacity: limits.maximumWaitingMessages)
      let handler = WebSocketHandler(role, limits, inbox: inbox, clock: clock)
      let check = FrameLengthCheck(clock: clock)
      let frameLimit = min(max(limits.maximumFrameBytes, 125), Int(UInt32.max))
      // Fails if the channel is already closed. Messages that have arrived can still be received.
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

  /// A message that is being sent.
  package struct WebSocketSending: Sendable {
    fileprivate let future: EventLoopFuture<Void>
  }

  /// The parts of a connection that its keep-alive task shares.
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

    /// Runs `body` on the event loop, in the order of the calls. Fails if the connection is closed.
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

    /// - Parameter isKeepAlive: whether any bytes count as an answer, such as those of a large message.
    func ping(isKeepAlive: Bool = false) async throws {
      let start = clock.now
      let timeUp = TransportError(
        .idleTimeout, "the WebSocket connection was closed", reason: "no pong within \(limits.pongTimeout.formatted)",
        requestMayHaveLeft: true)
      do {
        try await Race.run(until: clock.now + limits.pongTimeout, clock, timeUp: timeUp) {
          try await finish(begin { $0.ping() })
        }
      } catch let error as TransportError where error == timeUp {
        // The pong may be waiting after messages that have not been received yet.
        if inbox.isReadingPaused { return }
        if isKeepAlive, let last = await lastRead(), last > start { return }
        onLoop { $0.abort(error) }
        throw error
      }
    }

    /// Pings the peer whenever it has been silent for the interval, until the connection ends or the task is cancelled.
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

    /// When the last bytes arrived; nil once the connection has ended.
    private func lastRead() async -> ContinuousClock.Instant? {
      if Task.isCancelled { return nil }
      return try? await channel.eventLoop.submit { check.value.lastRead }.get()
    }
  }
#endif
