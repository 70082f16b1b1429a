#if Server
  import NIOCore

  import NovaLibc

  /// Holds back pipelined requests until the current one has its response, and pauses reading from the socket.
  ///
  /// Forwards requests in small slices, because a parsed request takes many times the memory of its bytes.
  final class InputGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let sliceSize = 2048
    /// Bytes of a body are not parsed, and take no additional memory.
    private static let bodySliceSize = 64 << 10

    private struct Held {
      var bytes: ByteBuffer
      let isLeased: Bool
    }

    /// How the bytes of a connection begin.
    enum Beginning {
      case http
      /// A TLS handshake.
      case tls
      /// HTTP/2 without an upgrade.
      case http2
    }

    private let lease: MemoryLease
    /// Nil before the first byte.
    private var firstBytes: Beginning?
    private var headEnd = HeadEnd()
    /// What is being parsed.
    private var slice = ByteBuffer()
    private var context: ChannelHandlerContext?
    private var held = CircularBuffer<Held>()
    private var isUploading = false
    /// The bytes that can be forwarded in large slices.
    private var bodyCount = 0
    private var isHolding = false
    private var isForwarding = false
    private var isReadPending = false
    /// Whether the client has closed its side after the held bytes.
    private var isEndPending = false
    /// Whether the server is stopping. Handlers that replace others ask, because only the earlier ones got the event.
    private(set) var isStopping = false

    init(_ lease: MemoryLease) { self.lease = lease }

    /// How the connection begins.
    var beginning: Beginning { firstBytes ?? .http }

    /// Whether what is being parsed begins with a request line, whatever its method is.
    var isAtRequestLine: Bool {
      let line = String(decoding: slice.readableBytesView.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return line.wholeMatch(of: /[!#$%&'*+\-.^_`|~0-9A-Za-z]+ [^ ]+ HTTP\/1\.[01]\r?/) != nil
    }

    /// Whether bytes have arrived that are not forwarded yet.
    var hasHeldBytes: Bool { !held.isEmpty }

    /// Forwards nothing until ``open()``, because a request is being handled.
    func hold() { isHolding = true }

    func open() { isHolding = false }

    /// Forwards the bytes of an upload in large slices. While they wait for the disk, one read of them can be in memory
    /// even if the lease has no room.
    ///
    /// - Parameter count: the announced number of bytes; 0 if it is unknown.
    func uploadBegins(_ count: Int) {
      isUploading = true
      bodyCount = max(0, count)
    }

    func uploadEnds() {
      isUploading = false
      bodyCount = 0
    }

    /// Forwards the held bytes.
    func drain() {
      guard let context, !isForwarding else { return }
      let hadBytes = !held.isEmpty
      while !isHolding, var first = held.popFirst() {
        let count = first.bytes.readableBytes
        forward(&first.bytes, to: context)
        if first.isLeased { lease.remove(count - first.bytes.readableBytes) }
        if first.bytes.readableBytes > 0 { held.prepend(first) }
      }
      if hadBytes { context.fireChannelReadComplete() }
      guard held.isEmpty else { return }
      if isEndPending {
        isEndPending = false
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      }
      if isReadPending, !isHolding {
        isReadPending = false
        context.read()
      }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var bytes = Self.unwrapInboundIn(data)
      if firstBytes == nil { firstBytes = Beginning(bytes) }
      if held.isEmpty { forward(&bytes, to: context) }
      guard bytes.readableBytes > 0 else { return }
      // No error response is possible: earlier responses have not been read.
      let isLeased = lease.add(bytes.readableBytes)
      guard isLeased || isUploading else { return context.close(promise: nil) }
      held.append(Held(bytes: bytes, isLeased: isLeased))
    }

    func read(context: ChannelHandlerContext) {
      guard !isHolding, held.isEmpty else { return isReadPending = true }
      context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed = event, !held.isEmpty { return isEndPending = true }
      if event is ChannelShouldQuiesceEvent { isStopping = true }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      for part in held where part.isLeased { lease.remove(part.bytes.readableBytes) }
      held.removeAll()
      context.fireChannelInactive()
    }

    /// Forwards bytes until the gate closes. A response that is sent at once opens the gate while this still runs.
    private func forward(_ bytes: inout ByteBuffer, to context: ChannelHandlerContext) {
      isForwarding = true
      defer { isForwarding = false }
      while !isHolding, bytes.readableBytes > 0,
        let slice = bytes.readSlice(length: sliceLength(of: bytes))
      {
        bodyCount = max(0, bodyCount - slice.readableBytes)
        self.slice = slice
        context.fireChannelRead(Self.wrapInboundOut(slice))
      }
      // Releases its memory.
      slice = ByteBuffer()
    }

    /// The next bytes to forward, at most to the end of a head: bytes after a request for another protocol are not HTTP.
    private func sliceLength(of bytes: ByteBuffer) -> Int {
      if bodyCount > 0 { return min(bytes.readableBytes, max(Self.sliceSize, min(bodyCount, Self.bodySliceSize))) }
      return bytes.withUnsafeReadableBytes { headEnd.count(in: $0.prefix(Self.sliceSize)) }
    }
  }

  /// Finds the empty lines at which heads of requests end.
  struct HeadEnd {
    private var isAfterLineBreak = false

    /// Returns the number of bytes up to and including the first empty line; all if there is none. The line may have begun
    /// in earlier bytes.
    mutating func count(in slice: Slice<UnsafeRawBufferPointer>) -> Int {
      let bytes = UnsafeRawBufferPointer(rebasing: slice)
      var place = 0
      while place < bytes.count {
        if isAfterLineBreak {
          place += 1
          switch bytes[place - 1] {
          case UInt8(ascii: "\n"):
            isAfterLineBreak = false
            return place
          case UInt8(ascii: "\r"): break
          default: isAfterLineBreak = false
          }
        } else {
          // `memchr` is far faster than a loop, and a body can be large.
          let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
          guard let start = rest.baseAddress, let found = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) else {
            return bytes.count
          }
          place += UnsafeRawPointer(found) - start + 1
          isAfterLineBreak = true
        }
      }
      return place
    }
  }

  extension InputGate.Beginning {
    fileprivate init(_ bytes: ByteBuffer) {
      let bytes = bytes.readableBytesView
      // A record of the type handshake, and the version that every client writes.
      if bytes.first == 0x16, bytes.count < 2 || bytes[bytes.startIndex + 1] == 0x03 {
        self = .tls
      } else {
        self = bytes.starts(with: "PRI * HTTP/2".utf8) ? .http2 : .http
      }
    }
  }
#endif
