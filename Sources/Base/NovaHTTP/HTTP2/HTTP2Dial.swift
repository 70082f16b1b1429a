#if GRPC
  internal import CNovaCurl
  import NovaSupport

  /// A connection that was made for HTTP/2.
  struct HTTP2DialedSocket: Sendable {
    let socket: CurlChannel
    /// What was read while the protocol was checked.
    let firstBytes: [UInt8]
    /// Until when the server must have sent its first frame.
    let deadline: Int64
  }

  /// One attempt to connect to an address. A thread makes it, because libcurl blocks.
  final class HTTP2Dial: Sendable {
    private let endpoint: HTTP2Endpoint
    private let server: HTTPOrigin
    private let options: CurlTransport.Options
    private let timeout: Duration
    private let began: Int64

    init(to endpoint: HTTP2Endpoint, timeout: Duration, began: Int64, options: CurlTransport.Options) {
      self.endpoint = endpoint
      self.timeout = timeout
      self.began = began
      server = endpoint.server
      var options = options
      if let address = endpoint.address,
        let other = try? ConnectTo(parsing: "\(server.place):\(address):\(server.port)")
      {
        options.connectTo.insert(other, at: 0)
      }
      self.options = options
    }

    func start(on engine: HTTP2Engine) {
      let status = HTTP2Thread { [self] in end(run(), on: engine) }.start()
      if status != 0 { end(.failure(.unavailable("no thread could be started (errno \(status))")), on: engine) }
    }

    private func end(_ result: Result<HTTP2DialedSocket, TransportError>, on engine: HTTP2Engine) {
      engine.locked { core in core.dialEnded(endpoint, result) }
    }

    private func run() -> Result<HTTP2DialedSocket, TransportError> {
      Result { () throws(TransportError) in try connect() }
    }

    private func connect() throws(TransportError) -> HTTP2DialedSocket {
      // A proxy over TLS must not be offered HTTP/2. Whether the environment's is used shows only afterwards.
      let route = options.route(to: server)
      let mayHaveSecureProxy =
        route == .proxy && options.proxy.server?.isSecure == true
        || route == .environment && nova_curl_environment_has_secure_proxy()
      var socket = try open(awaitsTunnel: mayHaveSecureProxy)
      if socket == nil, mayHaveSecureProxy { socket = try open(awaitsTunnel: false) }
      guard let socket else { throw noHTTP2 }
      return try examine(socket)
    }

    /// Connects; nil if HTTP/2 was not offered, because there was no tunnel.
    private func open(awaitsTunnel: Bool) throws(TransportError) -> CurlChannel? {
      guard let handle = CurlHandle(options: options) else { throw .unavailable("libcurl could not create a handle") }
      let skipsChecks = options.unsafelySkipsCertificateChecksOnLoopback && server.isLoopback
      let alpn = UnsafeMutablePointer<nova_curl_alpn>.allocate(capacity: 1)
      alpn.initialize(to: nova_curl_alpn(awaits_tunnel: awaitsTunnel, was_offered: false))
      defer { alpn.deallocate() }
      if server.isSecure, nova_curl_offer_http2(handle.easy, alpn) != CURLE_OK {
        throw .unavailable("HTTP/2 over TLS needs a libcurl that uses OpenSSL")
      }
      let code = handle.connect(to: server, skipsCertificateChecks: skipsChecks, timeout: timeout)
      guard code == CURLE_OK else {
        // The alert of servers that know the extension, and have no protocol in common.
        if handle.errorText.contains("no application protocol") { throw noHTTP2 }
        throw CurlFailure(code, handle, origin: server, options: options, connectTimeout: timeout).error
      }
      if server.isSecure, !alpn.pointee.was_offered { return nil }
      try options.checkPeer(of: handle, origin: server, skipsChecks: skipsChecks)
      do throws(SystemError) {
        return CurlChannel(try handle.takeChannel(isSecure: server.isSecure, deadAfter: Self.deadAfter))
      } catch {
        throw TransportError(
          .connectionFailed, "no connection to \(server.place)", reason: error.reason, requestMayHaveLeft: false)
      }
    }

    /// How long sent bytes may stay unacknowledged.
    private static let deadAfter = Duration.seconds(20)

    /// Checks that a server over TLS chose HTTP/2.
    private func examine(_ socket: CurlChannel) throws(TransportError) -> HTTP2DialedSocket {
      var first: [UInt8] = []
      if server.isSecure {
        // libcurl reveals the TLS session only after a read.
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let progress = buffer.withUnsafeMutableBufferPointer { buffer in
          buffer.baseAddress.map { socket.read(into: $0, count: buffer.count) }
        }
        if case .bytes(let count)? = progress { first = Array(buffer[..<count]) }
        guard socket.choseHTTP2 else { throw noHTTP2 }
      }
      return HTTP2DialedSocket(
        socket: socket, firstBytes: first, deadline: began.addingClamped(timeout.clampedNanoseconds))
    }

    private var noHTTP2: TransportError {
      TransportError(
        .tls, "\(server.place) does not support HTTP/2 over TLS", reason: "it did not choose h2 in the handshake",
        advice: "check that this is a port for gRPC", requestMayHaveLeft: false)
    }
  }
#endif
