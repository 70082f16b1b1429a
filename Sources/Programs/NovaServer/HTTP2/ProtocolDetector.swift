#if Server
  import NIOCore

  /// Decides by a connection's first bytes whether it uses HTTP/2 with prior knowledge or HTTP/1.1, and then makes way.
  final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    enum Version: Sendable { case http1, http2 }

    /// How every HTTP/2 connection begins, as far as it matters: no request of HTTP/1.1 begins like this.
    static let preface = Array("PRI * HTTP/2.0".utf8)

    private let limit: TimeAmount
    /// Adds the handlers of the protocol.
    private let configure: (_ version: Version, _ channel: any Channel) throws -> Void
    private var bytes = ByteBuffer()
    private var timeout: Scheduled<Void>?

    /// - Parameter limit: how long a client may take for the first bytes.
    init(within limit: TimeAmount, configure: @escaping (Version, any Channel) throws -> Void) {
      (self.limit, self.configure) = (limit, configure)
    }

    /// The protocol of a connection that begins with these bytes; nil if they are too few.
    static func detect(_ bytes: some Collection<UInt8>) -> Version? {
      if bytes.starts(with: preface) { return .http2 }
      return preface.starts(with: bytes) ? nil : .http1
    }

    func handlerAdded(context: ChannelHandlerContext) {
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      timeout = context.eventLoop.scheduleTask(in: limit) { bound.value.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var more = Self.unwrapInboundIn(data)
      bytes.writeBuffer(&more)
      guard let found = Self.detect(bytes.readableBytesView) else { return }
      do {
        try configure(found, context.channel)
      } catch {
        return context.close(promise: nil)
      }
      let first = bytes
      bytes = ByteBuffer()
      context.fireChannelRead(Self.wrapInboundOut(first))
      context.fireChannelReadComplete()
      context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      // A client that has not begun waits for nothing.
      if event is ChannelShouldQuiesceEvent || (event as? ChannelEvent) == .inputClosed {
        return context.close(promise: nil)
      }
      context.fireUserInboundEventTriggered(event)
    }
  }
#endif
