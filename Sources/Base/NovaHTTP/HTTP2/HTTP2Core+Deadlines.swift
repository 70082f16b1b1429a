#if GRPC
  import NovaSupport

  // The reader's deadlines, and the end.
  extension HTTP2Core {
    /// How long the reader may sleep, in milliseconds; nil if it must end.
    func prepareSleep() -> Int32? {
      guard phase == .running else { return nil }
      readClock()
      if now >= nextCheck { check() }
      readerSleepsUntil = nextCheck
      if nextCheck == .max { return -1 }
      // Rounded up, because waking just before a deadline would repeat the wait again and again.
      return Int32(clamping: max(0, (nextCheck - now).addingClamped(999_999) / 1_000_000))
    }

    func endSleep() { readerSleepsUntil = .min }

    private func check() {
      nextCheck = .max
      for list in [calls.waiting, streams.waiting] { list.forEach(check) }
      for channel in channels.values {
        channel.waiting.forEach(check)
        channel.check()
      }
      for connection in connections.values {
        connection.calls.forEach(check)
        connection.check()
      }
    }

    private func check(_ call: HTTP2Call) {
      if let error = HTTP2Failure(call, options).overdue(at: now) {
        call.connection?.replaceIfSilent(since: call.lastActivity)
        finish(call, throwing: error)
      } else {
        schedule(at: call.nextDeadline)
      }
    }

    func stop() {
      guard phase == .running else {
        if phase == .notStarted { phase = .ended }
        return
      }
      phase = .stopping
      let lists = [calls.waiting, streams.waiting] + channels.values.map(\.waiting) + connections.values.map(\.calls)
      for list in lists {
        list.forEach { call in finish(call, throwing: TransportError.shutDown(requestMayHaveLeft: call.mayHaveLeft)) }
      }
      for connection in connections.values { connection.close(.noError) }
      for channel in channels.values { channel.removeAll() }
      channels = [:]
      effects.mustWakeReader = true
    }

    func awaitEnd(_ continuation: CheckedContinuation<Void, Never>) {
      if phase == .stopping { endWaiters.append(continuation) } else { effects.resume(continuation) }
    }

    /// Called by the reader when it ends.
    func readerHasEnded() -> OpaquePointer? {
      phase = .ended
      for waiter in endWaiters { effects.resume(waiter) }
      endWaiters = []
      return poller.take()
    }
  }
#endif
