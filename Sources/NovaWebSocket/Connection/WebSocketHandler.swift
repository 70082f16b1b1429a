#if WebSocket
  import NIOCore
  import NIOWebSocket
  import NovaCore

  /// One side of an open connection: passes messages on, answers pings, and closes in order. Confined to its event loop.
  ///
  /// It asks for each read, so that messages that nobody receives do not pile up. It also reads while the peer does not
  /// take what is sent: two sides that wait for each other's reading would wait forever.
  final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Silent is a fault of test servers: it reads, and says nothing more.
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
    /// The payload of the newest ping, while the peer does not take its answer.
    private var waitingPong: ByteBuffer?
    private var deadline: Task<Void, Never>?
    private var keepAlive: Task<Void, Never>?

    init(_ role: WebSocketRole, _ limits: WebSocketLimits, inbox: WebSocketInbox, clock: any CallClock) {
      (self.role, self.limits, self.inbox, self.clock) = (role, limits, inbox, clock)
      assembler = MessageAssembler(role, limits)
    }

    // MARK: What this side does

    func send(_ message: WebSocketMessage) -> EventLoopFuture<Void>? {
      guard phase == .open else { return nil }
      return write(WebSocketFrame(message, from: role))
    }

    /// Sends a ping; the future ends with its pong.
    func ping() -> EventLoopFuture<Void>? {
      guard phase == .open, let context else { return nil }
      let (payload, pong) = pings.next(on: context.eventLoop)
      _ = write(WebSocketFrame(.ping, payload, from: role))
      return pong
    }

    /// Begins to close; messages that arrive from now on are dropped.
    func close(_ closure: WebSocketClosure) {
      if phase == .silent { context?.close(promise: nil) }
      guard phase == .open else { return }
      phase = .closing
      writeClose(closure)
      closeAfterTimeout()
      readIfWanted()
    }

    /// Sends nothing more, and drops what arrives, until the connection ends.
    func goSilent() {
      guard phase == .open else { return }
      phase = .silent
      readIfWanted()
    }

    /// Ends the connection without a word.
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

    // MARK: What the peer does

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
      // The server stops.
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

    // MARK: The end

    private func closed(_ closure: WebSocketClosure) {
      // The peer's code is the answer to it.
      if phase == .open { writeClose(WebSocketClosure(code: closure.code)) }
      inbox.finish(.closed(closure))
      // The server closes first: its port is the one that stays reserved for a while.
      finish(closesOutput: role == .server)
    }

    private func fail(_ violation: WebSocketViolation) {
      if phase == .open { writeClose(WebSocketClosure(code: violation.code, reason: violation.reason)) }
      inbox.finish(.failed(violation.error))
      finish(closesOutput: true)
    }

    /// Reads and drops what still comes: to close with unread bytes would make the system reset the connection, and the
    /// peer might lose the close frame.
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
      let isEnding = phase != .open
      isReadPending = !isEnding && !inbox.hasRoom()
      if !isReadPending { context.read() }
    }

    /// Only the newest of the pings that wait needs an answer (RFC 6455, section 5.5.3).
    private func answerPing(_ payload: ByteBuffer) {
      guard phase == .open, let context else { return }
      if context.channel.isWritable {
        _ = write(WebSocketFrame(.pong, payload, from: role))
      } else {
        waitingPong = payload
      }
    }

    /// Nothing can follow a close frame, so the answer that waits goes before it.
    private func writeClose(_ closure: WebSocketClosure) {
      if let payload = waitingPong.take() { _ = write(WebSocketFrame(.pong, payload, from: role)) }
      _ = write(WebSocketFrame(closure, from: role))
    }

    private func write(_ frame: WebSocketFrame) -> EventLoopFuture<Void>? {
      context?.writeAndFlush(Self.wrapOutboundOut(frame))
    }
  }

  /// Pings without a pong yet.
  private struct PendingPings {
    private var promises: [(number: UInt64, promise: EventLoopPromise<Void>)] = []
    private var last: UInt64 = 0

    mutating func next(on eventLoop: any EventLoop) -> (ByteBuffer, EventLoopFuture<Void>) {
      last += 1
      let promise = eventLoop.makePromise(of: Void.self)
      promises.append((last, promise))
      return (ByteBuffer(integer: last), promise.futureResult)
    }

    /// A pong answers its ping and all before it; one that was not asked for is ignored.
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
