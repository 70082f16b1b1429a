import NovaLibc

#if Server
  import NIOCore
#endif

/// The number of files and sockets that this process can have open.
public enum DescriptorLimit {
  /// Raises the limit to the maximum. The usual 1024 would also limit the number of connections.
  public static func raise() {
    #if canImport(Glibc)
      let resource = Int32(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(.init(resource), &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(.init(resource), &limit)
  }
}

#if Server
  /// Stops accepting connections for a moment when the system has no descriptor or memory for another one. Open
  /// connections are served, and waiting ones are accepted later.
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

    /// Does nothing once the server is stopped.
    private func setReading(_ isReading: Bool, _ context: ChannelHandlerContext) {
      try? context.channel.syncOptions?.setOption(.autoRead, value: isReading)
    }
  }
#endif
