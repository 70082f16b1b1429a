/// An HTTP request with its body and the limits of its transfer.
///
/// ```swift
/// var request = HTTPRequest(method: .put, url: "https://files.example/photos/1", body: .file(photo))
/// request.headers["Content-Type"] = "image/jpeg"
/// ```
public struct HTTPRequest: Sendable, Hashable {
  /// The method, for example `.post`.
  public var method: HTTPMethod
  /// The URL.
  public var url: HTTPURL
  /// The header fields, in the order in which they are sent.
  public var headers: HTTPHeaders
  /// The body; ``HTTPBody/empty`` for none.
  public var body: HTTPBody
  /// The limits for the time and size of the transfer.
  public var limits: TransferLimits
  /// Whether the response is returned when its head has arrived, with a body that arrives while it is read. Default
  /// `false`: the response is returned when its body is in memory, which is faster for small bodies.
  public var streamsResponse = false
  /// Whether the response continues until one side ends it. Then the call has no deadline.
  package var isOpenEnded = false
  /// Whether a server's response alone determined the URL. Then the connection's address is checked, too.
  package var isForStorage = false
  /// Whether a redirect to another origin leads to a storage server. Then that origin and its address are checked as if
  /// a server's response had determined the URL.
  package var redirectsToStorage = false
  /// Whether to decompress a compressed response, if the transport can.
  package var decompressesResponse = true
  /// Whether the request is another client's, passed on as it is: the transport adds no header fields that describe the
  /// client, and the stream of the response's body has its trailers.
  package var isForwarded = false

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The URL.
  ///   - headers: The header fields. The transport adds `Content-Length` or `Transfer-Encoding`.
  ///   - body: The body. Default: none.
  ///   - limits: The limits for the time and size of the transfer.
  public init(
    method: HTTPMethod,
    url: HTTPURL,
    headers: HTTPHeaders = [:],
    body: HTTPBody = .empty,
    limits: TransferLimits = TransferLimits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
  }

  /// Creates a request with a body in memory.
  public init(
    method: HTTPMethod,
    url: HTTPURL,
    headers: HTTPHeaders = [:],
    body: [UInt8],
    limits: TransferLimits = TransferLimits()
  ) {
    self.init(method: method, url: url, headers: headers, body: .bytes(body), limits: limits)
  }
}

extension HTTPRequest {
  /// Whether the request announces a body, even an empty one.
  var hasBody: Bool { !body.isEmpty || [.post, .put, .patch].contains(method) }

  /// Whether it can be sent again without harm, whatever the server did with the first one.
  var isSafe: Bool { method == .get || method == .head }
}

/// An HTTP method.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The method as it is sent, in capitals.
  public let rawValue: String

  /// Creates a method from the form in which it is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  public static let get = HTTPMethod(rawValue: "GET")
  public static let head = HTTPMethod(rawValue: "HEAD")
  public static let post = HTTPMethod(rawValue: "POST")
  public static let put = HTTPMethod(rawValue: "PUT")
  public static let patch = HTTPMethod(rawValue: "PATCH")
  public static let delete = HTTPMethod(rawValue: "DELETE")
}

/// The limits of one transfer. A transfer that exceeds one of them ends with a ``TransportError``.
public struct TransferLimits: Sendable, Hashable {
  /// The time to resolve the name, connect, and finish the TLS handshake. Default 10 s.
  public var connectTimeout: Duration
  /// The maximum time without a byte in either direction after connecting. Default 30 s.
  public var idleTimeout: Duration
  /// The time for the whole transfer, from the call to the last byte. Default 300 s, the contract's maximum.
  public var totalTimeout: Duration
  /// The maximum size of a response body in bytes, after decompression. Default 64 MiB.
  public var maximumResponseBytes: Int

  /// Creates limits. Each has a default.
  public init(
    connectTimeout: Duration = .seconds(10),
    idleTimeout: Duration = .seconds(30),
    totalTimeout: Duration = .seconds(300),
    maximumResponseBytes: Int = 64 * 1024 * 1024
  ) {
    self.connectTimeout = connectTimeout
    self.idleTimeout = idleTimeout
    self.totalTimeout = totalTimeout
    self.maximumResponseBytes = maximumResponseBytes
  }
}

extension Duration {
  /// The whole nanoseconds, clamped to 64 bits (292 years).
  package var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return whole.addingClamped(attoseconds / 1_000_000_000)
  }

  /// The duration with two or three digits for people: `12 ms`, `1.3 s`, `75 s`. Slightly less than 3 s is
  /// `3 s`.
  package var formatted: String {
    let milliseconds = self / .milliseconds(1)
    if milliseconds < 9.95 { return "\(Self.tenths(milliseconds * 10)) ms" }
    if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
    if milliseconds < 9950 { return "\(Self.tenths(milliseconds / 100)) s" }
    return "\(Int(min(milliseconds / 1000, 1e15).rounded())) s"
  }

  /// Formats tenths, without a zero after the point.
  private static func tenths(_ number: Double) -> String {
    let text = String(number.rounded() / 10)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Int64 {
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
