#if Server
  import NIOCore
  import NIOHTTP1
  import NovaCore
  import NovaMock

  /// One connection: handles a request, and reads the next one after the client has read the response.
  final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let application: Application
    private let timer: ConnectionTimer
    private let gate: InputGate
    private let lease: MemoryLease
    private let executor: EventLoopExecutor
    private var incoming: IncomingRequest?
    private var intake: UploadIntake?
    /// The body of the current request, which is passed on while it arrives.
    private var passing: PassingIntake?
    private var answering: Task<Void, Never>?
    /// The response that is being written.
    private var outgoing: OutgoingAnswer?
    private var isInputClosed = false
    /// Whether the connection closes after the current response.
    private var isClosing = false

    init(
      _ application: Application, timer: ConnectionTimer, gate: InputGate, lease: MemoryLease, eventLoop: any EventLoop
    ) {
      (self.application, self.timer, self.gate, self.lease) = (application, timer, gate, lease)
      executor = EventLoopExecutor(eventLoop)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if isClosing, passing == nil { return }
      switch Self.unwrapInboundIn(data) {
      case .head(let head):
        var request = IncomingRequest(head)
        if let refusal = HeadCheck(head).refusal { return refuseHead(of: request, with: refusal, context) }
        if beginPassing(request, context) { return }
        beginUpload(&request, context)
        incoming = request
        if request.waitsForLeave { considerBody(request, context) }
      case .body(let part):
        if let passing { return pass(part, to: passing) }
        if let intake { intake.take(part) } else { incoming?.append(part, lease) }
      case .end:
        if passing != nil { return endPassing() }
        guard let request = incoming else { return }
        incoming = nil
        gate.hold()
        timer.requestEnded()
        guard let intake else { return answer(request, context) }
        gate.uploadEnds()
        intake.finish {
          self.intake = nil
          self.answer(request, context)
        }
      }
    }

    // MARK: Requests that pass

    /// Answers a request whose body passes while it arrives. Small bodies are waited for.
    private func beginPassing(_ request: IncomingRequest, _ context: ChannelHandlerContext) -> Bool {
      guard request.isLarge, application.passesBody(of: request.received) else { return false }
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      let eventLoop = context.eventLoop
      let passing = PassingIntake { eventLoop.execute { bound.value.resumePassing() } }
      self.passing = passing
      gate.uploadBegins(request.announcedSize)
      timer.requestEnded()
      if request.waitsForLeave {
        let leave = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(leave)), promise: nil)
      }
      let isChunked = request.head.headers.contains(name: "Transfer-Encoding")
      answer(request, body: .stream(HTTPBodyStream(passing, length: isChunked ? nil : request.announcedSize)), context)
      return true
    }

    private func pass(_ part: ByteBuffer, to passing: PassingIntake) {
      if !passing.take(part.readableBytesView) { gate.hold() }
    }

    private func resumePassing() {
      guard passing != nil else { return }
      gate.open()
      gate.drain()
    }

    private func endPassing() {
      passing?.finish()
      passing = nil
      gate.uploadEnds()
      // The next request waits for the response, which may have been sent.
      if outgoing != nil || answering != nil { gate.hold() }
    }

    /// Sends the bytes of an upload to the disk as they arrive.
    private func beginUpload(_ request: inout IncomingRequest, _ context: ChannelHandlerContext) {
      guard request.head.method == .PUT else { return }
      let received = request.received
      request.ignoresBody = application.refusesHead(of: received)
      guard !request.ignoresBody, let chunk = application.incomingChunk(received) else { return }
      request.chunk = chunk
      intake = UploadIntake(
        chunk, gate: gate, timer: timer, lease: lease, clock: application.clock, eventLoop: context.eventLoop)
      gate.uploadBegins(request.announcedSize)
      timer.uploadBegins()
    }

    /// Responds at once and closes the connection: what follows the head may be a body or the next request.
    private func refuseHead(
      of request: IncomingRequest, with refusal: NovaCore.HTTPResponse, _ context: ChannelHandlerContext
    ) {
      application.log?("\(request.head.method.rawValue) \(request.head.uri.printable(to: 300)) \(refusal.status)")
      refuseBody(of: request, with: .response(refusal), context)
    }

    /// Lets a client send the body that it has announced, or responds at once and closes the connection, because the client
    /// may send the body anyway.
    private func considerBody(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
      gate.hold()
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let (application, received) = (application, request.received)
      let (size, chunk) = (request.announcedSize, request.chunk)
      answering = Task(executorPreference: executor) {
        let refusal = await application.refusal(ofAnnounced: received, size: size, chunk: chunk)
        let (handler, context) = bound.value
        handler.answering = nil
        guard context.channel.isActive else { return handler.lease.removeAll() }
        // The input has ended since then, and was refused.
        if handler.isClosing { return handler.closeIfDone(context) }
        if let refusal { handler.refuseBody(of: request, with: refusal, context) } else { handler.admitBody(context) }
      }
    }

    private func admitBody(_ context: ChannelHandlerContext) {
      if isInputClosed { return context.close(promise: nil) }
      // A client that has sent the body does not wait.
      if !gate.hasHeldBytes {
        let leave = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(leave)), promise: nil)
      }
      gate.open()
      gate.drain()
    }

    private func refuseBody(of request: IncomingRequest, with refusal: Answer, _ context: ChannelHandlerContext) {
      dropInput()
      gate.uploadEnds()
      timer.requestEnded()
      isClosing = true
      guard case .response(let response?) = refusal else { return context.close(promise: nil) }
      send(response, for: request, to: context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed = event {
        isInputClosed = true
        // A client that has disconnected does not wait for a delayed response.
        answering?.cancel()
        closeIfDone(context)
      }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      switch error {
      case is HTTPParserError where passing != nil: context.close(promise: nil)
      case let error as HTTPParserError where !isClosing: refuse(error, context)
      // These bytes follow others that could not be parsed.
      case is HTTPParserError, is ByteToMessageDecoderError: break
      default: context.close(promise: nil)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      answering?.cancel()
      dropInput()
      outgoing = nil
      // A call in progress keeps its body until it ends.
      if answering == nil { lease.removeAll() }
      context.fireChannelInactive()
    }

    /// - Parameter body: a body that is still arriving; nil for the one that was received.
    private func answer(_ request: IncomingRequest, body: HTTPBody? = nil, _ context: ChannelHandlerContext) {
      if let refusal = request.refusal {
        return send(application.shared(refusal, with: request.received), for: request, to: context)
      }
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let (application, received, chunk) = (application, request.received, request.chunk)
      answering = Task(executorPreference: executor) {
        let answer = await application.answer(received, chunk: chunk, body: body)
        let (handler, context) = bound.value
        switch answer {
        case .response(let response): handler.answered(response, to: request, context)
        case .webSocket(let acceptance): handler.upgrade(to: acceptance, request, context)
        }
      }
    }

    private func upgrade(
      to acceptance: WebSocketAcceptance, _ request: IncomingRequest, _ context: ChannelHandlerContext
    ) {
      answering = nil
      guard context.channel.isActive, !isInputClosed, !gate.isStopping else { return context.close(promise: nil) }
      WebSocketUpgrade.perform(
        acceptance, head: request.head, on: context.channel, gate: gate, timer: timer, handler: self)
    }

    private func answered(
      _ response: NovaCore.HTTPResponse?, to request: IncomingRequest, _ context: ChannelHandlerContext
    ) {
      answering = nil
      guard context.channel.isActive else { return lease.removeAll() }
      lease.remove(request.heldBytes)
      guard let response else { return context.close(promise: nil) }
      if passing != nil {
        // The response came before the end of the request, which it ends unless it is a success.
        isClosing = true
        if response.status >= 300 { dropInput() }
      }
      send(response, for: request, to: context)
    }

    private func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
      let response = MockFailure(error, at: gate).response
      application.log?("\(gate.beginning == .tls ? "a TLS handshake" : "no HTTP/1.1 request"): \(response.status)")
      lease.remove(incoming?.heldBytes ?? 0)
      dropInput()
      send(response, for: nil, to: context)
    }

    private func dropInput() {
      intake?.cancel()
      passing?.cancel()
      (intake, passing, incoming) = (nil, nil, nil)
    }

    // MARK: Responses

    private func send(
      _ response: NovaCore.HTTPResponse, for request: IncomingRequest?, to context: ChannelHandlerContext
    ) {
      var answer = OutgoingAnswer(response, toHEAD: request?.head.method == .HEAD)
      if !lease.add(answer.heldBytes) {
        let refusal = request.map { application.shared(Refusal.noRoom, with: $0.received) } ?? Refusal.noRoom
        answer = OutgoingAnswer(refusal, toHEAD: answer.isToHEAD)
      }
      let version = request?.head.version ?? .http1_1
      let isChunked = answer.lacksLength && !answer.isToHEAD && version != .http1_0
      // The parser stops after a request for another protocol, whether or not there is one.
      isClosing = isClosing || request?.head.isKeepAlive != true || isInputClosed || request?.leavesHTTP == true
      // Only the connection can end the body.
      isClosing = isClosing || answer.lacksLength && !isChunked
      let head = HTTPResponseHead(
        answer.response, isChunked: isChunked, keepsAlive: !isClosing, version: version)
      outgoing = answer
      if answer.isOpenEnded { timer.streamBegins() } else { timer.answerBegins(isUnlimited: answer.isUnlimited) }
      context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
      guard answer.isStream else { return sendPiece(to: context) }
      // The body may begin late, or never.
      context.flush()
      stream(answer.response.body, to: context)
    }

    /// Writes a body that arrives over time, as faults make it; closes the connection if it fails.
    private func stream(_ body: HTTPBody, to context: ChannelHandlerContext) {
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      answering = Task(executorPreference: executor) {
        let isWhole = await ConnectionHandler.write(body, to: bound)
        let (handler, context) = bound.value
        handler.streamed(isWhole, context)
      }
    }

    private func streamed(_ isWhole: Bool, _ context: ChannelHandlerContext) {
      answering = nil
      if isWhole, let answer = outgoing { end(answer, context) } else { context.close(promise: nil) }
    }

    private static func write(
      _ body: HTTPBody, to bound: NIOLoopBound<(ConnectionHandler, ChannelHandlerContext)>
    ) async -> Bool {
      do {
        for try await chunk in body {
          try await bound.value.0.write(chunk, to: bound.value.1).get()
          bound.value.0.timer.pieceTaken()
        }
        return true
      } catch {
        return false
      }
    }

    private func write(_ chunk: [UInt8], to context: ChannelHandlerContext) -> EventLoopFuture<Void> {
      timer.pieceTaken()
      timer.pieceSent()
      return context.writeAndFlush(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: chunk)))))
    }

    /// Writes the next piece of the response, and continues once the client has received it. The end of a response
    /// admits the next request, so it is written after everything else was received.
    private func sendPiece(to context: ChannelHandlerContext) {
      guard let piece = outgoing?.nextPiece() else { return }
      context.writeAndFlush(Self.wrapOutboundOut(.body(piece))).assumeIsolated().whenComplete { result in
        guard case .success = result, let answer = self.outgoing else { return }
        self.timer.pieceTaken()
        if answer.isAtEnd { self.end(answer, context) } else { self.sendPiece(to: context) }
      }
    }

    private func end(_ answer: OutgoingAnswer, _ context: ChannelHandlerContext) {
      outgoing = nil
      lease.remove(answer.heldBytes)
      timer.answered()
      if !isClosing { gate.open() }
      context.writeAndFlush(Self.wrapOutboundOut(.end(answer.trailers)), promise: nil)
      closeIfDone(context)
      gate.drain()
    }

    private func closeIfDone(_ context: ChannelHandlerContext) {
      if isClosing || isInputClosed, outgoing == nil, answering == nil, intake == nil { context.close(promise: nil) }
    }
  }

  extension MockFailure {
    fileprivate init(_ error: HTTPParserError, at gate: InputGate) {
      switch (gate.beginning, error) {
      case (.tls, _): self = .invalid("this is a TLS handshake, and the server has no TLS; use http://")
      case (.http2, _):
        self.init(.unimplemented, "HTTP/2 is not supported; use HTTP/1.1", httpStatus: 505)
      case (_, .invalidMethod) where gate.isAtRequestLine: self = Refusal.unknownMethod
      case (_, .invalidContentLength), (_, .unexpectedContentLength):
        self = .invalid("invalid Content-Length: expected one number, and no Transfer-Encoding with it")
      // The parser's name for an invalid Transfer-Encoding, and for a line that does not end in CR LF.
      case (_, .unknown):
        self = .invalid(
          "invalid Transfer-Encoding or line break: expected chunked once, as the last coding, and no Content-Length with it"
        )
      case (_, .headerOverflow):
        self.init(.invalidArgument, "the request's headers are too large", httpStatus: 431)
      default: self = .invalid("this is not HTTP/1.1: \(error)")
      }
    }
  }
#endif
