internal import CNovaCurl
import NovaSupport

/// A libcurl easy handle, made for one transfer at a time and used again for later ones.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private let options: CurlTransport.Options
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// Whether `easy` now belongs to the connection that it has made.
  private var isDetached = false

  /// Bodies up to this size are handed over whole, and small ones leave in one packet with the head; larger ones are
  /// streamed, which spares the copy.
  private static let largestWholeBody = 64 * 1024
  /// Large for streams, because each read of the connection costs several system calls; libcurl's default for the others.
  private static let receiveBufferSizes = (stream: 256 << 10, whole: 16 << 10)

  @inline(never)
  init?(options: CurlTransport.Options) {
    self.options = options
    errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    var callbacks = CurlCallbacks.all
    let easy = nova_curl_easy_new(&callbacks, options.caFile, errorBuffer)
    guard let easy else {
      errorBuffer.deallocate()
      return nil
    }
    self.easy = easy
  }

  deinit {
    if !isDetached { nova_curl_easy_free(easy) }
    nova_curl_headers_free(headers)
    errorBuffer.deallocate()
  }

  /// libcurl's message for the last failure; empty if it has none.
  var errorText: String { String(cString: errorBuffer) }

  /// While libcurl tries an HTTP/2 request again: whether it does so because the server refused it. Older versions say
  /// nothing then, newer ones say so; either says something else when the connection broke.
  var saysRefusedOrNothing: Bool { errorBuffer.pointee == 0 || errorText.contains("refused by server") }

  /// Makes the handle ready for `transfer`, which must stay alive until the handle has left the multi handle.
  func prepare(_ transfer: CurlTransfer) -> CURLcode {
    let request = transfer.call.request
    errorBuffer.pointee = 0
    setHeaders(transfer.headers)
    let code = offerCertificate(!transfer.hasLeftOrigin)
    guard code == CURLE_OK else { return code }
    return prepare(transfer, url: transfer.url.text, method: request.method.rawValue)
  }

  @inline(never)
  private func prepare(
    _ transfer: CurlTransfer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>
  ) -> CURLcode {
    let request = transfer.call.request
    return (request.body.bytes ?? []).withUnsafeBytes { body in
      let isWhole = request.body.isEmpty || request.body.bytes != nil && body.count <= Self.largestWholeBody
      var raw = nova_curl_request(
        url: url, method: method, headers: headers,
        // An empty array has no address, but an empty body must not be read from the callback.
        body: isWhole ? body.baseAddress ?? UnsafeRawPointer(url) : nil,
        body_size: Int64(request.body.length ?? -1),
        has_body: request.hasBody,
        is_head: request.method == .head,
        is_secure: transfer.url.origin.isSecure,
        skip_certificate_checks: transfer.skipsCertificateChecks,
        bypass_proxy: transfer.url.origin.isLoopback,
        decompress: request.decompressesResponse,
        receive_buffer_size: request.streamsResponse
          ? Self.receiveBufferSizes.stream : Self.receiveBufferSizes.whole,
        connect_timeout_ms: request.limits.connectTimeout.curlMilliseconds,
        context: Unmanaged.passUnretained(transfer).toOpaque())
      return nova_curl_prepare(easy, &raw)
    }
  }

  /// Lets go of everything that belongs to a transfer.
  func clear() {
    nova_curl_clear(easy)
    nova_curl_headers_free(headers)
    headers = nil
  }

  /// The client's certificate is for the origin the caller named: like a token, it does not follow a redirect.
  private func offerCertificate(_ isOffered: Bool) -> CURLcode {
    guard let certificate = options.clientCertificateFile else { return CURLE_OK }
    return nova_curl_set_client_certificate(
      easy, isOffered ? certificate : nil, isOffered ? options.clientKeyFile : nil)
  }

  private func setHeaders(_ lines: HeaderLines) {
    let old = headers
    headers = lines.bytes.withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.flatMap { nova_curl_headers_new($0, bytes.count, lines.count) }
    }
    nova_curl_headers_free(old)
  }
}

#if WebSocket
  extension CurlHandle {
    /// Connects to an origin, and sends nothing. Blocks.
    func connect(to origin: HTTPOrigin, skipsCertificateChecks: Bool, timeout: Duration) -> CURLcode {
      let code = offerCertificate(true)
      guard code == CURLE_OK else { return code }
      return origin.text.withCString { url in
        var tunnel = nova_curl_tunnel(
          url: url, skip_certificate_checks: skipsCertificateChecks, bypass_proxy: origin.isLoopback,
          connect_timeout_ms: timeout.curlMilliseconds)
        return nova_curl_connect(easy, &tunnel)
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
