public import NovaSupport

/// The transport for real servers, based on the system's libcurl.
///
/// Connections are kept and reused. Over TLS, it uses HTTP/2 if the server supports it, or else HTTP/1.1. Certificates
/// and host names are always checked, except with ``Options/unsafelySkipsCertificateChecksOnLoopback``. Responses in
/// any encoding that this libcurl supports (gzip, br, zstd) are decompressed. Requests go through ``Options/proxy``, by
/// default the environment's (`https_proxy`, `http_proxy`, `no_proxy`), but never to loopback hosts. It does not use
/// cookies or `.netrc`.
///
/// A redirect is followed only for GET and HEAD without a body, and never from https to http. A request to another
/// origin (scheme, host, port) keeps only the caller's headers `Accept`, `Accept-Language`, `Accept-Encoding`,
/// `User-Agent`, and those that select bytes (`Range`, `If-Range`, `If-None-Match`, `If-Modified-Since`). For all other
/// requests, a 3xx response is returned like any response.
///
/// If a kept connection turns out to be closed, GET and HEAD requests are sent again on a new one, and so are requests
/// that an HTTP/2 server reports as not processed. Every other request fails with `connectionLost`, because the server
/// may have run it.
///
/// A request's file or stream is read while it is sent. The body of a streamed response may be dropped unread, which
/// ends its transfer; until it is read or dropped, it counts as a transfer (``ConnectionLimits``). While a transfer
/// waits for its reader or source, ``TransferLimits/idleTimeout`` does not count, but ``TransferLimits/totalTimeout``
/// does.
///
/// All transfers run on one thread, which starts with the first request and ends with the transport. An exception are
/// calls that are made one at a time to a server that responds within 0.3 ms: the calling task runs those itself, for
/// at most 1 ms. libcurl is loaded with the first request, so a program that sends nothing does not need it.
///
/// ```swift
/// let transport = CurlTransport()
/// let response = try await transport.send(HTTPRequest(method: .get, url: "https://api.nova.social/health"))
/// ```
public final class CurlTransport: HTTPTransport {
  /// The settings that all requests of a transport share.
  public struct Options: Sendable, Hashable {
    /// The limits for concurrent transfers and connections.
    public var connections: ConnectionLimits
    /// The proxy of all requests, including redirects. Default: the environment's.
    public var proxy: HTTPProxy
    /// Servers to connect to instead of others. They apply to their hosts and ports only, even after a redirect.
    /// Default: none.
    public var connectTo: [ConnectTo]
    /// The Unix socket for connections to some origins; `nil` (default) for none.
    public var unixSocket: UnixSocket?
    /// The `User-Agent` of requests without one; empty to send none. Default `NovaSDK/<version>`.
    public var userAgent: String
    /// A file of PEM certificates to trust **instead of** the system's, also at proxies; `nil` (default) for the
    /// environment's (`CURL_CA_BUNDLE` or `SSL_CERT_FILE`, and `SSL_CERT_DIR`), or else the system's.
    public var caFile: String?
    /// A PEM file with the client's certificate and any intermediate ones, for servers that request a client
    /// certificate; `nil` (default) for none. It is not sent to another origin after a redirect.
    public var clientCertificateFile: String?
    /// A PEM file with the key of that certificate, not encrypted; `nil` (default) if the key is in the same file.
    public var clientKeyFile: String?
    /// The maximum number of consecutive redirects for a GET or HEAD. With 0, 3xx responses are returned. Default 5.
    public var maximumRedirects: Int
    /// The maximum size of a response head in bytes, including 1xx responses and trailers. Default 256 KiB.
    public var maximumHeaderBytes: Int
    /// **Unsafe.** Whether to accept any certificate from `localhost`, `*.localhost`, 127.0.0.0/8, and `[::1]`, so that
    /// a test can start a server with any certificate. Default `false`. Other hosts are always checked, even after a
    /// redirect. It is better to set the test's own authority as ``caFile``.
    public var unsafelySkipsCertificateChecksOnLoopback: Bool
    /// The environment's replacement for the system's certificates. Tests change it.
    package var systemCertificates = SystemCertificates.ofProcess
    /// The maximum time of a transfer that is not worth another thread: less than the two thread switches take on an
    /// idle machine. Tests change it.
    package var quickTransferTime = Duration.microseconds(300)
    /// Time to add to the system's clock; `nil` (default) for none. Tests advance it.
    package var addedTime: AddedTime?

    /// Creates options. Each has a default.
    public init(
      connections: ConnectionLimits = ConnectionLimits(),
      proxy: HTTPProxy = .environment,
      connectTo: [ConnectTo] = [],
      unixSocket: UnixSocket? = nil,
      userAgent: String = "NovaSDK/\(NovaSDKVersion.current)",
      caFile: String? = nil,
      clientCertificateFile: String? = nil,
      clientKeyFile: String? = nil,
      maximumRedirects: Int = 5,
      maximumHeaderBytes: Int = 256 * 1024,
      unsafelySkipsCertificateChecksOnLoopback: Bool = false
    ) {
      self.connections = connections
      self.proxy = proxy
      self.connectTo = connectTo
      self.unixSocket = unixSocket
      self.userAgent = userAgent
      self.caFile = caFile
      self.clientCertificateFile = clientCertificateFile
      self.clientKeyFile = clientKeyFile
      self.maximumRedirects = maximumRedirects
      self.maximumHeaderBytes = maximumHeaderBytes
      self.unsafelySkipsCertificateChecksOnLoopback = unsafelySkipsCertificateChecksOnLoopback
    }
  }

  /// Outlives the transport until its thread has ended.
  package let loop: CurlLoop

  /// Creates a transport. It uses no resources before the first request.
  public init(options: Options = Options()) {
    loop = CurlLoop(options: options)
  }

  deinit { loop.stop() }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // Otherwise, `self` could be released after its last use here, and its deinit would end the transfer.
    defer { withExtendedLifetime(self) {} }
    let transfer = try CurlTransfer(request, on: loop)
    let outcome = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { [loop] continuation in loop.submit(transfer, continuation) }
    } onCancel: {
      loop.cancel(transfer)
    }
    let headers = outcome.head.headers()
    var body = HTTPBody.bytes(outcome.body ?? [])
    if outcome.body == nil, let pipe = transfer.pipe {
      body = .stream(
        HTTPBodyStream(
          StreamedResponse(pipe, of: transfer, on: self), length: headers.contentLength, trailers: pipe.trailers))
    }
    var response = HTTPResponse(status: outcome.head.status, headers: headers, body: body)
    response.redirects = outcome.redirects
    return response
  }

  /// Ends every running transfer with an error of kind `shutDown`, closes all connections, and returns when the thread
  /// has released everything. Later requests fail with `shutDown`. You can call it more than once. Releasing the last
  /// reference does the same without waiting.
  public func shutdown() async {
    await loop.stopAndWait()
  }
}
