#if Server
  import NIOCore

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #else
    import Darwin
  #endif

  /// Stops accepting for a moment when the system has no descriptor or memory for one more connection. Those that are open
  /// are served, and those that wait are accepted later.
  ///
  /// NIO's own `AcceptBackoffHandler` delays the next read, but a read that failed stays pending: the socket remains
  /// registered, and the event loop is woken for it again at once.
  final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let exhausted: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let duration: TimeAmount
    private var isPaused = false

    init(_ duration: TimeAmount = .milliseconds(100)) { self.duration = duration }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard let error = error as? IOError else { return context.fireErrorCaught(error) }
      // Any other error means that the client disconnected before it was accepted.
      guard Self.exhausted.contains(error.errnoCode), !isPaused else { return }
      isPaused = true
      setReading(false, context)
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      context.eventLoop.scheduleTask(in: duration) {
        let (handler, context) = bound.value
        handler.isPaused = false
        handler.setReading(true, context)
      }
    }

    /// Does nothing to a server that has been stopped.
    private func setReading(_ isReading: Bool, _ context: ChannelHandlerContext) {
      try? context.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
  }
#endif
