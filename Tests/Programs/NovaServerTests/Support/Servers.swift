import NIOCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

#if !Server
  #error("These tests need nova serve: run `make test`, or `Tools/swift test`.")
#endif

extension NovaServer.ConnectionLimits {
  /// On a busy machine, a client that does nothing wrong can take longer than a server waits.
  static let patient = Self(request: .hours(1), idle: .hours(1), stall: .hours(1), answer: .hours(1))
}

/// Runs `body` with a server in this process, on a free port or the one given.
func withServer(
  _ backend: MockBackend = MockBackend(dataSet: .empty), hasAdmin: Bool = false, limits: ConnectionLimits = .patient,
  budget: MemoryBudget = MemoryBudget(), allowedHosts: [String] = [], allowedOrigins: [String] = [],
  host: String = "127.0.0.1", port: UInt16 = 0, webSockets: [WebSocketEndpoint] = [],
  body: (_ server: MockServer, _ port: UInt16) async throws -> Void
) async throws {
  let server = try await MockServer(
    host: host, port: port, backend: backend, hasAdmin: hasAdmin, allowedHosts: allowedHosts,
    allowedOrigins: allowedOrigins, limits: limits, budget: budget, webSockets: webSockets)
  let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
  do {
    try await body(server, port)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// A request as it stands on the wire.
func request(_ path: String, _ body: String = "", verb: String = "POST", headers: String = "") -> [UInt8] {
  let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
  let head = "\(verb) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(type)\(headers)"
  return Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
}

let isMutedPath = "/api/v1/graph/is-muted"
let isMutedBody = #"{"muter_id":"a","mutee_id":"b"}"#

/// A call that needs no data, and whether its answer came.
let isMuted = request(isMutedPath, isMutedBody)

func isAnswered(at port: UInt16) async -> Bool {
  await exchange(isMuted, port: port).hasSuffix(#"{"is_muted":false}"#)
}
