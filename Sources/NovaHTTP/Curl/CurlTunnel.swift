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
      let attempt = TunnelAttempt(origin: origin, options: options, timeout: timeout)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { attempt.start($0) }
      } onCancel: {
        attempt.end(.failure(CancellationError()))
      }
    }
  }

  /// One attempt to connect. A task waits while a thread makes the connection, because libcurl's multi interface closes
  /// connections without a request when it looks for idle ones.
  private final class TunnelAttempt: Sendable {
    private enum Progress {
      case idle
      case waiting(CheckedContinuation<Int32, any Error>)
      case ended
    }

    private let origin: HTTPOrigin
    private let options: CurlTransport.Options
    private let timeout: Duration
    private let progress = Locked(Progress.idle)

    init(origin: HTTPOrigin, options: CurlTransport.Options, timeout: Duration) {
      (self.origin, self.options, self.timeout) = (origin, options, timeout)
    }

    func start(_ continuation: CheckedContinuation<Int32, any Error>) {
      let isFirst = progress.withLock { progress in
        guard case .idle = progress else { return false }
        progress = .waiting(continuation)
        return true
      }
      guard isFirst else { return continuation.resume(throwing: CancellationError()) }
      let box = Unmanaged.passRetained(self)
      let status = nova_thread_start(
        { Unmanaged<TunnelAttempt>.fromOpaque($0).takeRetainedValue().run() }, box.toOpaque())
      guard status != 0 else { return }
      box.release()
      end(.failure(TransportError.unavailable("no thread could be started (errno \(status))")))
    }

    func end(_ result: Result<Int32, any Error>) {
      let waiter: CheckedContinuation<Int32, any Error>? = progress.withLock { progress in
        defer { progress = .ended }
        if case .waiting(let waiter) = progress { return waiter }
        return nil
      }
      if let waiter {
        waiter.resume(with: result)
      } else if case .success(let descriptor) = result {
        nova_curl_close(descriptor)
      }
    }

    private func run() { end(Result { try connect() }) }

    private func connect() throws(TransportError) -> Int32 {
      guard let handle = CurlHandle(options: options) else { throw .unavailable("libcurl could not create a handle") }
      let skipsChecks = options.unsafelySkipsCertificateChecksOnLoopback && origin.isLoopback
      let code = handle.connect(to: origin, skipsCertificateChecks: skipsChecks, timeout: timeout)
      guard code == CURLE_OK else {
        throw CurlFailure(code, handle, origin: origin, options: options, connectTimeout: timeout).error
      }
      try check(handle.peer, skipsChecks: skipsChecks)
      do throws(SystemError) {
        return try handle.detach(isSecure: origin.isSecure)
      } catch {
        throw TransportError(
          .connectionFailed, "no connection to \(origin.place)", reason: error.reason, requestMayHaveLeft: false)
      }
    }

    /// The name of this machine can resolve to another machine's address.
    private func check(_ peer: String?, skipsChecks: Bool) throws(TransportError) {
      let isHere = options.route(to: origin) == .socket || peer.map(NetworkHost.isLoopback) ?? false
      guard origin.isLoopback, skipsChecks || !origin.isSecure, !isHere else { return }
      throw TransportError(
        origin.isSecure ? .tls : .invalidURL,
        "\(origin.place) is not on this machine, and the connection is not protected", sent: .nothing,
        requestMayHaveLeft: false)
    }
  }
#endif
