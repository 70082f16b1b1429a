#if GRPC
  import NovaHTTP
  import NovaTestSupport
  import Testing

  /// Runs a server with a script for its frames, and a transport.
  func withFrameServer(
    options: HTTP2Transport.Options = .init(), _ script: @escaping FrameServer.Script,
    _ body: (FrameServer, HTTP2Transport) async throws -> Void
  ) async throws {
    let server = try FrameServer(script)
    let transport = HTTP2Transport(options: options)
    do {
      try await body(server, transport)
    } catch {
      await transport.shutdown()
      server.stop()
      throw error
    }
    await transport.shutdown()
    server.stop()
  }

  extension FrameServer {
    /// A request to the server.
    func request(
      _ path: String = "/a.Service/Method", body: [UInt8] = [7], streams: Bool = false, limits: TransferLimits = .init()
    ) throws -> HTTPRequest {
      try .grpc("grpc://127.0.0.1:\(port)", path, body: body, streams: streams, limits: limits)
    }
  }

  extension HTTPRequest {
    /// A call to servers.
    static func grpc(
      _ servers: String, _ path: String = "/a.Service/Method", body: [UInt8] = [7], streams: Bool = false,
      limits: TransferLimits = .init()
    ) throws -> HTTPRequest {
      var request = HTTPRequest(
        method: .post, url: try HTTPURL(parsingService: servers).appending(path),
        headers: ["content-type": "application/grpc", "te": "trailers"], body: body, limits: limits)
      request.streamsResponse = streams
      return request
    }
  }

  /// The error of a request that must fail.
  func failure(
    of transport: HTTP2Transport, _ request: HTTPRequest, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> TransportError? {
    await #expect(throws: TransportError.self, sourceLocation: sourceLocation) { _ = try await transport.send(request) }
  }
#endif
