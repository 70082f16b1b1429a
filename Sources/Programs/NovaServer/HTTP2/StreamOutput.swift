#if Server
  import NIOCore
  import NIOHPACK
  import NIOHTTP2

  /// Writes the response of one HTTP/2 stream. Confined to the event loop of the connection.
  final class StreamOutput {
    private typealias Payload = HTTP2Frame.FramePayload

    let connection: HTTP2Connection
    private let context: ChannelHandlerContext
    private(set) var hasHead = false
    /// Whether nothing more can be written: the response has ended, or the stream is closed.
    private(set) var isEnded = false
    private var isClosed = false
    /// Since when the client has not taken what was written; nil if nothing waits.
    private(set) var waitingSince: NIODeadline?
    /// Whether the client has sent the whole request.
    var isInputEnded = false

    init(_ context: ChannelHandlerContext, _ connection: HTTP2Connection) {
      (self.context, self.connection) = (context, connection)
    }

    var eventLoop: any EventLoop { context.eventLoop }

    /// The number of the stream.
    var id: HTTP2StreamID? { try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID) }

    /// Reads more of the request.
    func read() { if !isEnded { context.read() } }

    /// Writes the head of a response. With `endStream`, it is the whole response.
    func writeHead(_ headers: HPACKHeaders, endStream: Bool = false) {
      guard !isEnded else { return }
      hasHead = true
      if endStream { return end(with: headers) }
      context.write(NIOAny(Payload.headers(.init(headers: headers))), promise: nil)
    }

    func flush() { context.flush() }

    /// Writes a part of the body, and returns once the client's window had room for it; false if the stream has ended.
    func write(_ bytes: [UInt8], endStream: Bool = false) async -> Bool {
      guard let written = begin(bytes, endStream: endStream) else { return false }
      context.flush()
      do {
        try await written.get()
        return true
      } catch {
        return false
      }
    }

    /// Begins to write a part of the body; nil if the stream has ended.
    @discardableResult
    func begin(_ bytes: [UInt8], endStream: Bool = false) -> EventLoopFuture<Void>? {
      if isEnded { return nil }
      if endStream { isEnded = true }
      waitingSince = eventLoop.now
      let promise = eventLoop.makePromise(of: Void.self)
      let data = Payload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: endStream))
      context.write(NIOAny(data), promise: promise)
      promise.futureResult.assumeIsolated().whenComplete { _ in
        self.waitingSince = nil
        if endStream { self.dropInput() }
      }
      return promise.futureResult
    }

    /// Writes the trailers, which end the response.
    func end(with trailers: HPACKHeaders) {
      guard !isEnded else { return }
      isEnded = true
      let promise = eventLoop.makePromise(of: Void.self)
      context.writeAndFlush(NIOAny(Payload.headers(.init(headers: trailers, endStream: true))), promise: promise)
      promise.futureResult.assumeIsolated().whenSuccess { self.dropInput() }
    }

    /// Ends the stream at once. The client receives the error code.
    func reset(_ code: NIOHTTP2.HTTP2ErrorCode) {
      guard !isClosed else { return }
      isEnded = true
      context.writeAndFlush(NIOAny(Payload.rstStream(code)), promise: nil)
    }

    func closed() {
      (isEnded, isClosed) = (true, true)
      waitingSince = nil
    }

    /// A client that still sends its request need not: the response does not depend on the rest.
    private func dropInput() { if !isInputEnded { reset(.noError) } }
  }
#endif
