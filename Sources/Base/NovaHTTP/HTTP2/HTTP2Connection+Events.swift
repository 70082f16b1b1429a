#if GRPC
  import NovaSupport

  // Events of the session.
  extension HTTP2Connection {
    func receiveSettings() {
      invalidReason = nil
      room.limit = session.maximumStreams
      if state == .greeting {
        state = .ready
        silence.hear(at: core.now)
        endpoint.hasConnected()
      }
      endpoint.channel.dispatch()
    }

    func receivePong() {
      invalidReason = nil
      guard state == .checking else { return }
      state = .ready
      endpoint.channel.dispatch()
    }

    func receiveFields(of call: HTTP2Call, isLast: Bool) {
      call.lastActivity = core.now
      // The session continues, so the refused frame belonged to one stream.
      invalidReason = nil
      if call.endFields(), call.isStreamed, !isLast { core.deliverHead(of: call) }
    }

    func receiveData(_ bytes: UnsafeBufferPointer<UInt8>, of call: HTTP2Call) {
      call.lastActivity = core.now
      guard call.add(bytes) else { return core.endFailed(call) }
      if !call.isDelivered {
        session.consume(bytes.count, of: call.stream)
      } else if call.reader != nil {
        expectReading(of: call)
      }
    }

    func receiveEnd(of call: HTTP2Call) {
      call.isComplete = true
      hasServed = true
      endpoint.channel.responseCount += 1
      endpoint.hasServed()
      // A server may respond before it has the whole request. Then the rest is not needed.
      if call.isSent { session.forget(call.stream) } else { reset(call, .noError) }
      // Its last bytes are delivered before its end.
      deliverReadable()
      core.succeed(call)
    }

    func streamClosed(_ call: HTTP2Call?, _ code: UInt32) {
      guard state != .closed else { return }
      openStreams -= 1
      if let call { close(call, HTTP2ErrorCode(rawValue: code)) }
      if openStreams == 0, state == .leaving { close(.noError) }
      endpoint.channel.dispatch()
    }

    private func close(_ call: HTTP2Call, _ code: HTTP2ErrorCode) {
      deliverReadable()
      let reset = call.resetCode.map { HTTP2ErrorCode(rawValue: $0) }
      let wasUnprocessed = call.status == nil && (call.position == nil || code == .refusedStream)
      if wasUnprocessed, call.failure == nil {
        if reset != nil { room.refuse(openStreams: openStreams, at: core.now) }
        return core.restart(call, isRefused: reset != nil)
      }
      core.finishClosed(call, throwing: HTTP2Failure(call, core.options).reset(reset, closedWith: code))
    }

    func receiveGoAway(_ code: HTTP2ErrorCode, text: UnsafeBufferPointer<UInt8>) {
      leaveCode = code
      if code == .enhanceYourCalm, text.elementsEqual("too_many_pings".utf8) { endpoint.slowPings() }
      leave()
    }
  }
#endif
