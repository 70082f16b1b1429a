#if WebSocket
  import NIOCore
  import NIOHTTP1
  import NovaCore

  /// Sends a handshake, checks the response, and turns the channel into a connection.
  final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private static let maximumBodyBytes = 64 << 10
    private static let tooEarly = "it ended before the handshake did"

    private let handshake: ClientHandshake
    private let limits: WebSocketLimits
    private let clock: any CallClock
    private let encoder = HTTPRequestEncoder()
    private let decoder = ByteToMessageHandler(HTTPResponseDecoder())
    private let gate = HandshakeGate()
    /// Nil once it is completed.
    private var promise: EventLoopPromise<WebSocketConnection>?
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    private init(
      _ handshake: ClientHandshake, _ limits: WebSocketLimits, clock: any CallClock,
      promise: EventLoopPromise<WebSocketConnection>
    ) {
      (self.handshake, self.limits, self.clock, self.promise) = (handshake, limits, clock, promise)
    }

    /// Adds a handler to a channel before it is connected.
    static func add(
      to channel: any Channel, _ handshake: ClientHandshake, limits: WebSocketLimits, clock: any CallClock
    ) throws -> EventLoopFuture<WebSocketConnection> {
      let promise = channel.eventLoop.makePromise(of: WebSocketConnection.self)
      let handler = HandshakeHandler(handshake, limits, clock: clock, promise: promise)
      try channel.pipeline.syncOperations.addHandlers([
        handler.gate, handler.encoder, handler.decoder, handler,
      ])
      return promise.futureResult
    }

    func channelActive(context: ChannelHandlerContext) {
      context.write(Self.wrapOutboundOut(.head(handshake.request)), promise: nil)
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
      context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard promise != nil else { return }
      switch Self.unwrapInboundIn(data) {
      case .head(let head): self.head = head
      case .body(let part):
        body += part.readableBytesView.prefix(Self.maximumBodyBytes - body.count)
        if body.count == Self.maximumBodyBytes { refuse(context) }
      case .end:
        if head?.status == .switchingProtocols { accept(context) } else { refuse(context) }
      }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      if promise != nil { context.read() }
      context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      switch error {
      case is IOError: finish(TransportError.webSocketLost(error), context)
      case HTTPParserError.invalidEOFState: finish(TransportError.webSocketLost(Self.tooEarly), context)
      default: finish(handshake.malformed("\(error)"), context)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      // A body without a length ends with the connection; the parser has already reported its end.
      finish(TransportError.webSocketLost(Self.tooEarly), context)
      context.fireChannelInactive()
    }

    /// Fails the promise even if the channel was never active.
    func handlerRemoved(context: ChannelHandlerContext) {
      promise?.fail(TransportError.webSocketLost(Self.tooEarly))
      promise = nil
    }

    /// Replaces HTTP's handlers. The decoder can be removed only after it has returned; until then, the gate keeps
    /// later bytes.
    private func accept(_ context: ChannelHandlerContext) {
      guard let head, let promise else { return }
      do {
        let subprotocol = try handshake.subprotocol(of: head)
        self.promise = nil
        gate.hold()
        let channel = context.channel
        let pipeline = context.pipeline.syncOperations
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        pipeline.removeHandler(context: context, promise: nil)
        pipeline.removeHandler(encoder, promise: nil)
        pipeline.removeHandler(decoder).flatMapThrowing {
          let handler = bound.value
          let connection = try WebSocketConnection.open(
            on: channel, as: .client, subprotocol: subprotocol, limits: handler.limits, clock: handler.clock)
          channel.pipeline.syncOperations.removeHandler(handler.gate, promise: nil)
          return connection
        }.cascade(to: promise)
      } catch {
        finish(error, context)
      }
    }

    private func refuse(_ context: ChannelHandlerContext) {
      guard let head else { return }
      var headers = NovaCore.HTTPHeaders()
      for (name, value) in head.headers { headers.append(name: name, value: value) }
      let response = HTTPResponse(status: Int(head.status.code), headers: headers, body: .bytes(body))
      finish(WebSocketRefusal(response: response), context)
    }

    private func finish(_ error: any Error, _ context: ChannelHandlerContext) {
      guard let promise else { return }
      self.promise = nil
      promise.fail(error)
      context.close(promise: nil)
    }
  }

  /// Passes a response's head to the decoder separately from the bytes after it, which are frames if the response is
  /// 101. Once that is the case (`hold`), keeps those bytes and the end of the connection until it is removed.
  private final class HandshakeGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let headEnd = Array("\r\n\r\n".utf8)

    private var isHolding = false
    private var held: [ByteBuffer] = []
    private var hasEnded = false
    /// How many bytes of a head's end have been matched.
    private var matched = 0

    func hold() { isHolding = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var bytes = Self.unwrapInboundIn(data)
      while !isHolding, let part = bytes.readSlice(length: lengthThroughHeadEnd(bytes)), part.readableBytes > 0 {
        context.fireChannelRead(Self.wrapInboundOut(part))
      }
      if bytes.readableBytes > 0 { held.append(bytes) }
    }

    func channelInactive(context: ChannelHandlerContext) {
      hasEnded = true
      if !isHolding { context.fireChannelInactive() }
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
      for bytes in held { context.fireChannelRead(Self.wrapInboundOut(bytes)) }
      if !held.isEmpty { context.fireChannelReadComplete() }
      if isHolding, hasEnded { context.fireChannelInactive() }
      context.leavePipeline(removalToken: removalToken)
    }

    private func lengthThroughHeadEnd(_ bytes: ByteBuffer) -> Int {
      for (index, byte) in bytes.readableBytesView.enumerated() {
        matched = byte == Self.headEnd[matched] ? matched + 1 : byte == Self.headEnd[0] ? 1 : 0
        if matched == Self.headEnd.count {
          matched = 0
          return index + 1
        }
      }
      return bytes.readableBytes
    }
  }
#endif
