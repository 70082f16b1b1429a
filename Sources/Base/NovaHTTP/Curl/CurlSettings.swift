/// The libcurl settings of a request, except its header fields and body. Most requests to a server share all of them,
/// and comparing them is faster than setting them again.
struct CurlSettings: Equatable {
  let url: HTTPURL
  let method: String
  let hasBody: Bool
  /// Whether libcurl gets the whole body at once instead of calling back for it.
  let isBodyWhole: Bool
  let isHead: Bool
  let isSecure: Bool
  let route: CurlRoute
  /// Determined by the host of the current URL: after a redirect to another machine, certificates are checked as
  /// always. All requests to one host have the same value, so checked and unchecked requests never share a connection.
  let skipsCertificateChecks: Bool
  let hasLeftOrigin: Bool
  let decompresses: Bool
  let receiveBufferSize: Int
  let connectTimeout: Duration
  /// Whether libcurl's log is read to find out what happened to the request's HTTP/2 stream. Only for requests that
  /// must not run twice, because writing a log takes time.
  let tracesStreams: Bool

  /// Whether the proxy forwards encrypted bytes, and cannot see the request.
  var isTunneled: Bool { route == .proxy && isSecure }

  /// The largest body that is passed to libcurl at once. Small ones are sent in one packet with the head. Larger ones
  /// are streamed, which saves a copy.
  private static let largestWholeBody = 64 * 1024
  /// Large for downloads, because each read from a connection takes several system calls; otherwise libcurl's default.
  private static let receiveBufferSizes = (download: 256 << 10, other: 16 << 10)

  /// - Parameters:
  ///   - url: the current URL, which redirects change.
  ///   - hasLeftOrigin: whether a redirect led to another origin, even if a later one led back.
  init(_ request: HTTPRequest, to url: HTTPURL, hasLeftOrigin: Bool, _ options: CurlTransport.Options) {
    self.url = url
    method = request.method.rawValue
    hasBody = request.hasBody
    isBodyWhole = request.body.isEmpty || (request.body.bytes?.count ?? .max) <= Self.largestWholeBody
    isHead = request.method == .head
    isSecure = url.origin.isSecure
    route = options.route(to: url.origin)
    skipsCertificateChecks =
      options.unsafelySkipsCertificateChecksOnLoopback && isSecure && url.origin.isLoopback
    self.hasLeftOrigin = hasLeftOrigin
    decompresses = request.decompressesResponse
    // Events are small, and there are many streams.
    let isLarge = request.streamsResponse && !request.isOpenEnded
    receiveBufferSize = isLarge ? Self.receiveBufferSizes.download : Self.receiveBufferSizes.other
    connectTimeout = request.limits.connectTimeout
    tracesStreams = isSecure && !request.isSafe
  }
}
