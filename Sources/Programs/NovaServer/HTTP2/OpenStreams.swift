#if Server
  import NovaCore

  /// The number of open streams of a server's HTTP/2 connections.
  final class OpenStreams: Sendable {
    private let number = Locked(0)

    var count: Int { number.withLock { $0 } }

    func add(_ change: Int) { number.withLock { $0 += change } }
  }
#endif
