#if Server
  import NIOCore
  import NIOHPACK
  import NIOHTTP2
  import NIOPosix
  import NovaCore
  import NovaMock

  /// A request over HTTP/2 that is not gRPC: HTTP/JSON, the bytes of an upload, a file, or a stream of events.
  final class JSONExchange: StreamExchange {
    private let output: StreamOutput
    private var received: ReceivedRequest
    private var chunk: IncomingChunk?
    private var ignoresBody = false
    /// The response if the body was dropped.
    private var refusal: HTTPResponse?
    /// The bytes that the lease has for this request.
    private var leased = 0
    private var isWriting = false
    /// Bytes of an upload that arrived while others were written.
    private var waiting: ByteBuffer?
    private var isInputEnded = false
    private var isCancelled = false
    private var task: Task<Void, Never>?

    private var connection: HTTP2Connection { output.connection }

    init(_ head: HTTP2RequestHead, _ output: StreamOutput, announcesBody: Bool) {
      self.output = output
      received = head.received(announcesBody: announcesBody)
      guard received.method == .put else { return }
      ignoresBody = connection.application.refusesHead(of: received)
      if !ignoresBody { chunk = connection.application.incomingChunk(received) }
    }

    func begin() { output.read() }

    func receive(_ bytes: ByteBuffer) {
      if let chunk { return write(bytes, to: chunk) }
      defer { output.read() }
      guard refusal == nil, !ignoresBody else { return }
      if received.body.count + bytes.readableBytes > ReceivedRequest.bodyLimit {
        drop(Refusal.tooLarge)
      } else if lease(bytes.readableBytes) {
        received.body.append(contentsOf: bytes.readableBytesView)
      } else {
        drop(Refusal.noRoom)
      }
    }

    func inputEnded() {
      isInputEnded = true
      if !isWriting { finishInput() }
    }

    func cancel() {
      isCancelled = true
      task?.cancel()
      task = nil
      if !isWriting { chunk?.cancel() }
      release()
    }

    private func lease(_ count: Int) -> Bool {
      guard connection.lease.add(count) else { return false }
      leased += count
      return true
    }

    private func release() {
      connection.lease.remove(leased)
      leased = 0
    }

    private func drop(_ refusal: HTTPResponse) {
      received.body = []
      release()
      self.refusal = refusal
    }

    /// Writes bytes of an upload to the disk on another thread, and reads more after it.
    private func write(_ bytes: ByteBuffer, to chunk: IncomingChunk) {
      // The threads that write to the disk would mix the order. The stream's window bounds the waiting bytes.
      guard !isWriting else {
        var all = waiting ?? ByteBuffer()
        all.writeImmutableBuffer(bytes)
        waiting = all
        return
      }
      onDisk {
        bytes.withUnsafeReadableBytes { chunk.append($0) }
      } whenDone: { exchange in
        exchange.pause(chunk.pause(after: bytes.readableBytes, clock: exchange.connection.application.clock)) {
          $0.readMore(of: chunk)
        }
      }
    }

    private func readMore(of chunk: IncomingChunk) {
      if let next = waiting.take() {
        write(next, to: chunk)
      } else if isInputEnded {
        finishInput()
      } else {
        output.read()
      }
    }

    /// Continues after a while, in which nothing is read; at once without a pause.
    private func pause(_ duration: Duration?, then proceed: @escaping @Sendable (JSONExchange) -> Void) {
      guard let duration else { return proceed(self) }
      isWriting = true
      let bound = NIOLoopBound(self, eventLoop: output.eventLoop)
      output.eventLoop.scheduleTask(in: .init(duration)) {
        bound.value.isWriting = false
        if bound.value.isCancelled { return bound.value.chunk?.cancel() ?? () }
        proceed(bound.value)
      }
    }

    private func finishInput() {
      guard let chunk else { return handle() }
      onDisk {
        chunk.finish()
      } whenDone: {
        $0.handle()
      }
    }

    /// Runs `body` on a thread that may wait for the disk.
    private func onDisk(_ body: @escaping @Sendable () -> Void, whenDone: @escaping @Sendable (JSONExchange) -> Void) {
      isWriting = true
      let bound = NIOLoopBound(self, eventLoop: output.eventLoop)
      NIOThreadPool.singleton.runIfActive(eventLoop: output.eventLoop, body).whenComplete { _ in
        bound.value.isWriting = false
        if bound.value.isCancelled { return bound.value.chunk?.cancel() ?? () }
        whenDone(bound.value)
      }
    }

    // MARK: The response

    private func handle() {
      guard task == nil, !output.isEnded else { return }
      let bound = NIOLoopBound(self, eventLoop: output.eventLoop)
      let (application, received, chunk, refusal) = (connection.application, received, chunk, refusal)
      task = Task(executorPreference: connection.executor) {
        var answer = Answer.response(refusal.map { application.shared($0, with: received) })
        if refusal == nil { answer = await application.answer(received, chunk: chunk) }
        await bound.value.send(answer)
      }
    }

    private func send(_ answer: Answer) async {
      received.body = []
      release()
      // Only HTTP/1.1 has upgrades, and HTTP/2 forbids their headers, so no request gets here as a WebSocket.
      guard case .response(let response?) = answer else { return connection.close() }
      var (body, head) = (response.body, HPACKHeaders(response))
      let hasBody = received.method != .head && HTTPResponse.hasBody(status: response.status)
      let size = body.bytes?.count ?? OutgoingAnswer.pieceSize
      if hasBody, !lease(size) {
        let refusal = connection.application.shared(Refusal.noRoom, with: received)
        (body, head) = (refusal.body, HPACKHeaders(refusal))
      }
      defer { release() }
      guard hasBody, body.length != 0 else { return output.writeHead(head, endStream: true) }
      output.writeHead(head)
      // The body may begin late, or never.
      if body.bytes == nil { output.flush() }
      await write(body)
    }

    private func write(_ body: HTTPBody) async {
      do {
        var last: [UInt8]?
        for try await chunk in body {
          for start in stride(from: 0, to: chunk.count, by: OutgoingAnswer.pieceSize) {
            let piece = Array(chunk[start..<min(start + OutgoingAnswer.pieceSize, chunk.count)])
            // A stream's pieces are sent as they come; of other bodies, the last one ends the response.
            if body.bytes == nil {
              guard await output.write(piece) else { return }
            } else {
              if let last { guard await output.write(last) else { return } }
              last = piece
            }
          }
        }
        _ = await output.write(last ?? [], endStream: true)
      } catch is CancellationError {
        output.reset(.cancel)
      } catch {
        connection.close()
      }
    }
  }

  extension HPACKHeaders {
    /// The head of a response. HTTP/2 has no fields about the connection.
    init(_ response: HTTPResponse) {
      self.init([(":status", String(response.status))])
      for field in response.headers where !Self.ofConnection.contains(field.name.lowercased()) {
        add(name: field.name.lowercased(), value: field.value)
      }
      if contains(name: "content-length") || !HTTPResponse.hasBody(status: response.status) { return }
      if let length = response.bodyLength { add(name: "content-length", value: String(length)) }
    }

    private static let ofConnection: Set = ["connection", "keep-alive", "transfer-encoding", "upgrade"]
  }
#endif
