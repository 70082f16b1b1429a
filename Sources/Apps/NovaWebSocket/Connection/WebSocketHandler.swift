#if WebSocket
  import NIOCore
  import NIOWebSocket
  import NovaCore

  /// One side of an open connection: passes messages to the inbox, answers pings, and closes with close frames.
  /// Confined to its event loop.
  ///
  /// The handler requests each read, and none while the inbox is full, so that messages do not pile up in memory. It
  /// does keep reading while its own messages cannot be sent; otherwise, two sides that send could wait for each other
  /// forever.
  final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// `open`: messages go both ways. `silent`: a fault of test servers, which read but no longer send. `closing`: this
    /// side has sent a close frame. `ending`: nothing more is sent, and received bytes are dropped. `over`: the channel
    /// is closed.
    private enum Phase { case open, silent, closing, ending, over }

    private let role: WebSocketRole
    private let limits: WebSocketLimits
    private let inbox: WebSocketInbox
    private let clock: any CallClock
    private var assembler: MessageAssembler
    private var context: ChannelHandlerContext?
    private var phase = Phase.open
    private var isReadPending = false
    private var pings = PendingPings()
    /// The payload of the newest ping, while its pong cannot be sent.
    private var waitingPong: ByteBuffer?
    private var deadline: Task<Void, Never>?
    private var keepAlive: Task<Void, Never>?

    init(_ role: WebSocketRole, _ limits: WebSocketLimits, inbox: WebSocketInbox, clock: any CallClock) {
      (self.role, self.limits, self.inbox, self.clock) = (role, limits, inbox, clock)
      assembler = MessageAssembler(role, limits)
    }

    // MARK: Actions of this side

    func send(_ message: WebSocketMessage) -> EventLoopFuture<Void>? {
      guard phase == .open else { return nil }
      return write(WebSocketFrame(message, from: role))
    }

    /// Sends a ping. The future completes with its pong.
    func ping() -> EventLoopFuture<Void>? {
      guard phase == .open, let context else { return nil }
      let (payload, pong) = pings.next(on: context.eventLoop)
      _ = write(WebSocketFrame(.ping, payload, from: role))
      return pong
    }

    /// Sends a close frame. Messages that arrive from now on are dropped.
    func close(_ closure: WebSocketClosure) {
      if phase == .silent { context?.close(promise: nil) }
      guard phase == .open else { return }
      phase = .closing
      writeClose(closure)
      closeAfterTimeout()
      readIfWanted()
    }

    /// Stops sending, and drops everything that arrives, until the connection ends.
    func goSilent() {
      guard phase == .open else { return }
      phase = .silent
      readIfWanted()
    }

    /// Ends the connection without a close frame.
    func abort(_ error: any Error) {
      inbox.finish(.failed(error))
      context?.close(promise: nil)
    }

    /// Runs `body` until the connection ends.
    func keepAlive(_ body: @escaping @Sendable () async -> Void) {
      guard phase != .over else { return }
      keepAlive = Task { await body() }
    }

    func resumeReading() {
      if isReadPending { readIfWanted() }
    }

    // MARK: Actions of the peer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard phase == .open || phase == .closing else { return }
      do throws(WebSocketViolation) {
        switch try assembler.take(Self.unwrapInboundIn(data)) {
        case .message(let message): if phase == .open { inbox.put(message) }
        case .ping(let payload): answerPing(payload)
        case .pong(let payload): pings.take(payload)
        case .close(let closure): closed(closure)
        case nil: break
        }
      } catch {
        fail(error)
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      readIfWanted()
      context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if let payload = waitingPong.take() { answerPing(payload) }
      context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // The decoder repeats its error with each read.
      guard phase == .open || phase == .closing else { return }
      if let violation = WebSocketViolation(error, limits) { return fail(violation) }
      abort(TransportError.webSocketLost(error))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      switch event {
      case ChannelEvent.inputClosed: context.close(promise: nil)
      // The server is shutting down.
      case is ChannelShouldQuiesceEvent: close(WebSocketClosure(code: .restart))
      default: break
      }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      readIfWanted()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      end()
      self.context = nil
    }

    // MARK: Closing

    private func closed(_ closure: WebSocketClosure) {
      // A close frame is answered with its own code.
      if phase == .open { writeClose(WebSocketClosure(code: closure.code)) }
      inbox.finish(.closed(closure))
      // The server closes the TCP connection first, so that the client's port is not reserved for a while (TIME_WAIT).
      finish(closesOutput: role == .server)
    }

    private func fail(_ violation: WebSocketViolation) {
      if phase == .open { writeClose(WebSocketClosure(code: violation.code, reason: violation.reason)) }
      inbox.finish(.failed(violation.error))
      finish(closesOutput: true)
    }

    /// Reads and drops what still arrives. Closing with unread bytes would make the system reset the connection, and
    /// the peer might lose the close frame.
    private func finish(closesOutput: Bool) {
      phase = .ending
      closeAfterTimeout()
      if closesOutput { context?.close(mode: .output, promise: nil) }
      readIfWanted()
    }

    private func closeAfterTimeout() {
      guard deadline == nil, let channel = context?.channel else { return }
      deadline = Task { [clock, timeout = limits.closeTimeout] in
        do { try await clock.sleep(for: timeout) } catch { return }
        channel.close(promise: nil)
      }
    }

    private func end() {
      guard phase != .over else { return }
      let hasSentClose = phase == .closing
      phase = .over
      let reason =
        hasSentClose ? "the other side did not answer the close" : "the other side closed it without a close frame"
      inbox.finish(.failed(TransportError.webSocketLost(reason)))
      pings.failAll(TransportError.webSocketClosed)
      deadline?.cancel()
      keepAlive?.cancel()
    }

    // MARK: Reading and writing

    private func readIfWanted() {
      guard let context, phase != .over else { return }
      isReadPending = phase == .open && !inbox.hasRoom()
      if !isReadPending { context.read() }
    }

    /// Answers a ping, at once or when the peer reads again. Only the newest waiting ping needs an answer (RFC 6455,
    /// section 5.5.3).
    private func answerPing(_ payload: ByteBuffer) {
      guard phase == .open, let context else { return }
      if context.channel.isWritable {
        _ = write(WebSocketFrame(.pong, payload, from: role))
      } else {
        waitingPong = payload
      }
    }

    /// Sends a close frame. No frame may follow it, so a waiting pong is sent first.
    private func writeClose(_ closure: WebSocketClosure) {
      if let payload = waitingPong.take() { _ = write(WebSocketFrame(.pong, payload, from: role)) }
      _ = write(WebSocketFrame(closure, from: role))
    }

    private func write(_ frame: WebSocketFrame) -> EventLoopFuture<Void>? {
      context?.writeAndFlush(Self.wrapOutboundOut(frame))
    }
  }

  /// The pings that have no pong yet.
  private struct PendingPings {
    private var promises: [(number: UInt64, promise: EventLoopPromise<Void>)] = []
    private var last: UInt64 = 0

    mutating func next(on eventLoop: any EventLoop) -> (ByteBuffer, EventLoopFuture<Void>) {
      last += 1
      let promise = eventLoop.makePromise(of: Void.self)
      promises.append((last, promise))
      return (ByteBuffer(integer: last), promise.futureResult)
    }

    /// Completes a pong's ping and all earlier ones. Ignores an unsolicited pong.
    mutating func take(_ payload: ByteBuffer) {
      guard payload.readableBytes == 8, let number = payload.getInteger(at: payload.readerIndex, as: UInt64.self),
        let index = promises.firstIndex(where: { $0.number == number })
      else { return }
      for (_, promise) in promises[...index] { promise.succeed() }
      promises.removeSubrange(...index)
    }

    mutating func failAll(_ error: any Error) {
      for (_, promise) in promises { promise.fail(error) }
      promises = []
    }
  }
#endif
