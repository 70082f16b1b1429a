package import NovaHTTP

/// Runs `body` with a transport and a raw server, and ends both.
package func withTransport<Result: Sendable>(
  _ options: CurlTransport.Options = .init(),
  to script: @escaping RawServer.Script,
  _ body: (CurlTransport, RawServer) async throws -> Result
) async throws -> Result {
  try await withRawServer(script) { server in
    let transport = CurlTransport(options: options)
    let result: Result
    do { result = try await body(transport, server) } catch {
      await transport.shutdown()
      throw error
    }
    await transport.shutdown()
    return result
  }
}
