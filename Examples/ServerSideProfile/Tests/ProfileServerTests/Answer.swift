import NovaSDK
import ProfileServer

/// What a server of its own, on a free port, says to a request.
func answer(to path: String, by reader: ProfileReader) async throws -> HTTPResponse {
  let (ports, listening) = AsyncStream.makeStream(of: Int.self)
  let server = Task {
    defer { listening.finish() }
    try await profileServer(reader, port: 0) { listening.yield($0) }.runService(gracefulShutdownSignals: [])
  }
  defer { server.cancel() }
  guard let port = await ports.first(where: { _ in true }) else {
    try await server.value
    throw CancellationError()
  }
  let transport = CurlTransport()
  let url = try HTTPURL(parsing: "http://127.0.0.1:\(port)\(path)")
  let response = try await transport.send(HTTPRequest(method: .get, url: url))
  await transport.shutdown()
  return response
}
