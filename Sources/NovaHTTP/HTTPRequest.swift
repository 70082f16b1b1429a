/// An HTTP request with its body and the limits of its transfer.
///
/// ```swift
/// var request = HTTPRequest(method: .put, url: "https://files.example/photos/1", body: .file(photo))
/// request.headers["Content-Type"] = "image/jpeg"
/// ```
public struct HTTPRequest: Sendable, Hashable {
  /// The verb, for example `.post`.
  public var method: HTTPMethod
  /// Where the request goes.
  public var url: HTTPURL
  /// The header fields in the order in which they are sent.
  public var headers: HTTPHeaders
  /// The body; ``HTTPBody/empty`` for none.
  public var body: HTTPBody
  /// How long and how large the transfer may become.
  public var limits: TransferLimits
  /// Whether the response is returned as soon as its head is there, with a body that arrives while it is read. Default
  /// `false`: the response is returned when its body is in memory, which costs less for small bodies.
  public var streamsResponse = false
  /// Whether the response continues until one side ends it: it has no deadline of the whole call.
  package var isOpenEnded = false
  /// Whether a server's response alone decides the URL: then the address of the connection is checked, too.
  package var isForStorage = false
  /// Whether a redirect to another origin leads to a storage: then that origin and the address of its connection are
  /// checked as if a server's response had decided the URL.
  package var redirectsToStorage = false
  /// Whether a compressed response arrives decompressed, if the transport can do that.
  package var decompressesResponse = true

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The verb.
  ///   - url: Where the request goes.
  ///   - headers: The header fields. The transport adds `Content-Length` or `Transfer-Encoding` itself.
  ///   - body: The body. Default: none.
  ///   - limits: How long and how large the transfer may become.
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
  /// Whether a body is announced, even an empty one.
  var hasBody: Bool { !body.isEmpty || [.post, .put, .patch].contains(method) }

  /// Whether sending it a second time is harmless whatever the server did with the first.
  var isSafe: Bool { method == .get || method == .head }
}

/// An HTTP verb.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The verb as it stands on the wire, in capitals.
  public let rawValue: String

  /// Creates a verb from its wire form.
  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  public static let get = HTTPMethod(rawValue: "GET")
  public static let head = HTTPMethod(rawValue: "HEAD")
  public static let post = HTTPMethod(rawValue: "POST")
  public static let put = HTTPMethod(rawValue: "PUT")
  public static let patch = HTTPMethod(rawValue: "PATCH")
  public static let delete = HTTPMethod(rawValue: "DELETE")
}

/// The bounds of one transfer. A transfer that would pass one of them ends with a ``TransportError``.
public struct TransferLimits: Sendable, Hashable {
  /// Time to resolve the name, connect and finish the TLS handshake. Default 10 s.
  public var connectTimeout: Duration
  /// The longest silence: time without a single byte in either direction once connected. Default 30 s.
  public var idleTimeout: Duration
  /// Time for the whole transfer, from the call to the last byte. Default 300 s, the contract's maximum.
  public var totalTimeout: Duration
  /// The largest response body in bytes, counted after decompression. Default 64 MiB.
  public var maximumResponseBytes: Int

  /// Creates limits; every one has a default.
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
