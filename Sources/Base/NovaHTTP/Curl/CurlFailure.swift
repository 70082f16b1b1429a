internal import NovaLibc
import NovaSupport

internal import CNovaCurl

/// Converts libcurl's result to an error: what failed, where, and whether any of the request may have been sent.
struct CurlFailure {
  private let code: CURLcode
  private let origin: HTTPOrigin
  private let options: CurlTransport.Options
  private let connectTimeout: Duration
  private let requestMayHaveLeft: Bool
  private let isHeadComplete: Bool
  private let hasOnlyBeenRefused: Bool
  private let ownFailure: TransportError?
  private let info: nova_curl_info
  private let text: String
  private let place: String
  private let systemError: Int32

  @inline(never)
  init(_ code: CURLcode, _ transfer: CurlTransfer) {
    self.init(
      code, transfer.handle, origin: transfer.url.origin, options: transfer.options,
      connectTimeout: transfer.request.limits.connectTimeout, requestMayHaveLeft: transfer.requestMayHaveLeft,
      isHeadComplete: transfer.head.isComplete, hasOnlyBeenRefused: transfer.hasOnlyBeenRefused,
      ownFailure: transfer.failure)
  }

  /// Creates the error of a failed connection.
  init(
    _ code: CURLcode, _ handle: CurlHandle?, origin: HTTPOrigin, options: CurlTransport.Options,
    connectTimeout: Duration, requestMayHaveLeft: Bool = false, isHeadComplete: Bool = false,
    hasOnlyBeenRefused: Bool = false, ownFailure: TransportError? = nil
  ) {
    self.code = code
    self.origin = origin
    self.options = options
    self.connectTimeout = connectTimeout
    self.isHeadComplete = isHeadComplete
    self.hasOnlyBeenRefused = hasOnlyBeenRefused
    self.ownFailure = ownFailure
    place = origin.place
    let info = handle.map { nova_curl_get_info($0.easy) } ?? nova_curl_info()
    self.info = info
    systemError = handle?.takeSystemError(info) ?? 0
    // If anything was sent, it was the CONNECT request, or a request that the server discarded.
    self.requestMayHaveLeft = requestMayHaveLeft && !Self.isRefusal(info.proxy_status) && !hasOnlyBeenRefused
    let text = handle?.errorText ?? ""
    // The text may contain the URL of the environment's proxy, with its password.
    let isUsable = !text.isEmpty && !text.contains("://") && !text.contains("@")
    self.text = isUsable ? text : String(cString: nova_curl_error_name(code))
  }

  @inline(never)
  var error: TransportError { ownFailure ?? failureOfTransfer }

  private static func isRefusal(_ proxyStatus: Int) -> Bool { proxyStatus != 0 && proxyStatus / 100 != 2 }

  @inline(never)
  private func failure(
    _ kind: TransportError.Kind, _ subject: String, reason: String? = nil, advice: String? = nil
  ) -> TransportError {
    TransportError(kind, subject, reason: reason, advice: advice, requestMayHaveLeft: requestMayHaveLeft)
  }

  private var failureOfTransfer: TransportError {
    switch code {
    case _ where Self.isRefusal(info.proxy_status): tunnelFailure
    case CURLE_COULDNT_RESOLVE_HOST: failure(.nameResolution, unresolved)
    case CURLE_COULDNT_RESOLVE_PROXY: failure(.nameResolution, "the name of " + proxy + " could not be resolved")
    case CURLE_COULDNT_CONNECT: connectFailure
    case CURLE_OPERATION_TIMEDOUT:
      // No other timeout is set.
      failure(.connectTimeout, "no connection to " + path + " within " + connectTimeout.formatted)
    case _ where isHeaderTooLong:
      failure(.responseTooLarge, "a header line of " + response + " is longer than libcurl accepts (about 100 KB)")
    case CURLE_PARTIAL_FILE: failure(.connectionLost, truncation)
    case CURLE_GOT_NOTHING: failure(.connectionLost, path + Self.closed)
    case _ where isGivenUp:
      failure(
        .connectionLost, place + " repeatedly closed its connections before it processed the request",
        advice: "try again later")
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
      failure(.connectionLost, "the connection to " + path + " was lost", reason: text)
    // libcurl's error for a malformed trailer line.
    case CURLE_BAD_FUNCTION_ARGUMENT where isHeadComplete:
      failure(
        .malformedResponse, response + " ends with a trailer that is not a header field (a line without a colon)")
    case CURLE_BAD_CONTENT_ENCODING: failure(.malformedResponse, response + " could not be decompressed")
    // No other code in this program refuses bytes without recording a failure.
    case CURLE_WRITE_ERROR where isHeadComplete:
      failure(
        .malformedResponse, response + " could not be decompressed",
        reason: "bytes follow the end of the compressed data")
    case CURLE_SSL_CONNECT_ERROR where isCutOff:
      failure(.connectionFailed, path + " closed the connection in the middle of the TLS handshake")
    // The last one is libcurl's error for a response without a status line.
    case CURLE_OK, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
      failure(.malformedResponse, "what " + place + " sent is not an HTTP response")
    case CURLE_SSL_CACERT_BADFILE: noTLS(authorityProblem)
    case CURLE_SSL_CERTPROBLEM: noTLS(clientCertificateProblem)
    case CURLE_URL_MALFORMAT: failure(.invalidURL, "libcurl cannot use the URL")
    case CURLE_PROXY: failure(.connectionFailed, "no connection to " + place + " through " + proxy)
    case CURLE_NOT_BUILT_IN: failure(.unavailable, "this libcurl cannot connect to " + hop)
    case _ where isTLS: noTLS(text)
    // libcurl's message may contain a URL; the name of the error does not.
    default: failure(.other, "the request to " + place + " failed", reason: String(cString: nova_curl_error_name(code)))
    }
  }

  private func noTLS(_ reason: String) -> TransportError {
    failure(.tls, "no TLS connection to " + path, reason: reason)
  }

  private static let closed = " closed the connection without a response"
  private var response: String { "the response from " + place }

  /// Whether an HTTP/2 server refused every try of libcurl and the engine, so that it processed none.
  private var isGivenUp: Bool {
    hasOnlyBeenRefused && [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM].contains(code)
  }

  /// Whether libcurl gave up on a header: it reports one line that exceeds its buffer as "Out of memory", or since 8.6
  /// as CURLE_TOO_LARGE. For a trailer line, and since 8.3 for the total of all lines, it reports a receive failure
  /// with another message.
  private var isHeaderTooLong: Bool {
    guard requestMayHaveLeft else { return false }
    return code == CURLE_OUT_OF_MEMORY || code.rawValue == 100
      || (code == CURLE_RECV_ERROR && ["response headers", "ut of memory"].contains { text.contains($0) })
  }

  /// Whether the network ended the handshake, not the client or the server: the messages of OpenSSL and GnuTLS for it.
  private var isCutOff: Bool {
    ["SSL_ERROR_SYSCALL", "Connection reset", "non-properly terminated"].contains { text.contains($0) }
  }

  private var isTLS: Bool {
    [
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS,
    ].contains(code)
  }

  private var authorityProblem: String {
    guard let (file, source) = options.certificateFile else { return text }
    return "the certificates to trust cannot be read from \(file.quoted)\(source)"
      + problem(of: file, otherwise: "expected a file with certificates in PEM form")
  }

  private var clientCertificateProblem: String {
    guard let file = options.clientCertificateFile else { return text }
    let key = options.clientKeyFile ?? file
    for path in [file, key] where SystemIO.problem(reading: path, .ending) != nil {
      return "the client's certificate cannot be read from \(path.quoted)" + problem(of: path, otherwise: "")
    }
    return "the client's certificate \(file.quoted) and its key \(key.quoted) cannot be used: expected PEM, a key that "
      + "belongs to the certificate, and no password on it (\(text))"
  }

  private func problem(of file: String, otherwise hint: String) -> String {
    SystemIO.problem(reading: file, .ending).map { " (\($0))" } ?? ": \(hint)"
  }

  /// The machine that was connected to.
  private var hop: String { options.nextHop(to: origin) }

  /// The server and the way to it, for failures of either.
  private var path: String { options.route(to: origin) == .proxy ? place + " through " + hop : hop }

  private var proxy: String { options.route(to: origin) == .proxy ? hop : "the proxy" }

  private var unresolved: String {
    let other = options.connectTo.first { $0.covers(origin) }
    return "the name " + (other?.targetHost ?? origin.host) + " could not be resolved"
  }

  /// The error for the proxy's response to CONNECT. libcurl's own message has no advice.
  private var tunnelFailure: TransportError {
    // tinyproxy responds with 401.
    let isUnauthorized = [401, 407].contains(info.proxy_status)
    return failure(
      .connectionFailed, "no connection to " + place, reason: proxy + " refused it with HTTP \(info.proxy_status)",
      advice: isUnauthorized ? "set the user name and password in the proxy's URL" : nil)
  }

  private var connectFailure: TransportError {
    if systemError == ECONNREFUSED { return failure(.connectionRefused, hop + " refused the connection") }
    return failure(
      .connectionFailed, "no connection to " + hop,
      reason: systemError == 0 ? text : SystemError(code: systemError).reason,
      advice: systemError == EMFILE
        ? "raise the process's limit of open files (ulimit -n), or lower limits.max_streams" : nil)
  }

  private var truncation: String {
    guard isHeadComplete else { return place + Self.closed }
    let received = info.received_body_bytes
    return info.content_length >= 0
      ? response + " ended after \(received) of \(info.content_length) bytes"
      : response + " ended early, after \(received) bytes"
  }
}
