import FlyingFox
import FlyingSocks
public import NovaMock

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A mock backend behind HTTP.
public struct MockServer: Sendable {
  /// Where it listens, for example `http://127.0.0.1:8080`.
  public let url: String
  private let server: HTTPServer
  private let running: Task<Void, any Error>

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address.
  ///   - port: 0 takes a free one.
  ///   - backend: what answers.
  ///   - hasAdmin: whether `/_nova/` shows and changes the backend's state, to everyone who can reach it. Default
  ///     `false`.
  ///   - log: gets a line about each request.
  /// - Throws: ``MockServerError``.
  public init(
    host: String, port: UInt16, backend: MockBackend, hasAdmin: Bool = false, log: (@Sendable (String) -> Void)? = nil
  ) async throws {
    let isIPv6 = host.contains(":")
    let isLoopback = host.hasPrefix("127.") || host == "::1"
    let admin = hasAdmin ? AdminAPI(backend, requiresLocalName: isLoopback) : nil
    let server = HTTPServer(
      config: HTTPServer.Configuration(
        address: try Self.address(host, port), pool: NoDelaySocketPool(base: HTTPServer.defaultPool()),
        logger: .disabled),
      handler: MockHTTPHandler(backend: backend, admin: admin, log: log))
    let running = Task { try await server.run() }
    let root = "http://\(isIPv6 ? "[\(host)]" : host)"
    guard let port = await Self.listeningPort(of: server, running) else {
      throw MockServerError(await Self.error { try await running.value }, "\(root):\(port)")
    }
    self.server = server
    self.running = running
    url = "\(root):\(port)"
  }

  /// Takes no more requests, and gives those under way a second to end.
  public func stop() async {
    await server.stop(timeout: 1)
    running.cancel()
    _ = await running.result
  }

  private static func address(_ host: String, _ port: UInt16) throws -> any SocketAddress {
    if host.contains(":") { return try sockaddr_in6.inet6(ip6: host, port: port) }
    return try sockaddr_in.inet(ip4: host, port: port)
  }

  /// The port, once there is one; nil when the server has ended instead.
  private static func listeningPort(of server: HTTPServer, _ running: Task<Void, any Error>) async -> UInt16? {
    let waiting = Task { try await server.waitUntilListening(timeout: 60) }
    let watching = Task {
      _ = await running.result
      waiting.cancel()
    }
    _ = await waiting.result
    watching.cancel()
    switch await server.listeningAddress {
    case .ip4(_, let port), .ip6(_, let port): return port
    default: return nil
    }
  }

  private static func error(_ body: () async throws -> Void) async -> (any Error)? {
    do { try await body() } catch { return error }
    return nil
  }
}

/// Why a server does not listen.
public struct MockServerError: Error, CustomStringConvertible {
  /// What happened, and what to do next.
  public let description: String

  init(_ error: (any Error)?, _ url: String) {
    guard case .failed(_, let code, _) = error as? SocketError else {
      description = "cannot listen on \(url)"
      return
    }
    description =
      code == EADDRINUSE
      ? "cannot listen on \(url): another program does. Stop it, or choose another port with --port; 0 takes a free one."
      : "cannot listen on \(url): \(String(cString: strerror(code)))"
  }
}
