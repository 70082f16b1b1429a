import FlyingFox
import FlyingSocks
import NovaCore
import NovaMock

/// A mock backend behind HTTP.
struct MockServer: Sendable {
  /// Where it listens.
  let url: String
  private let server: HTTPServer
  private let running: Task<Void, any Error>

  /// Starts listening.
  ///
  /// - Throws: ``Failure`` when that cannot be.
  init(address: ListeningAddress, backend: MockBackend, logsRequests: Bool) async throws {
    let server = HTTPServer(
      config: HTTPServer.Configuration(
        address: address.socketAddress, pool: NoDelaySocketPool(base: HTTPServer.defaultPool()), logger: .disabled),
      handler: MockHTTPHandler(backend: backend, logsRequests: logsRequests))
    self.server = server
    running = Task { try await server.run() }
    url = address.url(port: try await Self.port(server, running, address))
  }

  /// The port it listens on, or why it does not.
  private static func port(
    _ server: HTTPServer, _ running: Task<Void, any Error>, _ address: ListeningAddress
  ) async throws -> UInt16 {
    let outcome = await withTaskGroup(of: (any Error)?.self) { group in
      group.addTask { await Self.error { try await server.waitUntilListening(timeout: 60) } }
      group.addTask { await Self.error { try await running.value } }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    switch await server.listeningAddress {
    case .ip4(_, port: let port), .ip6(_, port: let port): return port
    default: throw failure(outcome, address.url(port: address.port))
    }
  }

  private static func error(_ body: () async throws -> Void) async -> (any Error)? {
    do { try await body() } catch { return error }
    return nil
  }

  private static func failure(_ error: (any Error)?, _ url: String) -> Failure {
    guard case .failed(_, let code, _) = error as? SocketError else {
      return Failure("cannot listen on \(url)", .failed)
    }
    let reason = SystemError(code: code)
    guard reason.isAddressInUse else { return Failure("cannot listen on \(url): \(reason.reason)", .failed) }
    return Failure(
      "cannot listen on \(url): another program does",
      hint: "Stop that program, or choose another port with --port; --port 0 takes a free one.", .failed)
  }

  /// Takes no more requests, and gives those under way a second to end.
  func stop() async {
    await server.stop(timeout: 1)
    running.cancel()
    _ = await running.result
  }
}
