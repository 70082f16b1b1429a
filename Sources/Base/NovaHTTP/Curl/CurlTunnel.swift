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
      return try await CurlAttempt(
        to: origin, options: options, timeout: timeout,
        take: { handle throws(SystemError) in try handle.detach(isSecure: origin.isSecure) },
        drop: { nova_curl_close($0) }
      ).result()
    }
  }
#endif
