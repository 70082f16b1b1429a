#if Server
  import NIOCore
  import NIOHPACK
  import NIOHTTP2
  import NovaCore

  /// What handles the request of a stream. Confined to the event loop of the connection.
  protocol StreamExchange: AnyObject {
    /// Starts to read the body.
    func begin()
    /// Takes a part of the body, and reads more when it has room.
    func receive(_ bytes: ByteBuffer)
    /// The request has ended.
    func inputEnded()
    /// The client does not wait for the response, or cannot get it.
    func cancel()
  }

  /// One stream of an HTTP/2 connection: one request with its response.
  final class HTTP2StreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: HTTP2Connection
    private(set) var output: StreamOutput?
    private var exchange: (any StreamExchange)?
    /// Since when the request is arriving; nil once it has arrived.
    private var receivingSince: NIODeadline?

    init(_ connection: HTTP2Connection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) {
      output = StreamOutput(context, connection)
      receivingSince = context.eventLoop.now
      connection.opened(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelActive(context: ChannelHandlerContext) {
      context.fireChannelActive()
      context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch Self.unwrapInboundIn(data) {
      case .headers(let head) where exchange == nil: begin(head.headers, endStream: head.endStream)
      // Trailers of a request mean nothing here.
      case .headers(let head): if head.endStream { inputEnded() } else { output?.read() }
      case .data(let part):
        if case .byteBuffer(let bytes) = part.data { exchange?.receive(bytes) }
        if part.endStream { inputEnded() }
      // Frames such as a larger window: they have used up the read that was meant for the body.
      default: output?.read()
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      exchange?.cancel()
      context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    /// Whether a limit of time is exceeded.
    func isLate(_ limits: ConnectionLimits) -> Bool {
      guard let now = output?.eventLoop.now else { return false }
      if let start = output?.waitingSince, now >= start + limits.stall { return true }
      return receivingSince.map { now >= $0 + limits.request } ?? false
    }

    private func begin(_ headers: HPACKHeaders, endStream: Bool) {
      guard let output else { return }
      let head = HTTP2RequestHead(headers)
      // The path of a method with another content type is refused as gRPC.
      let isGRPC = GRPCContentType.isGRPC(head.headers["content-type"]) || GRPCMethod.exists(head.path)
      exchange =
        isGRPC ? GRPCExchange(head, output) : JSONExchange(head, output, announcesBody: !endStream)
      if endStream { inputEnded() } else { exchange?.begin() }
    }

    private func inputEnded() {
      receivingSince = nil
      output?.isInputEnded = true
      exchange?.inputEnded()
    }

    private func end() {
      output?.closed()
      exchange?.cancel()
      (exchange, output) = (nil, nil)
      connection.closed(self)
    }
  }
#endif
