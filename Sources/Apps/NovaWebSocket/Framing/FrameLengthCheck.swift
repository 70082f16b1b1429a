#if WebSocket
  import NIOCore
  import NovaCore

  /// Checks that a frame's length has no more bytes than it needs (RFC 6455, section 5.2), which NIO's decoder does not
  /// check. Also notes when bytes arrive.
  final class FrameLengthCheck: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let clock: any CallClock
    private var header = FrameHeader()
    /// The number of payload bytes that have not arrived yet.
    private var rest: UInt64 = 0
    private var hasFailed = false
    /// When the last bytes arrived.
    private(set) var lastRead: ContinuousClock.Instant

    init(clock: any CallClock) { (self.clock, lastRead) = (clock, clock.now) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      lastRead = clock.now
      if hasFailed { return }
      let bytes = Self.unwrapInboundIn(data)
      guard let end = indexOfViolation(in: bytes.readableBytesView) else { return context.fireChannelRead(data) }
      hasFailed = true
      if let valid = bytes.getSlice(at: bytes.readerIndex, length: end - bytes.readerIndex), valid.readableBytes > 0 {
        context.fireChannelRead(Self.wrapInboundOut(valid))
      }
      context.fireErrorCaught(WebSocketViolation.malformed("the length of a frame has more bytes than it needs"))
    }

    /// The index of the first frame, or of the rest of its header, that violates the rule; nil if all frames are valid.
    private func indexOfViolation(in bytes: ByteBufferView) -> Int? {
      var (index, start) = (bytes.startIndex, bytes.startIndex)
      while index < bytes.endIndex {
        if rest > 0 {
          let count = Int(min(rest, UInt64(bytes.endIndex - index)))
          rest -= UInt64(count)
          index += count
          start = index
          continue
        }
        header.bytes.append(bytes[index])
        index += 1
        guard header.isComplete else { continue }
        if !header.isMinimal { return start }
        rest = header.payloadLength
        header.bytes.removeAll(keepingCapacity: true)
        start = index
      }
      return nil
    }
  }

  /// The bytes of a frame's header that have arrived.
  private struct FrameHeader {
    var bytes: [UInt8] = []

    private var isMasked: Bool { bytes[1] & 0x80 != 0 }

    /// The number of additional bytes for the length.
    private var lengthBytes: Int {
      switch bytes[1] & 0x7F {
      case 126: 2
      case 127: 8
      default: 0
      }
    }

    var isComplete: Bool { bytes.count >= 2 && bytes.count == 2 + lengthBytes + (isMasked ? 4 : 0) }

    var payloadLength: UInt64 {
      lengthBytes == 0 ? UInt64(bytes[1] & 0x7F) : bytes[2..<2 + lengthBytes].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the length would not fit in a shorter form.
    var isMinimal: Bool {
      switch lengthBytes {
      case 2: payloadLength > 125
      case 8: payloadLength > UInt64(UInt16.max)
      default: true
      }
    }
  }
#endif
