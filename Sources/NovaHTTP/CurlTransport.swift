public import NovaSupport

/// The transport for real servers, on the system's libcurl.
///
/// Connections are kept and used again; over TLS it uses HTTP/2 where the server supports it, else HTTP/1.1. Certificates and
/// host names are checked, always but for ``Options/unsafelySkipsCertificateChecksOnLoopback``. Responses in any encoding
/// this libcurl knows (gzip, br, zstd) arrive decompressed. Requests go through ``Options/proxy``, by default those of the
/// environment (`https_proxy`, `http_proxy`, `no_proxy`), though never to loopback hosts.
/// There are no cookies, and no `.netrc`.
///
/// A redirect is followed only for GET and HEAD without a body, never from https to http, and to another origin (scheme,
/// host, port) with none of the caller's headers but `Accept`, `Accept-Language`, `Accept-Encoding`, `User-Agent`, and those
/// that choose the bytes (`Range`, `If-Range`, `If-None-Match`, `If-Modified-Since`). For every other request a 3xx
/// response is returned like any response.
///
/// When a kept connection turns out to be closed, a GET or HEAD is sent again on a new one, and so is any request that an
/// HTTP/2 server reports as not processed. Every other request fails with `connectionLost` then, because the server may
/// have run it.
///
/// A request's file or stream is read while it is sent. The body of a streamed response may be dropped unread, which ends
/// its transfer; until it is read or dropped it counts as a transfer (``ConnectionLimits``). While it waits for its reader, or an upload for its
/// source, ``TransferLimits/idleTimeout`` does not count, but ``TransferLimits/totalTimeout`` does.
///
/// All transfers run on one thread, which starts with the first request and ends with the transport; only calls made one at
/// a time to a server that responds within 0.3 ms are made by the calling task, which takes it 1 ms at the most. libcurl is
/// loaded then, not before: a program that sends nothing needs none.
///
/// ```swift
/// let transport = CurlTransport()
/// let response = try await transport.send(HTTPRequest(method: .get, url: "https://api.nova.social/health"))
/// ```
public final class CurlTransport: HTTPTransport {
  /// What is the same for all requests of a transport.
  public struct Options: Sendable, Hashable {
    /// How many transfers and connections there are at once.
    public var connections: ConnectionLimits
    /// The proxy of all requests, redirects included. Default: those of the environment.
    public var proxy: HTTPProxy
    /// The servers that are connected to in place of others. They count for their hosts and ports alone, also after a
    /// redirect. Default: none.
    public var connectTo: [ConnectTo]
    /// The Unix socket through which some origins are reached; `nil` (default) for none.
    public var unixSocket: UnixSocket?
    /// The `User-Agent` of requests that bring none; empty for none at all. Default `NovaSDK/<version>`.
    public var userAgent: String
    /// A file of PEM certificates to trust **instead of** the system's, also at proxies; `nil` (default) for those of the
    /// environment (`CURL_CA_BUNDLE` or `SSL_CERT_FILE`, and `SSL_CERT_DIR`), or else the system's.
    public var caFile: String?
    /// A PEM file with the certificate, and any between it and its authority, for servers that request
    /// one; `nil` (default) for none. It is not offered to another origin that a redirect leads to.
    public var clientCertificateFile: String?
    /// The PEM file with the key of that certificate, not encrypted; `nil` (default) when it is in the same file.
    public var clientKeyFile: String?
    /// How many redirects in a row a GET or HEAD follows; with 0 their 3xx responses are returned. Default 5.
    public var maximumRedirects: Int
    /// The largest response head in bytes, 1xx responses and trailers counted in. Default 256 KiB.
    public var maximumHeaderBytes: Int
    /// **Unsafe.** Whether any certificate will do for `localhost`, `*.localhost`, 127.0.0.0/8 and `[::1]`, so that a
    /// test may start a server with whatever certificate is at hand. Default `false`. Other hosts are checked as
    /// always, also when a redirect leads there. Better: give the test's own authority as ``caFile``.
    public var unsafelySkipsCertificateChecksOnLoopback: Bool
    /// What the environment has in place of the system's certificates. For tests to change.
    package var systemCertificates = SystemCertificates.ofProcess
    /// How long a transfer takes at the most that is not worth another thread: less than the two switches to it and back
    /// cost on an idle machine. For tests to change.
    package var quickTransferTime = Duration.microseconds(300)
    /// Time that passes on the transport's clock besides the system's; `nil` (default) for none. For tests to advance.
    package var addedTime: AddedTime?

    /// Creates options; every one has a default.
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

  /// Creates a transport. It costs nothing before the first request.
  public init(options: Options = Options()) {
    loop = CurlLoop(options: options)
  }

  deinit { loop.stop() }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // Without it `self` could go after its last use here, and its deinit would end the transfer.
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
      body = .stream(HTTPBodyStream(StreamedResponse(pipe, of: transfer, on: self), length: headers.contentLength))
    }
    var response = HTTPResponse(status: outcome.head.status, headers: headers, body: body)
    response.redirects = outcome.redirects
    return response
  }

  /// Ends every transfer in flight with an error of kind `shutDown`, closes all connections, and returns when the thread
  /// has let go of everything. Requests sent afterwards fail with `shutDown`. May be called more than once; dropping
  /// the last reference does the same without waiting.
  public func shutdown() async {
    await loop.stopAndWait()
  }
}
