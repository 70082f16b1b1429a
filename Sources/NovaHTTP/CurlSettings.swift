/// What libcurl is told about a request besides its header fields and its body. Most requests to a server have all of it in
/// common, and setting it again takes libcurl longer than comparing it.
struct CurlSettings: Equatable {
  let url: HTTPURL
  let method: String
  let hasBody: Bool
  /// Whether libcurl gets the body whole, and not from a callback.
  let isBodyWhole: Bool
  let isHead: Bool
  let isSecure: Bool
  let route: CurlRoute
  /// By the host of this leg: a redirect to another machine is checked like every connection to one. All requests to
  /// one host have the same answer, so no connection is shared between those that check and those that do not.
  let skipsCertificateChecks: Bool
  let hasLeftOrigin: Bool
  let decompresses: Bool
  let receiveBufferSize: Int
  let connectTimeout: Duration
  /// Whether libcurl's log is read for what became of the request's HTTP/2 stream. Only for requests that must not be carried
  /// out twice: writing a log takes time.
  let tracesStreams: Bool

  /// Whether the proxy carries encrypted bytes, and does not see the request.
  var isTunneled: Bool { route == .proxy && isSecure }

  /// Bodies up to this size are handed over whole, and small ones leave in one packet with the head; larger ones are
  /// streamed, which spares the copy.
  private static let largestWholeBody = 64 * 1024
  /// Large for downloads, because each read of the connection costs several system calls; libcurl's default for the others.
  private static let receiveBufferSizes = (download: 256 << 10, other: 16 << 10)

  /// - Parameters:
  ///   - url: where it goes: redirects change that.
  ///   - hasLeftOrigin: whether a redirect has led to another origin, even if another one has led back.
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
    // Events are small, and their streams many.
    let isLarge = request.streamsResponse && !request.isOpenEnded
    receiveBufferSize = isLarge ? Self.receiveBufferSizes.download : Self.receiveBufferSizes.other
    connectTimeout = request.limits.connectTimeout
    tracesStreams = isSecure && !request.isSafe
  }
}
