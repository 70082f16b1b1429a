internal import CNovaCurl
import NovaSupport

/// A libcurl easy handle. It makes one transfer at a time, and is used again for later ones.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  /// The current transfer. The engine keeps it alive, so that libcurl's many callbacks need no reference counting.
  var transfer: Unmanaged<CurlTransfer>?
  private let options: CurlTransport.Options
  private let multi: OpaquePointer?
  private let errorBuffer: UnsafeMutablePointer<CChar>
  /// What libcurl reported about the request's stream.
  private let streams: UnsafeMutablePointer<nova_curl_streams>
  /// The list for ``ConnectTo``, which libcurl needs as long as it may connect.
  private let connectTo: UnsafeMutablePointer<curl_slist>?
  /// The settings of the last request, most of which the next one usually shares.
  private var settings: CurlSettings?
  /// Whether ``keepEncoding()`` requires that the handle is configured again for the next transfer.
  private var keepsEncoding = false
  /// Whether `easy` now belongs to the connection that it opened.
  private var isDetached = false

  @inline(never)
  /// - Parameter multi: the multi handle for its transfers; nil for a connection without one.
  init?(options: CurlTransport.Options, multi: OpaquePointer? = nil) {
    self.options = options
    self.multi = multi
    errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    streams = .allocate(capacity: 1)
    streams.initialize(
      to: nova_curl_streams(own: 0, last: -1, on_goaway: CurlCallbacks.onGoaway, context: nil))
    var callbacks = CurlCallbacks.all
    let (buffer, report) = (errorBuffer, streams)
    let easy = CurlTransport.Options.withPath(options.caFile) { nova_curl_easy_new(&callbacks, $0, buffer, report) }
    connectTo = options.makeConnectToList()
    guard let easy, multi.map({ nova_curl_track_sockets(easy, $0) }) ?? true,
      options.setTrust(on: easy), options.setRoutes(on: easy, connectTo: connectTo)
    else {
      if let easy { nova_curl_easy_free(easy) }
      nova_curl_headers_free(connectTo)
      errorBuffer.deallocate()
      streams.deallocate()
      return nil
    }
    self.easy = easy
    let context = Unmanaged.passUnretained(self).toOpaque()
    nova_curl_set_context(easy, context)
    streams.pointee.context = context
  }

  deinit {
    if !isDetached { nova_curl_easy_free(easy) }
    nova_curl_headers_free(connectTo)
    errorBuffer.deallocate()
    streams.deallocate()
  }

  /// libcurl's message for the last failure; empty if absent.
  var errorText: String { String(cString: errorBuffer) }

  /// The errno of the last failed connect or socket call; 0 for another failure.
  func takeSystemError(_ info: nova_curl_info) -> Int32 {
    let socketError = multi.map { nova_curl_multi_take_socket_error($0) } ?? 0
    return info.system_error == 0 ? socketError : Int32(truncatingIfNeeded: info.system_error)
  }

  /// Evaluated while libcurl retries an HTTP/2 request: whether the reason may be that the server refused it or
  /// requires HTTP/1.1. In that case, older versions report nothing and newer ones report it. All of them report
  /// something else if the connection broke.
  var mayReportRefusal: Bool {
    errorBuffer.pointee == 0
      || ["refused by server", "HTTP_1_1_REQUIRED"].contains { errorText.contains($0) }
  }

  /// Whether libcurl gave up after five tries, none of which got a response.
  var reportsGivingUp: Bool { errorText.hasPrefix("Connection died, tried") || errorText.contains("refused by server") }

  /// The last stream that the server will process on this connection, from its GOAWAY; nil if unknown.
  var lastStream: Int64? {
    get { streams.pointee.last >= 0 ? streams.pointee.last : nil }
    set {
      // Before the handle's own stream is known, it may not be on that connection yet.
      if streams.pointee.own > 0 { streams.pointee.last = newValue ?? -1 }
    }
  }

  /// Whether an HTTP/2 server announced that it will not process the request: its GOAWAY names an earlier stream as the
  /// last. False if unknown.
  var isAboveLastStream: Bool { lastStream.map { streams.pointee.own > $0 } ?? false }

  /// Forgets the stream, because the next try has another one.
  func forgetStream() { (streams.pointee.own, streams.pointee.last) = (0, -1) }

  /// Prepares the handle for `transfer`, which must stay alive until the handle has left the multi handle.
  func prepare(_ transfer: CurlTransfer) -> CURLcode {
    errorBuffer.pointee = 0
    forgetStream()
    if transfer.settings.isSecure || transfer.settings.route == .proxy && options.proxy.server?.isSecure == true {
      // Checked each time, because libcurl reads the files for each connection.
      let code = options.checkCertificateFiles(
        offersCertificate: transfer.settings.isSecure && !transfer.hasLeftOrigin)
      guard code == CURLE_OK else { return code }
    }
    if settings != transfer.settings || keepsEncoding {
      settings = nil
      let code = set(transfer.settings, for: transfer)
      guard code == CURLE_OK else { return code }
      settings = transfer.settings
      keepsEncoding = false
    }
    let headers = transfer.headers.lines
    guard transfer.settings.hasBody, !transfer.settings.isHead else { return nova_curl_set_headers(easy, headers) }
    let body = transfer.request.body
    let length = Int64(body.length ?? -1)
    guard transfer.settings.isBodyWhole else { return nova_curl_set_request(easy, headers, nil, length) }
    return (body.bytes ?? []).withUnsafeBytes { bytes in
      // An empty array has no address, but libcurl must not request an empty body from the callback.
      nova_curl_set_request(easy, headers, bytes.baseAddress ?? UnsafeRawPointer(errorBuffer), length)
    }
  }

  @inline(never)
  private func set(_ new: CurlSettings, for transfer: CurlTransfer) -> CURLcode {
    let code = offerCertificate(!transfer.hasLeftOrigin)
    guard code == CURLE_OK else { return code }
    return new.url.text.withCString { url in
      new.method.withCString { method in
        options.withRoute(new.route) { route in
          var raw = nova_curl_settings(
            url: url, method: method, has_body: new.hasBody, is_head: new.isHead, is_secure: new.isSecure,
            skip_certificate_checks: new.skipsCertificateChecks, route: route, decompress: new.decompresses,
            receive_buffer_size: new.receiveBufferSize, traces_streams: new.tracesStreams,
            connect_timeout_ms: new.connectTimeout.curlMilliseconds)
          return nova_curl_configure(easy, &raw)
        }
      }
    }
  }

  /// Keeps the response body encoded. Called when its head has arrived.
  func keepEncoding() {
    nova_curl_keep_encoding(easy)
    keepsEncoding = true
  }

  /// Clears everything that belongs to a transfer.
  func clear() { nova_curl_clear(easy, settings?.hasBody ?? false) }

  /// Enables the client's certificate only for the origin that the caller named: like a token, it does not follow a
  /// redirect.
  private func offerCertificate(_ isOffered: Bool) -> CURLcode {
    guard let certificate = options.clientCertificateFile else { return CURLE_OK }
    return CurlTransport.Options.withPath(isOffered ? certificate : nil) { certificate in
      CurlTransport.Options.withPath(isOffered ? options.clientKeyFile : nil) { key in
        nova_curl_set_client_certificate(easy, certificate, key)
      }
    }
  }
}

extension CurlHandle {
  /// Connects to an origin without sending anything. Blocks.
  func connect(to origin: HTTPOrigin, skipsCertificateChecks: Bool, timeout: Duration) -> CURLcode {
    var code = origin.isSecure ? options.checkCertificateFiles(offersCertificate: true) : CURLE_OK
    if code == CURLE_OK { code = offerCertificate(true) }
    guard code == CURLE_OK else { return code }
    // libcurl has no scheme for gRPC.
    return "\(origin.isSecure ? "https" : "http")://\(origin.place)".withCString { url in
      options.withRoute(options.route(to: origin)) { route in
        var tunnel = nova_curl_tunnel(
          url: url, skip_certificate_checks: skipsCertificateChecks, route: route,
          connect_timeout_ms: timeout.curlMilliseconds)
        return nova_curl_connect(easy, &tunnel)
      }
    }
  }

  /// The connected address: the proxy's, if there is one.
  var peer: String? { nova_curl_peer(easy).map { String(cString: $0) } }

  /// Takes over the connection as a socket; the handle cannot be used afterwards. Throws the system's error.
  func detach(isSecure: Bool) throws(SystemError) -> Int32 {
    isDetached = true
    let descriptor = nova_curl_detach(easy, isSecure)
    guard descriptor >= 0 else { throw .last }
    return descriptor
  }
}

extension CurlHandle {
  /// Takes over the connection to read and write it directly; the handle cannot be used afterwards. Throws the
  /// system's error.
  ///
  /// - Parameter lifetime: how long sent bytes may stay unacknowledged until the connection counts as dead.
  func takeChannel(isSecure: Bool, deadAfter lifetime: Duration) throws(SystemError) -> OpaquePointer {
    isDetached = true
    guard let channel = nova_curl_channel_new(easy, isSecure, UInt32(lifetime.curlMilliseconds)) else { throw .last }
    return channel
  }
}

extension Duration {
  /// Whole milliseconds for libcurl; at least one, because zero means libcurl's default.
  fileprivate var curlMilliseconds: Int {
    Int(min(max(clampedNanoseconds / 1_000_000, 1), Int64(Int32.max)))
  }
}
