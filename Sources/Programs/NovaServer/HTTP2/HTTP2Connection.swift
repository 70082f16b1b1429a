#if Server
  import NIOCore
  import NIOHTTP2
  import NovaCore

  /// What the streams of an HTTP/2 connection share. Confined to the connection's event loop.
  final class HTTP2Connection {
    let application: Application
    let limits: ConnectionLimits
    let lease: MemoryLease
    let executor: EventLoopExecutor
    private let channel: any Channel
    private let streams: OpenStreams
    private var open: [ObjectIdentifier: HTTP2StreamHandler] = [:]
    /// Since when no stream is open; nil while one is.
    private var idleSince: NIODeadline?
    private var ticks: RepeatedTask?

    init(
      _ channel: any Channel, application: Application, limits: ConnectionLimits, lease: MemoryLease,
      streams: OpenStreams
    ) {
      (self.channel, self.application, self.limits) = (channel, application, limits)
      (self.lease, self.streams) = (lease, streams)
      executor = EventLoopExecutor(channel.eventLoop)
      idleSince = channel.eventLoop.now
      startTicking()
    }

    func opened(_ stream: HTTP2StreamHandler) {
      open[ObjectIdentifier(stream)] = stream
      streams.add(1)
      idleSince = nil
    }

    func closed(_ stream: HTTP2StreamHandler) {
      guard open.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
      streams.add(-1)
      if open.isEmpty { idleSince = channel.eventLoop.now }
    }

    /// Ends the connection at once, with all of its streams.
    func close() { channel.close(promise: nil) }

    /// Announces that no stream after `last` is processed, and that the connection takes no more.
    func sendGoAway(after last: HTTP2StreamID) {
      let frame = HTTP2Frame(
        streamID: .rootStream, payload: .goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil))
      channel.writeAndFlush(frame, promise: nil)
    }

    func ended() {
      ticks?.cancel()
      ticks = nil
    }

    private func startTicking() {
      let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
      ticks = channel.eventLoop.scheduleRepeatedTask(initialDelay: limits.period, delay: limits.period) { _ in
        bound.value.checkTimes()
      }
    }

    /// Ends streams that exceed a limit, and the connection if the client does not react to the request to close it.
    private func checkTimes() {
      for stream in open.values where stream.isLate(limits) { stream.output?.reset(.cancel) }
      if let idleSince, channel.eventLoop.now >= idleSince + limits.idle + limits.stall { close() }
    }
  }
#endif
