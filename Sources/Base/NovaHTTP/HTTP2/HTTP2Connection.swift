#if GRPC
  internal import CNovaHTTP2
  import NovaSupport

  /// An HTTP/2 connection to one address: its session, its socket, and the calls on its streams.
  final class HTTP2Connection: @unchecked Sendable {
    // Sendable, because everything that changes is touched only under the engine's lock. The writer outside the lock
    // uses the output, which only the writer changes, and the socket.
    enum State {
      /// Waits for the server's first frame, so that nothing is sent to another kind of server.
      case greeting
      case ready
      /// Was unused for long, and waits for the response to a ping.
      case checking
      /// Takes no new calls, because the server is going away.
      case leaving
      case closed
    }

    let socket: CurlChannel
    let isSecure: Bool
    let endpoint: HTTP2Endpoint
    unowned let core: HTTP2Core
    let session: HTTP2Session
    let calls = HTTP2CallList()
    private(set) var token: UInt64 = 0
    var state = State.greeting
    var silence: HTTP2Silence
    private let authority: [UInt8]
    var openStreams = 0
    var room = HTTP2Room()
    /// Whether a response has ended on it.
    var hasServed = false
    /// Whether someone writes, or waits until the socket can take bytes.
    private var isWriting = false
    private(set) var isBlocked = false
    /// The calls whose readers wait for bytes that arrived in this round.
    private var readable: [HTTP2Call] = []
    /// Why the server leaves.
    var leaveCode: HTTP2ErrorCode?
    /// Why the session refused the last frame.
    var invalidReason: String?

    /// Creates the session on a new connection, and sends its first frames.
    init?(_ dialed: HTTP2DialedSocket, to endpoint: HTTP2Endpoint, core: HTTP2Core) {
      guard let poller = core.poller,
        let session = HTTP2Session(maximumHeaderBytes: core.options.connections.maximumHeaderBytes)
      else { return nil }
      socket = dialed.socket
      isSecure = endpoint.server.isSecure
      self.endpoint = endpoint
      self.core = core
      self.session = session
      authority = Array(endpoint.authority.utf8)
      silence = HTTP2Silence(at: core.now)
      session.setConnection(self)
      token = core.add(self)
      guard nova_h2_poller_add(poller, socket.descriptor, token) else {
        core.remove(self)
        return nil
      }
      silence.expect(until: dialed.deadline)
      scheduleCheck()
      flush()
    }

    /// Whether it may have room for calls now or soon.
    var isUsable: Bool { [.greeting, .ready, .checking].contains(state) }
    var isReady: Bool { state == .ready }
    /// How many bytes may have been written to the socket: while the writer writes, all that it has.
    var offeredBytes: Int64 { isBlocked ? session.writtenBytes : session.filledBytes }
  }

  // Calls.
  extension HTTP2Connection {
    /// Whether a call can start now. An unused connection is checked first.
    func takesCall() -> Bool {
      guard state == .ready else { return false }
      guard room.has(openStreams: openStreams, at: core.now) else {
        core.schedule(at: room.nextGrowth(at: core.now))
        return false
      }
      let trusted = core.options.trustedIdleTime.clampedNanoseconds
      guard openStreams == 0, core.now >= silence.lastHeard.addingClamped(trusted) else { return true }
      state = .checking
      ping(timeout: min(core.options.pingTimeout, .seconds(5)))
      return false
    }

    /// Opens a stream for a call.
    func start(_ call: HTTP2Call) {
      call.connection = self
      call.lastActivity = core.now
      guard let stream = session.submit(call, authority: authority) else {
        call.connection = nil
        // The numbers of streams are used up, or memory is.
        leave()
        return core.restart(call, isRefused: false)
      }
      call.stream = stream
      calls.append(call)
      openStreams += 1
      core.schedule(at: call.nextDeadline)
      if openStreams == 1 { scheduleCheck() }
      flush()
    }

    func reset(_ call: HTTP2Call, _ code: HTTP2ErrorCode) {
      session.reset(call.stream, code)
      flush()
    }

    /// Lets the server send more, after bytes of a call were read.
    func consume(_ count: Int, of call: HTTP2Call) {
      session.consume(count, of: call.stream)
      flush()
    }
  }

  // Writing.
  extension HTTP2Connection {
    /// Makes sure that what the session has to send is written.
    func flush() {
      guard !isWriting else { return }
      isWriting = true
      core.effects.writes.append(self)
    }

    /// Collects output for the writer; false if there is nothing to write, and the writer is done.
    func fillOutput() -> Bool {
      let count = session.fillOutput()
      if count > 0 { return true }
      isWriting = false
      if state == .closed {
        socket.end()
      } else if count < 0 {
        fail(.invalid("memory is exhausted"))
      } else if session.isOver {
        // The session has refused what the server sent, and told it why.
        fail(.invalid(invalidReason ?? "a frame that is not allowed"))
      }
      return false
    }

    /// Records what the writer wrote. Returns whether it has more to write.
    func hasWritten(_ progress: CurlChannel.Progress) -> Bool {
      switch progress {
      case .bytes(let count):
        session.dropOutput(count)
        return fillOutput()
      case .mustWait where state != .closed:
        isBlocked = true
        awaitWritable(true)
      case .failed(let code) where state != .closed:
        isWriting = false
        // Without TLS, the system has taken none of these bytes.
        isBlocked = !isSecure
        fail(.system(code))
      case .mustWait, .failed, .ended:
        isWriting = false
        if state == .closed { socket.end() } else { fail(.closed) }
      }
      return false
    }

    /// Makes the caller the writer again, if one waited.
    func resumeWriting() -> Bool {
      guard isBlocked, state != .closed else { return false }
      isBlocked = false
      awaitWritable(false)
      return fillOutput()
    }

    private func awaitWritable(_ awaits: Bool) {
      guard let poller = core.poller else { return }
      nova_h2_poller_await_writable(poller, socket.descriptor, token, awaits)
    }
  }

  // Reading.
  extension HTTP2Connection {
    /// Processes what the reader has read. Returns whether there may be more.
    func hasRead(_ progress: CurlChannel.Progress, _ buffer: UnsafePointer<UInt8>) -> Bool {
      guard state != .closed else { return false }
      switch progress {
      case .bytes(let count):
        receive(UnsafeBufferPointer(start: buffer, count: count))
        return state != .closed
      case .mustWait: return false
      case .ended: fail(.closed)
      case .failed(let code): fail(.system(code))
      }
      return false
    }

    func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
      if state == .greeting {
        if let other = HTTP2Greeting.otherProtocol(bytes) { return fail(.notHTTP2(other)) }
      } else {
        silence.hear(at: core.now)
      }
      let problem = session.receive(bytes, at: core.now)
      deliverReadable()
      if let problem { return fail(.invalid(problem)) }
      // Settings, pings, and windows may have to be answered.
      flush()
    }

    /// Makes a reader get the bytes that arrived, once all of this round are there.
    func expectReading(of call: HTTP2Call) {
      if readable.last !== call { readable.append(call) }
    }

    func deliverReadable() {
      for call in readable {
        guard !call.received.isEmpty, let reader = call.reader.take() else { continue }
        let chunk = call.takeReceived()
        if call.connection === self { session.consume(chunk.count, of: call.stream) }
        core.effects.resume(reader, with: .success(chunk))
      }
      readable.removeAll(keepingCapacity: true)
    }
  }
#endif
