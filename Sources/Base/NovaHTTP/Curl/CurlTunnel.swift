#if WebSocket
  internal import CNovaCurl
  import NovaSupport

  /// Connections for protocols other than HTTP, made by libcurl with the proxy, Unix socket, certificates, and checks
  /// of all requests. They don't count toward any ``ConnectionLimits``.
  package enum CurlTunnel {
    /// Connects without sending anything.
    ///
    /// - Parameter options: how to reach the server, and which certificates to trust and send.
    /// - Returns: the descriptor of a socket that carries the unencrypted bytes in both directions; the caller closes
    ///   it.
    /// - Throws: ``TransportError``; or `CancellationError` at once, and the connection is then closed when it is made.
    package static func open(
      to origin: HTTPOrigin, options: CurlTransport.Options, timeout: Duration
    ) async throws -> Int32 {
      if let problem = nova_curl_load() { throw TransportError.unavailable(String(cString: problem)) }
      try Task.checkCancellation()
      let attempt = TunnelAttempt(origin: origin, options: options, timeout: timeout)
      attempt.start()
      return try await attempt.descriptor.value()
    }
  }

  /// One attempt to connect. A task waits while a thread makes the connection, because libcurl's multi interface closes
  /// connections without a request when it looks for idle ones.
  private final class TunnelAttempt: Sendable {
    private let origin: HTTPOrigin
    private let options: CurlTransport.Options
    private let timeout: Duration
    let descriptor = FirstResult<Int32>()

    init(origin: HTTPOrigin, options: CurlTransport.Options, timeout: Duration) {
      (self.origin, self.options, self.timeout) = (origin, options, timeout)
    }

    func start() {
      let box = Unmanaged.passRetained(self)
      let status = nova_thread_start(
        { Unmanaged<TunnelAttempt>.fromOpaque($0).takeRetainedValue().run() }, box.toOpaque())
      guard status != 0 else { return }
      box.release()
      descriptor.finish(.failure(TransportError.unavailable("no thread could be started (errno \(status))")))
    }

    private func run() {
      let result: Result<Int32, any Error> = Result { try connect() }
      if !descriptor.finish(result), case .success(let descriptor) = result { nova_curl_close(descriptor) }
    }

    private func connect() throws(TransportError) -> Int32 {
      guard let handle = CurlHandle(options: options) else { throw .unavailable("libcurl could not create a handle") }
      let skipsChecks = options.unsafelySkipsCertificateChecksOnLoopback && origin.isLoopback
      let code = handle.connect(to: origin, skipsCertificateChecks: skipsChecks, timeout: timeout)
      guard code == CURLE_OK else {
        throw CurlFailure(code, handle, origin: origin, options: options, connectTimeout: timeout).error
      }
      try options.checkPeer(of: handle, origin: origin, skipsChecks: skipsChecks)
      do throws(SystemError) {
        return try handle.detach(isSecure: origin.isSecure)
      } catch {
        throw TransportError(
          .connectionFailed, "no connection to \(origin.place)", reason: error.reason, requestMayHaveLeft: false)
      }
    }
  }
#endif
