#if GRPC
  internal import CNovaHTTP2
  import NovaSupport

  // The end.
  extension HTTP2Connection {
    /// Takes no new calls, and closes once those on it have ended.
    func leave() {
      guard state != .leaving, state != .closed else { return }
      if state == .greeting { return fail(.closed) }
      state = .leaving
      endpoint.hasLost(self)
      if openStreams == 0 { close(.noError) }
    }

    /// Lets running calls end, because its address is not used anymore.
    func retire() { leave() }

    /// Takes no new calls if nothing arrived during most of the time since the last activity of a call whose time is up:
    /// the server may be gone, and the next attempt is to get another connection.
    func replaceIfSilent(since lastActivity: Int64) {
      let isSilent = core.now - silence.lastHeard >= (core.now - lastActivity) / 2
      if state == .ready, isSilent { leave() }
    }

    /// Closes it; its calls have ended.
    func close(_ code: HTTP2ErrorCode) {
      guard state != .closed else { return }
      state = .closed
      if let poller = core.poller { nova_h2_poller_remove(poller, socket.descriptor, token) }
      endpoint.hasLost(self)
      core.remove(self)
      session.leave(code)
      if isBlocked { socket.end() } else { flush() }
    }

    /// Closes it after a failure, and ends or restarts its calls.
    func fail(_ problem: HTTP2Problem) {
      guard state != .closed else { return }
      let wasGreeting = state == .greeting
      var problem = problem
      // The server may close before it was told why.
      if case .closed = problem, let invalidReason { problem = .invalid(invalidReason) }
      let failure = HTTP2ConnectionFailure(problem, of: self, leaveCode: leaveCode, core.options)
      close(problem.code)
      deliverReadable()
      calls.forEach { call in
        // The session is still used until its last frame is written.
        session.forget(call.stream)
        if call.mayHaveLeft {
          core.finishClosed(call, throwing: failure.error(of: call))
        } else {
          core.restart(call, isRefused: false)
        }
      }
      // Otherwise, a server that accepts connections and serves nothing would be dialed again and again.
      if wasGreeting || !hasServed { endpoint.hasFailed(failure.errorWithoutCall) }
      endpoint.channel.dispatch()
    }

    /// Sends a ping, and ends the connection if nothing arrives.
    func ping(timeout: Duration) {
      session.ping()
      silence.expect(until: core.now.addingClamped(timeout.clampedNanoseconds))
      scheduleCheck()
      flush()
    }

    /// Looks at its deadlines.
    func check() {
      if silence.isTooLong(at: core.now) { return fail(.silent) }
      if let interval = pingInterval, silence.needsPing(at: core.now, interval: interval) {
        return ping(timeout: core.options.pingTimeout)
      }
      scheduleCheck()
    }

    func scheduleCheck() { core.schedule(at: silence.nextCheck(at: core.now, interval: pingInterval)) }

    /// The interval of pings; nil while no stream is open.
    private var pingInterval: Int64? {
      guard openStreams > 0, state == .ready || state == .leaving else { return nil }
      return endpoint.pingInterval?.clampedNanoseconds
    }
  }
#endif
