public import NovaSupport

/// The reason why a request has no complete response.
public struct TransportError: NovaError, Hashable {
  /// The kind of failure. It is open: later versions may add kinds.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// A stable name, for example `connectionRefused`.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// The URL cannot be used with this transport.
    public static let invalidURL = Kind(rawValue: "invalidURL")
    /// A header name or value is invalid (line breaks, NUL, empty name).
    public static let invalidHeader = Kind(rawValue: "invalidHeader")
    /// The host name could not be resolved.
    public static let nameResolution = Kind(rawValue: "nameResolution")
    /// Nothing accepts connections at that address.
    public static let connectionRefused = Kind(rawValue: "connectionRefused")
    /// The connection failed for another reason.
    public static let connectionFailed = Kind(rawValue: "connectionFailed")
    /// The TLS handshake or the certificate check failed.
    public static let tls = Kind(rawValue: "tls")
    /// No connection within ``TransferLimits/connectTimeout``.
    public static let connectTimeout = Kind(rawValue: "connectTimeout")
    /// No byte within ``TransferLimits/idleTimeout``.
    public static let idleTimeout = Kind(rawValue: "idleTimeout")
    /// Not finished within ``TransferLimits/totalTimeout``.
    public static let totalTimeout = Kind(rawValue: "totalTimeout")
    /// The connection ended before the response was complete.
    public static let connectionLost = Kind(rawValue: "connectionLost")
    /// The response body is larger than ``TransferLimits/maximumResponseBytes``, or the head exceeds the transport's
    /// limit.
    public static let responseTooLarge = Kind(rawValue: "responseTooLarge")
    /// The response is not HTTP, or could not be decompressed.
    public static let malformedResponse = Kind(rawValue: "malformedResponse")
    /// There were too many redirects, or one led to a place where the request must not go.
    public static let redirectRefused = Kind(rawValue: "redirectRefused")
    /// The request's body could not be read, or differs from its announced length.
    public static let unreadableBody = Kind(rawValue: "unreadableBody")
    /// The transport was shut down.
    public static let shutDown = Kind(rawValue: "shutDown")
    /// The host failed too often, and is not contacted for a while; see ``CircuitBreaker``.
    public static let circuitOpen = Kind(rawValue: "circuitOpen")
    /// The network is not used, because the flag `offline_mode` is on.
    public static let offline = Kind(rawValue: "offline")
    /// The transport cannot work here, for example because libcurl is not installed.
    public static let unavailable = Kind(rawValue: "unavailable")
    /// Any other failure; see the message.
    public static let other = Kind(rawValue: "other")
  }

  /// The kind of failure.
  public var kind: Kind
  /// The facts from which ``message`` is made.
  package var text: ErrorText
  /// Whether any byte of the request may have reached the server. It is `false` only if certainly none did, so that
  /// even a call that must not run twice may be sent again.
  public var requestMayHaveLeft: Bool
  /// When another request may succeed, counted from the error; nil if unknown.
  package var retryAfter: Duration?
  #if GRPC
    /// The code with which an HTTP/2 server ended the stream; nil for any other failure.
    package var streamCode: HTTP2ErrorCode?
  #endif

  /// Creates an error. No text may contain a header's value or a body.
  ///
  /// - Parameters:
  ///   - subject: what failed.
  ///   - reason: why it failed.
  ///   - sent: what of the call was sent, if the message is to report that.
  ///   - advice: what to do next.
  ///   - requestMayHaveLeft: see ``requestMayHaveLeft``.
  @inline(never)
  public init(
    _ kind: Kind, _ subject: String, reason: String? = nil, sent: SentExtent = .maybe, advice: String? = nil,
    requestMayHaveLeft: Bool
  ) {
    self.init(
      kind, ErrorText(subject, reason: reason, sent: sent, advice: advice), requestMayHaveLeft: requestMayHaveLeft)
  }

  package init(_ kind: Kind, _ text: ErrorText, requestMayHaveLeft: Bool) {
    self.kind = kind
    self.text = text
    self.requestMayHaveLeft = requestMayHaveLeft
  }
}

extension TransportError {
  /// What failed, why, whether nothing was sent, and what to do next. It is safe to show and log: it never contains a
  /// header's value or a body.
  public var message: String { text.sentence }

  public var description: String { "\(kind): \(message)" }

  /// Corrects the error for a call with an earlier attempt that may have been sent.
  package mutating func noteEarlierAttempt() {
    requestMayHaveLeft = true
    text.noteEarlierAttempt()
  }
}

extension TransportError {
  /// The call's deadline passed before the attempt was sent.
  package static let deadlinePassed = TransportError(
    .totalTimeout, ErrorText("the call's time was up", sent: .nothing, as: .beforeItWasSent), requestMayHaveLeft: false)

  /// The call's deadline passed while it waited for something other than its response.
  ///
  /// - Parameter what: as in "while it waited for an access token".
  package static func deadlinePassed(waitingFor what: String) -> TransportError {
    TransportError(
      .totalTimeout,
      ErrorText("the call's time was up while it waited for \(what)", sent: .nothing, as: .nothingOfCall),
      requestMayHaveLeft: false)
  }
}
