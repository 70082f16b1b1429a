internal import CNovaCurl
import NovaSupport

/// One attempt to connect without a request. A task waits while a thread makes the connection, because libcurl's multi
/// interface closes connections without a request when it looks for idle ones.
final class CurlAttempt<Connection: Sendable>: Sendable {
  private let origin: HTTPOrigin
  private let options: CurlTransport.Options
  private let timeout: Duration
  private let take: @Sendable (CurlHandle) throws(SystemError) -> Connection
  private let drop: @Sendable (Connection) -> Void
  private let first = FirstResult<Connection>()

  /// - Parameters:
  ///   - take: takes over the connection of a connected handle.
  ///   - drop: closes a connection that nobody waits for anymore.
  init(
    to origin: HTTPOrigin, options: CurlTransport.Options, timeout: Duration,
    take: @escaping @Sendable (CurlHandle) throws(SystemError) -> Connection,
    drop: @escaping @Sendable (Connection) -> Void
  ) {
    (self.origin, self.options, self.timeout) = (origin, options, timeout)
    (self.take, self.drop) = (take, drop)
  }

  /// Connects.
  ///
  /// - Throws: ``TransportError``; or `CancellationError` at once, and the connection is then closed when it is made.
  func result() async throws -> Connection {
    try Task.checkCancellation()
    let box = Unmanaged.passRetained(AttemptBody { self.run() })
    let status = nova_thread_start(
      { Unmanaged<AttemptBody>.fromOpaque($0).takeRetainedValue().body() }, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw TransportError.unavailable("no thread could be started (errno \(status))")
    }
    return try await first.value()
  }

  private func run() {
    let result: Result<Connection, any Error> = Result { try connect() }
    if !first.finish(result), case .success(let connection) = result { drop(connection) }
  }

  private func connect() throws(TransportError) -> Connection {
    guard let handle = CurlHandle(options: options) else { throw .unavailable("libcurl could not create a handle") }
    let skipsChecks = options.unsafelySkipsCertificateChecksOnLoopback && origin.isLoopback
    let code = handle.connect(to: origin, skipsCertificateChecks: skipsChecks, timeout: timeout)
    guard code == CURLE_OK else {
      throw CurlFailure(code, handle, origin: origin, options: options, connectTimeout: timeout).error
    }
    try options.checkPeer(of: handle, origin: origin, skipsChecks: skipsChecks)
    do throws(SystemError) {
      return try take(handle)
    } catch {
      throw TransportError(
        .connectionFailed, "no connection to \(origin.place)", reason: error.reason, requestMayHaveLeft: false)
    }
  }
}

private final class AttemptBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

extension CurlChannel {
  /// Connects without sending anything, with the certificates, checks, and Unix socket of `options`.
  ///
  /// - Parameter lifetime: how long sent bytes may stay unacknowledged until the connection counts as dead.
  /// - Throws: ``TransportError``; or `CancellationError` at once.
  package static func open(
    to origin: HTTPOrigin, options: CurlTransport.Options, timeout: Duration, deadAfter lifetime: Duration
  ) async throws -> CurlChannel {
    if let problem = nova_curl_load() { throw TransportError.unavailable(String(cString: problem)) }
    return try await CurlAttempt(
      to: origin, options: options, timeout: timeout,
      take: { handle throws(SystemError) in
        CurlChannel(try handle.takeChannel(isSecure: origin.isSecure, deadAfter: lifetime))
      }, drop: { $0.end() }
    ).result()
  }
}
