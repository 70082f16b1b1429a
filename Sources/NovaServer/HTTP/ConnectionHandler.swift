#if Server
  import NIOCore
  import NIOHTTP1
  import NovaCore

  /// One connection: takes requests in, and writes their answers, one after the other.
  final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let application: Application
    private let timer: ConnectionTimer
    private let executor: EventLoopExecutor
    private var incoming: IncomingRequest?
    private var answering: Task<Void, Never>?
    private var isInputClosed = false
    /// Whether the last answer has been given.
    private var isClosing = false
    /// How many answers are on their way into the socket. What comes behind a request, its client's end included, is told
    /// of while its answer is being written.
    private var unwritten = 0

    init(_ application: Application, _ timer: ConnectionTimer, _ eventLoop: any EventLoop) {
      self.application = application
      self.timer = timer
      executor = EventLoopExecutor(eventLoop)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch Self.unwrapInboundIn(data) {
      case .head(let head):
        let request = IncomingRequest(head)
        incoming = request
        if request.waitsForLeave { write(HTTPResponseHead(version: .http1_1, status: .continue), to: context) }
      case .body(let part): incoming?.append(part)
      case .end:
        guard let request = incoming else { return }
        incoming = nil
        timer.requestEnded()
        answer(request, context)
      }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed = event {
        isInputClosed = true
        // Whoever has gone, or at least hung up, does not wait for a latency or for a call that hangs.
        answering?.cancel()
        closeIfDone(context)
      }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      switch error {
      case let error as HTTPParserError where !isClosing: refuse(error, context)
      // What arrives behind bytes that could not be read.
      case is HTTPParserError, is ByteToMessageDecoderError: break
      default: context.close(promise: nil)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      answering?.cancel()
      context.fireChannelInactive()
    }

    private func answer(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
      guard let body = request.body else { return write(Refusal.tooLarge, for: request, to: context) }
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let (application, method, headers) = (application, request.method, request.headers)
      answering = Task(executorPreference: executor) {
        let response = await application.answer(method, request.head.uri, headers, body)
        let (handler, context) = bound.value
        handler.answering = nil
        guard context.channel.isActive else { return }
        guard let response else { return context.close(promise: nil) }
        handler.write(response, for: request, to: context)
      }
    }

    private func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
      incoming = nil
      write(Refusal.response(to: error), for: nil, to: context)
    }

    private func write(_ head: HTTPResponseHead, to context: ChannelHandlerContext) {
      context.writeAndFlush(Self.wrapOutboundOut(.head(head)), promise: nil)
    }

    /// Writes an answer, and closes the connection behind it where no more can follow.
    private func write(
      _ response: NovaCore.HTTPResponse, for request: IncomingRequest?, to context: ChannelHandlerContext
    ) {
      timer.answered()
      let stays = request?.head.isKeepAlive == true && !isInputClosed
      isClosing = !stays
      unwritten += 1
      let head = HTTPResponseHead(response, keepsAlive: stays, version: request?.head.version ?? .http1_1)
      context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
      if request?.head.method != .HEAD, !response.body.isEmpty {
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
      }
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
        self.unwritten -= 1
        self.closeIfDone(context)
      }
    }

    private func closeIfDone(_ context: ChannelHandlerContext) {
      if isClosing || isInputClosed, unwritten == 0, answering == nil { context.close(promise: nil) }
    }
  }

  extension HTTPResponseHead {
    fileprivate init(_ response: NovaCore.HTTPResponse, keepsAlive: Bool, version: HTTPVersion) {
      var headers = NIOHTTP1.HTTPHeaders()
      for field in response.headers { headers.add(name: field.name, value: field.value) }
      if response.status != 204, response.status != 304 {
        headers.add(name: "Content-Length", value: String(response.body.count))
      }
      if !keepsAlive {
        headers.add(name: "Connection", value: "close")
      } else if version == .http1_0 {
        headers.add(name: "Connection", value: "keep-alive")
      }
      self.init(version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
    }
  }
#endif
