internal import CNovaCurl
import NovaSupport

/// A libcurl easy handle, made for one transfer at a time and used again for later ones.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  /// The transfer that it makes at the moment. The engine keeps it alive for as long, so that libcurl's callbacks, of
  /// which a transfer has many, need not count references to it.
  var transfer: Unmanaged<CurlTransfer>?
  private let options: CurlTransport.Options
  private let multi: OpaquePointer?
  private let errorBuffer: UnsafeMutablePointer<CChar>
  /// What libcurl has reported about the request's stream.
  private let streams: UnsafeMutablePointer<nova_curl_streams>
  /// What libcurl needs of ``ConnectTo`` as long as it may connect.
  private let connectTo: UnsafeMutablePointer<curl_slist>?
  /// What the last request has set, and what most requests have in common with it.
  private var settings: CurlSettings?
  /// Whether it must be configured again for the next transfer, because of ``keepEncoding()``.
  private var keepsEncoding = false
  /// Whether `easy` now belongs to the connection that it has made.
  private var isDetached = false

  @inline(never)
  /// - Parameter multi: makes its transfers; nil for a connection without one.
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

  /// libcurl's message for the last failure; empty if it has none.
  var errorText: String { String(cString: errorBuffer) }

  /// The errno of the last failed connect, or of the socket for one; 0 for another failure.
  func takeSystemError(_ info: nova_curl_info) -> Int32 {
    let socketError = multi.map { nova_curl_multi_take_socket_error($0) } ?? 0
    return info.system_error == 0 ? socketError : Int32(truncatingIfNeeded: info.system_error)
  }

  /// While libcurl tries an HTTP/2 request again: whether it does so because the server refused it, or demands HTTP/1.1 for
  /// it. For the former, older versions say nothing, newer ones say so; either says something else when the connection broke.
  var saysRefusedOrNothing: Bool {
    errorBuffer.pointee == 0
      || ["refused by server", "HTTP_1_1_REQUIRED"].contains { errorText.contains($0) }
  }

  /// Whether libcurl has given up sending a request again: after five tries, of which each ended without a response.
  var saysGivenUp: Bool { errorText.hasPrefix("Connection died, tried") || errorText.contains("refused by server") }

  /// The last stream of its connection that the server will have processed, by its GOAWAY. Nil if that is not known.
  var lastStream: Int64? {
    get { streams.pointee.last >= 0 ? streams.pointee.last : nil }
    set {
      // Before its own stream is known, it may not be on that connection yet.
      if streams.pointee.own > 0 { streams.pointee.last = newValue ?? -1 }
    }
  }

  /// Whether an HTTP/2 server has said that it will not process the request: its GOAWAY names an earlier stream as the last.
  /// False if that is not known.
  var isAboveLastStream: Bool { lastStream.map { streams.pointee.own > $0 } ?? false }

  /// Forgets the stream, because the request will have another one.
  func forgetStream() { (streams.pointee.own, streams.pointee.last) = (0, -1) }

  /// Makes the handle ready for `transfer`, which must stay alive until the handle has left the multi handle.
  func prepare(_ transfer: CurlTransfer) -> CURLcode {
    errorBuffer.pointee = 0
    forgetStream()
    if transfer.settings.isSecure || transfer.settings.route == .proxy && options.proxy.server?.isSecure == true {
      // Each time: the files are read for each connection.
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
      // An empty array has no address, but an empty body must not be read from the callback.
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

  /// Takes the body of the response whose head has just come as it is.
  func keepEncoding() {
    nova_curl_keep_encoding(easy)
    keepsEncoding = true
  }

  /// Lets go of everything that belongs to a transfer.
  func clear() { nova_curl_clear(easy, settings?.hasBody ?? false) }

  /// The client's certificate is for the origin the caller named: like a token, it does not follow a redirect.
  private func offerCertificate(_ isOffered: Bool) -> CURLcode {
    guard let certificate = options.clientCertificateFile else { return CURLE_OK }
    return CurlTransport.Options.withPath(isOffered ? certificate : nil) { certificate in
      CurlTransport.Options.withPath(isOffered ? options.clientKeyFile : nil) { key in
        nova_curl_set_client_certificate(easy, certificate, key)
      }
    }
  }
}

#if WebSocket
  extension CurlHandle {
    /// Connects to an origin, and sends nothing. Blocks.
    func connect(to origin: HTTPOrigin, skipsCertificateChecks: Bool, timeout: Duration) -> CURLcode {
      var code = origin.isSecure ? options.checkCertificateFiles(offersCertificate: true) : CURLE_OK
      if code == CURLE_OK { code = offerCertificate(true) }
      guard code == CURLE_OK else { return code }
      return origin.text.withCString { url in
        options.withRoute(options.route(to: origin)) { route in
          var tunnel = nova_curl_tunnel(
            url: url, skip_certificate_checks: skipsCertificateChecks, route: route,
            connect_timeout_ms: timeout.curlMilliseconds)
          return nova_curl_connect(easy, &tunnel)
        }
      }
    }

    /// The address that it has reached: the proxy's if there is one.
    var peer: String? { nova_curl_peer(easy).map { String(cString: $0) } }

    /// Takes the connection out as a socket, after which the handle is of no use; throws the system's error.
    func detach(isSecure: Bool) throws(SystemError) -> Int32 {
      isDetached = true
      let descriptor = nova_curl_detach(easy, isSecure)
      guard descriptor >= 0 else { throw .last }
      return descriptor
    }
  }
#endif

extension Duration {
  /// For libcurl: whole milliseconds, at least one because zero means libcurl's default there.
  fileprivate var curlMilliseconds: Int {
    Int(min(max(clampedNanoseconds / 1_000_000, 1), Int64(Int32.max)))
  }
}
