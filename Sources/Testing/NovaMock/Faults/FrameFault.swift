/// A fault in the frames of a call over gRPC.
package enum FrameFault: Error, Sendable, Hashable {
  /// The status OK without a message, in one frame of headers.
  case trailersOnly
  /// The messages, and an end without a status.
  case noTrailers
  /// The connection takes no more calls, and this one was not processed.
  case goAway
  case reset(ResetCode)
  /// The prefix of a message has flags that gRPC does not define.
  case badPrefix
  /// The request is not read, so the client cannot send more than the window allows.
  case stalledWindow
  /// A message ends before the length in its prefix.
  case truncatedMessage

  /// The error codes of HTTP/2 (RFC 9113, section 7).
  package enum ResetCode: String, Sendable, CaseIterable {
    case noError = "no_error"
    case protocolError = "protocol_error"
    case internalError = "internal_error"
    case flowControlError = "flow_control_error"
    case settingsTimeout = "settings_timeout"
    case streamClosed = "stream_closed"
    case frameSizeError = "frame_size_error"
    case refusedStream = "refused_stream"
    case cancel
    case compressionError = "compression_error"
    case connectError = "connect_error"
    case enhanceYourCalm = "enhance_your_calm"
    case inadequateSecurity = "inadequate_security"
    case http11Required = "http_1_1_required"

    /// The code on the wire.
    package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The faults without a parameter, by their names in rules.
  package static let named: [String: FrameFault] = [
    "trailers-only": .trailersOnly, "no trailers": .noTrailers, "goaway": .goAway, "bad prefix": .badPrefix,
    "stalled window": .stalledWindow, "truncated message": .truncatedMessage,
  ]

  /// Whether the call is executed.
  var executesCall: Bool {
    switch self {
    case .trailersOnly, .noTrailers, .badPrefix, .truncatedMessage: true
    case .goAway, .reset, .stalledWindow: false
    }
  }
}
