#if WebSocket
  import NIOCore
  import NIOWebSocket

  extension WebSocketFrame {
    /// Creates a frame to send. A client's frame is masked with a random key, so that proxies cannot mistake its bytes
    /// for a request.
    init(_ opcode: WebSocketOpcode, _ data: ByteBuffer, from role: WebSocketRole) {
      self.init(fin: true, opcode: opcode, maskKey: role == .client ? .random() : nil, data: data)
    }

    init(_ message: WebSocketMessage, from role: WebSocketRole) {
      switch message {
      case .text(let text): self.init(.text, ByteBuffer(string: text), from: role)
      case .binary(let bytes): self.init(.binary, ByteBuffer(bytes: bytes), from: role)
      }
    }

    /// Creates a close frame, which has no payload if the closure has no code.
    init(_ closure: WebSocketClosure, from role: WebSocketRole) {
      var payload = ByteBuffer()
      if closure.code != .noCode {
        payload.writeInteger(closure.code.rawValue)
        payload.writeString(closure.reason.prefix(utf8Bytes: Self.maximumReasonBytes))
      }
      self.init(.connectionClose, payload, from: role)
    }

    private static var maximumReasonBytes: Int { 123 }
  }

  extension String {
    /// As many complete characters as fit.
    fileprivate func prefix(utf8Bytes limit: Int) -> String {
      guard utf8.count > limit else { return self }
      var count = 0
      return String(
        unicodeScalars.prefix { scalar in
          count += UTF8.width(scalar)
          return count <= limit
        })
    }
  }
#endif
