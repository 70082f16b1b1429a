#if WebSocket
  import NIOWebSocket
  import NovaCore

  /// A violation by the peer, which closes the connection with a code and a reason.
  struct WebSocketViolation: Error, Hashable {
    let code: WebSocketCloseCode
    let reason: String

    private init(_ code: WebSocketCloseCode, _ reason: String) { (self.code, self.reason) = (code, reason) }

    static func malformed(_ reason: String) -> Self { Self(.protocolError, reason) }
    static func tooLarge(_ what: String, limit: Int) -> Self {
      Self(.messageTooLarge, "the \(what) is larger than \(limit) bytes")
    }
    static let invalidText = Self(.invalidText, "the text is not valid UTF-8")

    /// Reads an error of ``FrameLengthCheck`` or NIO's decoder.
    init?(_ error: any Error, _ limits: WebSocketLimits) {
      if let violation = error as? WebSocketViolation {
        self = violation
        return
      }
      switch error as? NIOWebSocketError {
      case .invalidFrameLength: self = .tooLarge("frame", limit: limits.maximumFrameBytes)
      case .fragmentedControlFrame: self = .malformed("a control frame is fragmented")
      case .multiByteControlFrameLength: self = .malformed("a control frame is longer than 125 bytes")
      case nil: return nil
      }
    }

    /// The error for the task that receives.
    var error: TransportError {
      let kind: TransportError.Kind = code == .messageTooLarge ? .responseTooLarge : .malformedResponse
      return TransportError(
        kind, "the WebSocket connection was closed with \(code)", reason: reason, requestMayHaveLeft: true)
    }
  }
#endif
