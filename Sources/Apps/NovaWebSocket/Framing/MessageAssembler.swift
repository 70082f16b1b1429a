#if WebSocket
  import NIOCore
  import NIOWebSocket

  /// The side of a connection. Clients mask their frames; servers do not.
  package enum WebSocketRole: Sendable {
    case client
    case server
  }

  /// What the peer's frames contain.
  enum WebSocketInput: Equatable {
    case message(WebSocketMessage)
    case ping(ByteBuffer)
    case pong(ByteBuffer)
    case close(WebSocketClosure)
  }

  /// Assembles messages from the peer's frames, and checks every rule of RFC 6455 that NIO's decoder and
  /// ``FrameLengthCheck`` do not check.
  struct MessageAssembler {
    private let role: WebSocketRole
    private let limits: WebSocketLimits
    private var fragments: Fragments?

    private struct Fragments {
      let isText: Bool
      var bytes = ByteBuffer()
      var check = UTF8Check()
    }

    /// - Parameter role: the role of this side. The frames are those of the other side.
    init(_ role: WebSocketRole, _ limits: WebSocketLimits) { (self.role, self.limits) = (role, limits) }

    /// Adds the next frame; nil if its message is not complete yet.
    mutating func take(_ frame: WebSocketFrame) throws(WebSocketViolation) -> WebSocketInput? {
      guard frame.reservedBits.isEmpty else { throw .malformed("a reserved bit is set without an extension") }
      guard (frame.maskKey != nil) == (role == .server) else {
        throw .malformed(role == .server ? "a client's frame is not masked" : "a server's frame is masked")
      }
      switch frame.opcode {
      case .text, .binary:
        guard fragments == nil else { throw .malformed("a message begins inside another one") }
        return try append(frame, to: Fragments(isText: frame.opcode == .text))
      case .continuation:
        guard let fragments else { throw .malformed("a continuation frame continues nothing") }
        self.fragments = nil
        return try append(frame, to: fragments)
      case .ping: return .ping(frame.unmaskedData)
      case .pong: return .pong(frame.unmaskedData)
      case .connectionClose: return .close(try closure(frame.unmaskedData))
      default: throw .malformed("the opcode is unknown")
      }
    }

    private mutating func append(
      _ frame: WebSocketFrame, to fragments: consuming Fragments
    ) throws(WebSocketViolation) -> WebSocketInput? {
      guard frame.data.readableBytes <= limits.maximumMessageBytes - fragments.bytes.readableBytes else {
        throw .tooLarge("message", limit: limits.maximumMessageBytes)
      }
      var data = frame.unmaskedData
      if fragments.isText {
        guard data.withUnsafeReadableBytes({ fragments.check.accepts($0) }) else { throw .invalidText }
        guard !frame.fin || fragments.check.isComplete else { throw .invalidText }
      }
      fragments.bytes.writeBuffer(&data)
      guard frame.fin else {
        self.fragments = fragments
        return nil
      }
      let bytes = fragments.bytes.readableBytesView
      return .message(fragments.isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(Array(bytes)))
    }

    private func closure(_ payload: ByteBuffer) throws(WebSocketViolation) -> WebSocketClosure {
      var payload = payload
      guard payload.readableBytes > 0 else { return WebSocketClosure(code: .noCode) }
      guard let number = payload.readInteger(as: UInt16.self) else {
        throw .malformed("the close frame has half a code")
      }
      let code = WebSocketCloseCode(rawValue: number)
      guard code.isSendable else { throw .malformed("the close code \(number) is invalid") }
      var check = UTF8Check()
      guard payload.withUnsafeReadableBytes({ check.accepts($0) }), check.isComplete else { throw .invalidText }
      return WebSocketClosure(code: code, reason: String(decoding: payload.readableBytesView, as: UTF8.self))
    }
  }
#endif
