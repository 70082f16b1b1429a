#if Server
  import NIOCore
  import NIOHTTP2

  /// The handlers of an HTTP/2 connection.
  enum HTTP2Pipeline {
    static func configure(
      _ channel: any Channel, for application: Application, limits: ConnectionLimits, lease: MemoryLease,
      streams: OpenStreams
    ) throws {
      // HTTP/2 ends streams, not directions of the connection.
      try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
      let management = NIOHTTP2ServerConnectionManagementHandler(
        eventLoop: channel.eventLoop, configuration: HTTP2Limits.management(limits))
      let connection = HTTP2Connection(
        channel, application: application, limits: limits, lease: lease, streams: streams)
      let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
      let pipeline = channel.pipeline.syncOperations
      _ = try pipeline.configureHTTP2Pipeline(
        mode: .server, connectionConfiguration: HTTP2Limits.connection, streamConfiguration: HTTP2Limits.stream,
        streamDelegate: management.http2StreamDelegate
      ) { stream in
        stream.eventLoop.makeCompletedFuture {
          // The handler reads when it has room.
          try stream.syncOptions?.setOption(.autoRead, value: false)
          try stream.pipeline.syncOperations.addHandler(HTTP2StreamHandler(bound.value))
        }
      }
      try pipeline.addHandler(Activation())
      try pipeline.addHandler(management)
      try pipeline.addHandler(HTTP2ConnectionEnd(connection))
      pipeline.fireActivation()
    }
  }

  extension ChannelPipeline.SynchronousOperations {
    /// Informs the handlers that were added to an open connection.
    fileprivate func fireActivation() {
      guard let handler = try? handler(type: Activation.self) else { return }
      handler.fire()
    }
  }

  /// Fires `channelActive` for the handlers after it: the connection was open before they were added.
  private final class Activation: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func fire() { context?.fireChannelActive() }
  }

  /// Ends a connection whose protocol was violated, and the work of its streams with it.
  private final class HTTP2ConnectionEnd: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let connection: HTTP2Connection

    init(_ connection: HTTP2Connection) { self.connection = connection }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // The error of one stream ends that stream only.
      if error is NIOHTTP2Errors.StreamError { return }
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      connection.ended()
      context.fireChannelInactive()
    }
  }
#endif
