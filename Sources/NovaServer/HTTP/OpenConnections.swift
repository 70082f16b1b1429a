#if Server
  import NIOCore
  import NovaCore

  /// The connections of a server, so that they end with it.
  final class OpenConnections: Sendable {
    private let channels = Locked<[ObjectIdentifier: any Channel]>([:])

    var count: Int { channels.withLock { $0.count } }

    func insert(_ channel: any Channel) {
      let id = ObjectIdentifier(channel)
      channels.withLock { $0[id] = channel }
      channel.closeFuture.whenComplete { _ in self.channels.withLock { $0[id] = nil } }
    }

    /// Closes those that are idle at once, the others behind their answer, and what is left after `grace`.
    func close(within grace: TimeAmount, on eventLoop: any EventLoop) async {
      let open = channels.withLock { Array($0.values) }
      for channel in open { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
      let end = eventLoop.scheduleTask(in: grace) { for channel in open { channel.close(promise: nil) } }
      _ = try? await EventLoopFuture.andAllComplete(open.map(\.closeFuture), on: eventLoop).get()
      end.cancel()
    }
  }
#endif
