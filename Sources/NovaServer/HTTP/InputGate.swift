#if Server
  import NIOCore

  /// Holds back pipelined requests until the current one has its response, and pauses reading from the socket.
  ///
  /// Forwards requests in small slices, because a parsed request takes many times the memory of its bytes.
  final class InputGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let sliceSize = 2048
    /// Bytes of a body are not parsed, and take no additional memory.
    private static let bodySliceSize = 64 << 10

    private let lease: MemoryLease
    private var context: ChannelHandlerContext?
    private var held = CircularBuffer<ByteBuffer>()
    /// The bytes that can be forwarded in large slices.
    private var bodyCount = 0
    private var isHolding = false
    private var isForwarding = false
    private var isReadPending = false
    /// Whether the client has closed its side after the held bytes.
    private var isEndPending = false

    init(_ lease: MemoryLease) { self.lease = lease }

    /// Forwards nothing until ``open()``, because a request is being handled.
    func hold() { isHolding = true }

    func open() { isHolding = false }

    /// Forwards the next bytes in large slices, because they are the body of a request.
    func expectBody(_ count: Int) { bodyCount = max(0, count) }

    /// Forwards the held bytes.
    func drain() {
      guard let context, !isForwarding else { return }
      let hadBytes = !held.isEmpty
      while !isHolding, var bytes = held.popFirst() {
        let count = bytes.readableBytes
        forward(&bytes, to: context)
        lease.remove(count - bytes.readableBytes)
        if bytes.readableBytes > 0 { held.prepend(bytes) }
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
      if held.isEmpty { forward(&bytes, to: context) }
      guard bytes.readableBytes > 0 else { return }
      // No error response is possible: earlier responses have not been read.
      guard lease.add(bytes.readableBytes) else { return context.close(promise: nil) }
      held.append(bytes)
    }

    func read(context: ChannelHandlerContext) {
      guard !isHolding, held.isEmpty else { return isReadPending = true }
      context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case ChannelEvent.inputClosed = event, !held.isEmpty { return isEndPending = true }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      for bytes in held { lease.remove(bytes.readableBytes) }
      held.removeAll()
      context.fireChannelInactive()
    }

    /// The response may be sent while its request is being forwarded, which opens the gate again.
    private func forward(_ bytes: inout ByteBuffer, to context: ChannelHandlerContext) {
      isForwarding = true
      defer { isForwarding = false }
      while !isHolding, bytes.readableBytes > 0,
        let slice = bytes.readSlice(
          length: min(bytes.readableBytes, max(Self.sliceSize, min(bodyCount, Self.bodySliceSize))))
      {
        bodyCount = max(0, bodyCount - slice.readableBytes)
        context.fireChannelRead(Self.wrapInboundOut(slice))
      }
    }
  }
#endif
