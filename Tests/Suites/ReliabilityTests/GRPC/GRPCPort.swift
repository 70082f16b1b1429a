#if GRPC
  import NIOCore
  import NIOHPACK
  import NIOHTTP2
  import NIOPosix
  import NovaCore

  /// A gRPC server on a loopback port. A transport answers its calls, as one that calls gRPC would get them.
  final class GRPCPort: Sendable {
    let url: String
    private let listener: any Channel
    private let connections = Locked<[any Channel]>([])

    init(answering transport: any HTTPTransport) async throws {
      let connections = connections
      let origin = try HTTPURL(parsingService: "grpc://127.0.0.1:1").origin
      listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .childChannelInitializer { channel in
          connections.withLock { $0.append(channel) }
          return channel.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
          ) {
            stream in
            stream.eventLoop.makeCompletedFuture {
              try stream.pipeline.syncOperations.addHandler(GRPCPortStream(transport, origin))
            }
          }.map { _ in }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      url = "grpc://127.0.0.1:\(listener.localAddress?.port ?? 0)"
    }

    func stop() async {
      try? await listener.close()
      for connection in connections.withLock({ $0 }) { try? await connection.close() }
    }
  }

  /// One call.
  private final class GRPCPortStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let transport: any HTTPTransport
    private let origin: HTTPOrigin
    private var head = HPACKHeaders()
    private var body: [UInt8] = []
    private var task: Task<Void, Never>?

    init(_ transport: any HTTPTransport, _ origin: HTTPOrigin) { (self.transport, self.origin) = (transport, origin) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .headers(let headers):
        head = headers.headers
        if headers.endStream { answer(context.channel) }
      case .data(let data):
        if case .byteBuffer(let bytes) = data.data { body += bytes.readableBytesView }
        if data.endStream { answer(context.channel) }
      default: break
      }
    }

    func channelInactive(context: ChannelHandlerContext) { task?.cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ channel: any Channel) {
      var headers = HTTPHeaders()
      for field in head where !field.name.hasPrefix(":") { headers.append(name: field.name, value: field.value) }
      var request = HTTPRequest(
        method: .post, url: HTTPURL(origin, target: head.first(name: ":path") ?? "/"), headers: headers, body: body)
      request.streamsResponse = true
      task = Task { [request, transport] in await GRPCPortAnswer(channel: channel).send(request, over: transport) }
    }
  }

  /// Writes the answer to a call.
  private struct GRPCPortAnswer: Sendable {
    let channel: any Channel

    func send(_ request: HTTPRequest, over transport: any HTTPTransport) async {
      do {
        let response = try await transport.send(request)
        guard response.isSuccess else { return try await write(response.headers, isLast: true, status: "200") }
        try await write(response.headers, isLast: false, status: "200")
        if let message = response.body.bytes {
          var frame = [UInt8](repeating: 0, count: GRPCFrames.prefixLength) + message
          GRPCFrames.fillPrefix(of: &frame)
          try await write(frame)
        } else {
          for try await chunk in response.body { try await write(chunk) }
        }
        try await write(["grpc-status": "0"], isLast: true)
      } catch let failure as FailureInTrailers {
        try? await write(failure.headers, isLast: true)
      } catch {
        // Nothing is known of the call.
        try? await channel.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.internalError))
      }
    }

    private func write(_ fields: HTTPHeaders, isLast: Bool, status: String? = nil) async throws {
      var headers = HPACKHeaders(status.map { [(":status", $0)] } ?? [])
      for field in fields { headers.add(name: field.name.lowercased(), value: field.value) }
      try await channel.writeAndFlush(HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: isLast)))
    }

    private func write(_ bytes: [UInt8]) async throws {
      try await channel.writeAndFlush(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)))))
    }
  }
#endif
