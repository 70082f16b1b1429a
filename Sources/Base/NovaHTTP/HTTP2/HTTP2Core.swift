#if GRPC
  internal import CNovaHTTP2
  import NovaSupport

  /// The state of a transport: its calls, servers, and connections. Only the holder of the engine's lock may touch it,
  /// and everything that it refers to.
  final class HTTP2Core {
    enum Phase { case notStarted, running, stopping, ended }

    let options: HTTP2Transport.Options
    var phase = Phase.notStarted
    /// Set while the reader runs.
    var poller: OpaquePointer?
    /// The time of the last reading of the clock.
    var now: Int64
    var effects = HTTP2Effects()
    private(set) var connections: [UInt64: HTTP2Connection] = [:]
    var channels: [HTTPOrigin: HTTP2Channel] = [:]
    var calls: HTTP2Turns
    /// Separate, so that no call waits for the end of a stream.
    var streams: HTTP2Turns
    private var lastToken: UInt64 = 0
    private var isStartingCalls = false
    var endWaiters: [CheckedContinuation<Void, Never>] = []
    /// A lower bound of all deadlines. If it is too low, everything is checked once for nothing.
    var nextCheck = Int64.max
    /// Until when the reader sleeps, unless it is woken.
    var readerSleepsUntil = Int64.min

    init(options: HTTP2Transport.Options) {
      self.options = options
      now = options.connections.now
      calls = HTTP2Turns(limit: options.connections.connections.maximumTransfers)
      streams = HTTP2Turns(limit: options.connections.connections.maximumStreams)
    }

    func readClock() { now = options.connections.now }

    /// What to do once the lock is released; nil for nothing.
    func takeEffects() -> HTTP2Effects? {
      if effects.isEmpty { return nil }
      var index = 0
      while index < effects.writes.count {
        // It may have an effect itself.
        let connection = effects.writes[index]
        if connection.fillOutput() { index += 1 } else { effects.writes.remove(at: index) }
      }
      var taken = HTTP2Effects()
      swap(&taken, &effects)
      if taken.mustWakeReader, let poller { nova_h2_poller_wake(poller) }
      return taken
    }

    /// Schedules a check of everything at this time, unless an earlier one is scheduled.
    func schedule(at time: Int64) {
      if time < nextCheck {
        nextCheck = time
      } else if now < nextCheck {
        return
      }
      // A check that is overdue means that a test has advanced the clock.
      let isOverdue = nextCheck <= now && readerSleepsUntil > .min
      if nextCheck < readerSleepsUntil || isOverdue { effects.mustWakeReader = true }
    }
  }

  // Calls from their beginning to their end.
  extension HTTP2Core {
    func begin(_ call: HTTP2Call) {
      schedule(at: call.nextDeadline)
      let hasTurn = call.isStream ? streams.take(call) : calls.take(call)
      if hasTurn { route(call) }
    }

    private func route(_ call: HTTP2Call) {
      let channel = channel(to: call.request.url.origin)
      call.channel = channel
      channel.submit(call)
    }

    private func channel(to origin: HTTPOrigin) -> HTTP2Channel {
      if let channel = channels[origin] { return channel }
      let channel = HTTP2Channel(to: origin, core: self)
      channels[origin] = channel
      return channel
    }

    /// Fails a call that has not begun.
    func refuse(_ call: HTTP2Call, _ error: any Error) {
      call.isEnded = true
      if let continuation = call.continuation.take() { effects.resume(continuation, with: .failure(error)) }
    }

    func cancel(_ call: HTTP2Call) {
      if call.continuation == nil, !call.isDelivered { return }
      finish(call, throwing: CancellationError())
    }

    /// Ends a call in any state, and resets its stream.
    func finish(_ call: HTTP2Call, throwing error: any Error) {
      guard !call.isEnded else { return }
      call.connection?.reset(call, .cancel)
      end(call, .failure(error))
    }

    /// Ends a call whose stream is closed.
    func finishClosed(_ call: HTTP2Call, throwing error: any Error) { end(call, .failure(error)) }

    /// Ends a call whose response exceeds a limit.
    func endFailed(_ call: HTTP2Call) {
      if let failure = call.failure { finish(call, throwing: failure) }
    }

    /// How often a call is sent again that the server did not process, while it responds to no other.
    private static let maximumRestartsWithoutResponse = (refused: 2, lost: 5)

    /// Sends a call again that the server did not process.
    ///
    /// - Parameter isRefused: whether the server refused the stream, instead of leaving or losing the connection.
    func restart(_ call: HTTP2Call, isRefused: Bool) {
      guard let channel = call.channel, !call.isEnded else { return }
      call.list?.remove(call)
      let maximum = Self.maximumRestartsWithoutResponse
      guard
        call.restarts.countWithoutResponse(after: channel.responseCount) < (isRefused ? maximum.refused : maximum.lost),
        call.restarts.count < Restarts.maximum
      else {
        return finishClosed(call, throwing: HTTP2Failure(call, options).givenUp(isRefused: isRefused))
      }
      call.prepareRestart(after: channel.responseCount)
      call.waitingSince = now
      channel.waiting.prepend(call)
      schedule(at: call.nextDeadline)
    }

    /// Ends a call whose response is complete.
    func succeed(_ call: HTTP2Call) { end(call, .success(())) }

    private func end(_ call: HTTP2Call, _ ending: Result<Void, any Error>) {
      guard !call.isEnded else { return }
      call.isEnded = true
      call.list?.remove(call)
      call.connection = nil
      call.ending = ending
      if let continuation = call.continuation.take() {
        let result = ending.map { _ in
          HTTP2Outcome(status: call.status ?? 0, head: call.head, body: call.takeReceived(), trailers: call.trailers)
        }
        effects.resume(continuation, with: result)
      } else if let reader = call.reader.take() {
        // A reader waits only if there are no bytes.
        effects.resume(reader, with: ending.map { nil })
      }
      releaseTurn(of: call)
    }

    private func releaseTurn(of call: HTTP2Call) {
      if call.isStream { streams.release(call) } else { calls.release(call) }
      // A call that is started may fail at once, which releases its turn: that must not start the next one inside.
      guard phase == .running, !isStartingCalls else { return }
      isStartingCalls = true
      defer { isStartingCalls = false }
      while let next = calls.startNext() ?? streams.startNext() { route(next) }
    }

    /// Passes the head of a streamed response on.
    func deliverHead(of call: HTTP2Call) {
      guard let continuation = call.continuation.take() else { return }
      call.isDelivered = true
      let outcome = HTTP2Outcome(
        status: call.status ?? 0, head: call.head, body: nil, trailers: HTTP2FieldBlock())
      effects.resume(continuation, with: .success(outcome))
    }

    /// Passes the bytes of a streamed response on, or keeps the reader until there are some.
    func read(_ call: HTTP2Call, _ reader: CheckedContinuation<[UInt8]?, any Error>) {
      if case .failure(let error)? = call.ending, error is CancellationError {
        return effects.resume(reader, with: .failure(error))
      }
      if !call.received.isEmpty {
        let chunk = call.takeReceived()
        call.connection?.consume(chunk.count, of: call)
        return effects.resume(reader, with: .success(chunk))
      }
      if let ending = call.ending { return effects.resume(reader, with: ending.map { nil }) }
      call.reader = reader
      // Silence counts from now on: before, this side was the reason.
      call.lastActivity = now
      if Task.isCancelled { return cancel(call) }
      schedule(at: call.nextDeadline)
    }
  }

  // Connections.
  extension HTTP2Core {
    func add(_ connection: HTTP2Connection) -> UInt64 {
      lastToken += 1
      connections[lastToken] = connection
      return lastToken
    }

    func remove(_ connection: HTTP2Connection) {
      guard let removed = connections.removeValue(forKey: connection.token) else { return }
      // Frees the session and closes the socket later, outside the lock.
      effects.released.append(removed)
    }

    /// Records the progress of a connection's writer. Returns whether it has more to write.
    func hasWritten(_ connection: HTTP2Connection, _ progress: CurlChannel.Progress) -> Bool {
      readClock()
      return connection.hasWritten(progress)
    }

    /// Records that a connection was made, or could not be made.
    func dialEnded(_ endpoint: HTTP2Endpoint, _ result: Result<HTTP2DialedSocket, TransportError>) {
      readClock()
      guard phase == .running else {
        if case .success(let dialed) = result { effects.released.append(dialed.socket) }
        return
      }
      endpoint.channel.dialEnded(endpoint, result)
    }
  }
#endif
