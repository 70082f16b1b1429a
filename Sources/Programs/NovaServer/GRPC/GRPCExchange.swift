#if Server
  import NIOCore
  import NIOHPACK
  import NIOHTTP2
  import NovaCore
  import NovaMock

  /// A call over gRPC.
  final class GRPCExchange: StreamExchange {
    private let output: StreamOutput
    private let path: String
    private let start = ContinuousClock.now
    private var call: (any GRPCCall)?
    private var head: GRPCRequestHead?
    private var deframer = GRPCDeframer(.identity)
    /// The request of a call that takes one.
    private var request: [UInt8]?
    private var deadline: Scheduled<Void>?
    /// When the deadline has passed, even if the timer is late.
    private var end = NIODeadline.distantFuture
    private var task: Task<Void, Never>?
    /// The bytes that the lease has for this call.
    private var leased = 0
    private var isInputEnded = false
    private var isWriting = false
    /// Whether the response has ended, or nothing is to be sent any more.
    private var isDone = false

    private var connection: HTTP2Connection { output.connection }

    init(_ head: HTTP2RequestHead, _ output: StreamOutput) {
      self.output = output
      path = head.path
      do throws(GRPCFailure) {
        let request = try GRPCRequestHead(head)
        self.head = request
        deframer = GRPCDeframer(request.encoding)
        try checkOrigin(of: head)
        call = try connection.application.call(GRPCMethod.find(head.path), request)
        if let timeout = request.timeout { setDeadline(timeout) }
      } catch {
        fail(error)
      }
    }

    private func checkOrigin(of head: HTTP2RequestHead) throws(GRPCFailure) {
      let (application, received) = (connection.application, head.received(announcesBody: false))
      guard let refusal = application.policy.refusal(of: received, hasBody: false) else { return }
      application.noteRefusal(of: received, refusal, over: "gRPC")
      throw GRPCFailure(refusal.status, refusal.message)
    }

    // MARK: The request

    func begin() {
      guard let call, !isDone else { return }
      // The client cannot send more than its window, and waits.
      if call.stallsWindow { return run(call, nil) }
      output.read()
    }

    func receive(_ bytes: ByteBuffer) {
      guard let call, !isDone else { return }
      guard lease(bytes.readableBytes) else {
        return fail(
          GRPCFailure(.resourceExhausted, "the server's memory limit for requests is reached; try again later"))
      }
      deframer.append(bytes)
      takeMessages(for: call)
    }

    /// Takes the messages that have arrived, and reads more unless a response is being written.
    private func takeMessages(for call: any GRPCCall) {
      do throws(GRPCFailure) {
        while !isDone, task == nil, let message = try deframer.next() { try take(message, call) }
      } catch {
        return fail(error)
      }
      guard task == nil, !isDone else { return }
      if isInputEnded { endInput(of: call) } else { output.read() }
    }

    private func take(_ message: [UInt8], _ call: any GRPCCall) throws(GRPCFailure) {
      if call.takesMany { return respond(to: message, call) }
      guard request == nil else {
        throw GRPCFailure(.unimplemented, "the method takes one message, and the request has more")
      }
      request = message
    }

    func inputEnded() {
      guard let call, !isDone else { return }
      isInputEnded = true
      if task == nil { endInput(of: call) }
    }

    private func endInput(of call: any GRPCCall) {
      if deframer.pendingCount > 0 { return fail(.invalid("invalid message: it ends before the length in its prefix")) }
      if call.takesMany { return end(nil) }
      guard let request else {
        return fail(GRPCFailure(.unimplemented, "the method takes one message, and the request has none"))
      }
      self.request = nil
      if !call.stallsWindow { run(call, request) }
    }

    func cancel() {
      (isDone, isWriting) = (true, false)
      deadline?.cancel()
      task?.cancel()
      task = nil
      release()
    }

    private func setDeadline(_ timeout: TimeAmount) {
      let bound = NIOLoopBound(self, eventLoop: output.eventLoop)
      end = .now() + timeout
      deadline = output.eventLoop.scheduleTask(deadline: end) {
        bound.value.fail(.late)
      }
    }

    private func lease(_ count: Int) -> Bool {
      guard connection.lease.add(count) else { return false }
      leased += count
      return true
    }

    private func release() {
      if isWriting { return }
      connection.lease.remove(leased)
      leased = 0
    }

    // MARK: The response

    private func run(_ call: any GRPCCall, _ request: [UInt8]?) {
      let bound = NIOLoopBound(self, eventLoop: output.eventLoop)
      task = Task(executorPreference: connection.executor) {
        do {
          let reply = try await call.reply(to: request)
          await bound.value.send(reply)
        } catch {
          bound.value.failed(error)
        }
      }
    }

    private func failed(_ error: any Error) {
      switch error {
      case let failure as GRPCFailure: fail(failure)
      case let fault as FrameFault: apply(fault)
      case is CancellationError: fail(GRPCFailure(.cancelled, "the call was cancelled"))
      case let error as TransportError where error.kind == .connectionLost: drop()
      case is TransportError: abort(.cancel)
      default: fail(.invalid("\(error)"))
      }
    }

    private func send(_ reply: GRPCReply) async {
      if isDone { return }
      if NIODeadline.now() >= end { return fail(.late) }
      release()
      if reply.fault == .trailersOnly { return end(nil, metadata: reply.metadata) }
      guard lease(reply.body.bytes?.count ?? OutgoingAnswer.pieceSize) else {
        return fail(
          GRPCFailure(.resourceExhausted, "the server's memory limit for responses is reached; try again later"))
      }
      output.writeHead(HPACKHeaders(reply, encoding: head?.replyEncoding ?? .identity))
      do {
        if let bytes = reply.body.bytes { try await write(bytes, reply.fault) } else { try await stream(reply) }
      } catch {
        return failed(error)
      }
      if reply.fault == .noTrailers {
        log(nil)
        isDone = true
        _ = await output.write([], endStream: true)
        return finish()
      }
      end(reply.failure())
    }

    /// Writes a whole response. A small one leaves with its trailers.
    private func write(_ bytes: [UInt8], _ fault: FrameFault?) async throws {
      let bytes = fault.map { $0.damaged(bytes) } ?? bytes
      guard bytes.count > OutgoingAnswer.pieceSize else { return begin(bytes) }
      for start in stride(from: 0, to: bytes.count, by: OutgoingAnswer.pieceSize) {
        let piece = Array(bytes[start..<min(start + OutgoingAnswer.pieceSize, bytes.count)])
        guard await output.write(piece) else { throw CancellationError() }
      }
    }

    /// Writes bytes without waiting for the client. Until it has room for them, they are in memory.
    private func begin(_ bytes: [UInt8]) {
      isWriting = true
      output.begin(bytes)?.assumeIsolated().whenComplete { _ in
        self.isWriting = false
        if self.isDone { self.release() }
      }
    }

    private func stream(_ reply: GRPCReply) async throws {
      output.flush()
      for try await chunk in reply.body {
        guard await output.write(reply.fault.map { $0.damaged(chunk) } ?? chunk) else { throw CancellationError() }
        // These faults end the stream.
        if reply.fault == .truncatedMessage || reply.fault == .noTrailers { return }
      }
    }

    /// Responds to one of many requests, and reads the next one after the client has the response.
    private func respond(to message: [UInt8], _ call: any GRPCCall) {
      do throws(GRPCFailure) {
        let response = try call.response(to: message)
        if !output.hasHead {
          output.writeHead(HPACKHeaders(GRPCReply(body: .empty), encoding: head?.replyEncoding ?? .identity))
        }
        let bound = NIOLoopBound(self, eventLoop: output.eventLoop)
        task = Task(executorPreference: connection.executor) {
          _ = await bound.value.output.write(response)
          bound.value.responded(call)
        }
      } catch {
        fail(error)
      }
    }

    private func responded(_ call: any GRPCCall) {
      guard !isDone else { return }
      task = nil
      if deframer.pendingCount == 0 { release() }
      takeMessages(for: call)
    }

    private func fail(_ failure: GRPCFailure) {
      guard !isDone else { return }
      end(failure)
      task?.cancel()
    }

    private func end(_ failure: GRPCFailure?, metadata: HTTPHeaders = [:]) {
      guard !isDone else { return }
      isDone = true
      log(failure?.status ?? .ok)
      if output.hasHead {
        output.end(with: HPACKHeaders(failure))
      } else {
        output.writeHead(HPACKHeaders(withoutMessages: failure, metadata: metadata), endStream: true)
      }
      finish()
    }

    private func finish() {
      deadline?.cancel()
      release()
    }

    // MARK: Faults

    private func apply(_ fault: FrameFault) {
      switch fault {
      case .goAway:
        isDone = true
        log(nil)
        if let id = output.id { connection.sendGoAway(after: HTTP2StreamID(max(0, Int(id) - 2))) }
        finish()
      case .reset(let code): abort(NIOHTTP2.HTTP2ErrorCode(networkCode: code.number))
      // Nothing is read, and nothing sent, until the client gives up.
      case .stalledWindow: log(nil)
      case .trailersOnly, .noTrailers, .badPrefix, .truncatedMessage: break
      }
    }

    /// Ends the stream without a status.
    private func abort(_ code: NIOHTTP2.HTTP2ErrorCode) {
      guard !isDone else { return }
      isDone = true
      log(nil)
      output.reset(code)
      finish()
    }

    /// Ends the connection without a status.
    private func drop() {
      guard !isDone else { return }
      isDone = true
      log(nil)
      finish()
      connection.close()
    }

    private func log(_ status: GRPCStatus?) {
      guard let log = connection.application.log else { return }
      let duration = (ContinuousClock.now - start).milliseconds
      log("gRPC \(path.printable(to: 300)) \(status.map { "\($0)" } ?? "no status") \(duration) ms")
    }
  }

  extension FrameFault {
    /// The bytes of messages with the fault.
    fileprivate func damaged(_ bytes: [UInt8]) -> [UInt8] {
      var damaged = bytes
      switch self {
      case .badPrefix: if !damaged.isEmpty { damaged[0] = 0xFF }
      case .truncatedMessage: damaged.removeLast((damaged.count + 1) / 2)
      default: break
      }
      return damaged
    }
  }
#endif
