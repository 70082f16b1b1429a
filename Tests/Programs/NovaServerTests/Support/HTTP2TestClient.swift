import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NovaCore
import Testing

@testable import NovaServer

/// One HTTP/2 connection of a client, whose streams the test controls.
final class HTTP2TestClient: Sendable {
  private let channel: any Channel
  private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
  private let frames: ConnectionFrames

  /// The GOAWAY frames so far: the last stream of each.
  var goAways: [Int] { frames.goAways.withLock { $0 } }
  var isClosed: Bool { !channel.isActive }

  private init(_ channel: any Channel, _ multiplexer: NIOHTTP2Handler.StreamMultiplexer, frames: ConnectionFrames) {
    (self.channel, self.multiplexer, self.frames) = (channel, multiplexer, frames)
  }

  static func connect(to port: UInt16) async throws -> HTTP2TestClient {
    let frames = ConnectionFrames()
    let (channel, multiplexer) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: Int(port)) { channel in
        channel.eventLoop.makeCompletedFuture {
          let multiplexer = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .client, connectionConfiguration: .init(), streamConfiguration: .init()
          ) { $0.eventLoop.makeSucceededVoidFuture() }
          try channel.pipeline.syncOperations.addHandler(frames)
          return (channel, multiplexer)
        }
      }
    return HTTP2TestClient(channel, multiplexer, frames: frames)
  }

  /// Begins a request.
  ///
  /// - Parameter reads: whether what arrives is read at once. Default: true.
  func open(_ headers: [(String, String)], endStream: Bool = false, reads: Bool = true) async throws -> HTTP2TestStream
  {
    let collector = StreamCollector()
    let promise = channel.eventLoop.makePromise(of: (any Channel).self)
    multiplexer.createStreamChannel(promise: promise) { stream in
      stream.eventLoop.makeCompletedFuture {
        if !reads { try stream.syncOptions?.setOption(.autoRead, value: false) }
        try stream.pipeline.syncOperations.addHandler(collector)
      }
    }
    let stream = HTTP2TestStream(try await promise.futureResult.get(), collector)
    try await stream.send(.headers(.init(headers: HPACKHeaders(headers), endStream: endStream)))
    return stream
  }

  func close() async { try? await channel.close() }
}

/// One stream of a test's connection.
final class HTTP2TestStream: Sendable {
  private let channel: any Channel
  private let collector: StreamCollector

  fileprivate init(_ channel: any Channel, _ collector: StreamCollector) {
    (self.channel, self.collector) = (channel, collector)
  }

  /// What has arrived so far.
  var answer: HTTP2TestAnswer { collector.answer.withLock { $0 } }

  fileprivate func send(_ payload: HTTP2Frame.FramePayload) async throws { try await channel.writeAndFlush(payload) }

  func send(_ bytes: [UInt8], endStream: Bool = false) async throws {
    try await send(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: endStream)))
  }

  /// Begins to send bytes, which may wait for the server's window.
  func begin(_ bytes: [UInt8]) {
    channel.writeAndFlush(
      HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
  }

  /// Allows the server to send one more byte.
  func enlargeWindow() async throws { try await send(.windowUpdate(windowSizeIncrement: 1)) }

  func reset() async throws { try await send(.rstStream(.cancel)) }

  /// Reads one more part, of a stream that does not read by itself.
  func read() { channel.read() }

  /// Waits until the stream has ended, in whatever way.
  @discardableResult
  func ended() async -> HTTP2TestAnswer {
    try? await channel.closeFuture.get()
    return answer
  }
}

/// What a server has sent on one stream.
struct HTTP2TestAnswer: Sendable {
  var head: HPACKHeaders?
  var body: [UInt8] = []
  var trailers: HPACKHeaders?
  /// Whether the server ended the stream as a response ends.
  var hasEnded = false
  /// The code of RST_STREAM; nil without one, or if it says NO_ERROR after the response.
  var reset: NIOHTTP2.HTTP2ErrorCode?

  var httpStatus: String? { head?.first(name: ":status") }
  /// The fields with the status of gRPC.
  var statusFields: HPACKHeaders { trailers ?? head ?? [:] }
  var status: String? { statusFields.first(name: "grpc-status") }
  var message: String? { statusFields.first(name: "grpc-message") }

  /// The messages without their prefixes.
  var messages: [[UInt8]] {
    var (messages, rest) = ([[UInt8]](), body[...])
    while rest.count >= 5 {
      let length = rest.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 5 + length else { break }
      messages.append(Array(rest.dropFirst(5).prefix(length)))
      rest = rest.dropFirst(5 + length)
    }
    return messages
  }

  /// The binary fields with the details of a failure, as JSON.
  var details: [JSONValue] {
    guard let text = statusFields.first(name: "grpc-status-details-bin"), let bytes = Base64.decode(text) else {
      return []
    }
    let status = WireMessage(bytes)
    return status?.bytes(3).map { detail in
      let fields = WireMessage(detail)
      return [
        "type": .string(fields?.validText(1) ?? ""),
        "value": .string(Hexadecimal.encode(Array(fields?.bytes(2).last ?? []))),
      ]
    } ?? []
  }
}

private final class StreamCollector: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTP2Frame.FramePayload

  let answer = Locked(HTTP2TestAnswer())

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let payload = Self.unwrapInboundIn(data)
    answer.withLock { answer in
      switch payload {
      case .headers(let headers):
        if answer.head == nil { answer.head = headers.headers } else { answer.trailers = headers.headers }
        if headers.endStream { answer.hasEnded = true }
      case .data(let part):
        if case .byteBuffer(let bytes) = part.data { answer.body += bytes.readableBytesView }
        if part.endStream { answer.hasEnded = true }
      default: break
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? NIOHTTP2Errors.StreamClosed {
      answer.withLock { if error.errorCode != .noError || !$0.hasEnded { $0.reset = error.errorCode } }
    }
  }
}

private final class ConnectionFrames: ChannelInboundHandler, Sendable {
  typealias InboundIn = HTTP2Frame

  let goAways = Locked<[Int]>([])

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .goAway(let last, _, _) = Self.unwrapInboundIn(data).payload { goAways.withLock { $0.append(Int(last)) } }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
