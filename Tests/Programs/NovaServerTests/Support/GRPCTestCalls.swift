import NIOHTTP2
import NovaCore
import NovaMock
import Testing

@testable import NovaServer

/// Runs `body` with a server that has a gRPC port, and a connection to it. Afterwards no stream may be open.
func withGRPC(
  _ backend: MockBackend = MockBackend(dataSet: .empty), hasAdmin: Bool = false,
  allowedOrigins: [String] = [], limits: NovaServer.ConnectionLimits = .patient,
  budget: MemoryBudget = MemoryBudget(), log: (@Sendable (String) -> Void)? = nil,
  body: (_ server: MockServer, _ client: HTTP2TestClient, _ port: UInt16) async throws -> Void
) async throws {
  let server = try await MockServer(
    host: "127.0.0.1", port: 0, grpcPort: 0, backend: backend, hasAdmin: hasAdmin, allowedOrigins: allowedOrigins,
    log: log, limits: limits, budget: budget, webSockets: [.events(of: backend)])
  let port = try #require(UInt16(server.grpcURL?.split(separator: ":").last ?? ""))
  let client = try await HTTP2TestClient.connect(to: port)
  do {
    try await body(server, client, port)
  } catch {
    await client.close()
    await server.stop()
    throw error
  }
  await client.close()
  await server.stop()
  #expect(server.openStreams == 0 && server.heldBytes == 0)
}

/// The path of an RPC over gRPC.
func path(of rpc: RPCDescriptor) -> String { "/\(rpc.package)/\(rpc.method)" }

/// A message with its prefix.
func framed(_ message: [UInt8], flags: UInt8 = 0) -> [UInt8] {
  [flags] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: message.count >> $0) } + message
}

/// The headers of a call.
func grpcHeaders(
  _ path: String, _ metadata: [(String, String)] = [], type: String = "application/grpc", method: String = "POST"
) -> [(String, String)] {
  [
    (":method", method), (":scheme", "http"), (":path", path), (":authority", "127.0.0.1"), ("content-type", type),
    ("te", "trailers"),
  ] + metadata
}

extension HTTP2TestClient {
  /// Sends bytes as the body of a call, and waits for its end.
  func call(
    _ path: String, body: [UInt8], _ metadata: [(String, String)] = [], type: String = "application/grpc"
  ) async throws -> HTTP2TestAnswer {
    let stream = try await open(grpcHeaders(path, metadata, type: type))
    // The server may have ended the call before, for example because its deadline was over; the answer shows that.
    try? await stream.send(body, endStream: true)
    return await stream.ended()
  }

  /// Calls an RPC with a message.
  func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, metadata: [(String, String)] = []
  ) async throws -> HTTP2TestAnswer {
    try await call(NovaServerTests.path(of: rpc.descriptor), body: framed(try request.protobuf()), metadata)
  }

  /// Begins a call whose response is a stream.
  func stream<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, metadata: [(String, String)] = []
  ) async throws -> HTTP2TestStream {
    let stream = try await open(grpcHeaders(NovaServerTests.path(of: rpc.descriptor), metadata))
    let message = framed(try request.protobuf())
    try? await stream.send(message, endStream: true)
    return stream
  }
}
