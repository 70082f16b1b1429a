#if GRPC
  import NovaHTTP
  import NovaTestSupport
  import NovaTesting
  import Testing

  /// The ways to a server: TLS, client certificates, proxies, Unix sockets, and other servers in its place.
  @Suite(.hangLimit) struct HTTP2RouteTests {
    private func withNginx(
      fault: TLSFault? = nil, _ body: (NginxServer) async throws -> Void
    ) async throws {
      let upstream = try RawServer { connection in
        while let request = try connection.readRequest() {
          try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n")
          try connection.write(request.body)
        }
      }
      let nginx = try NginxServer(upstreamPort: upstream.port, fault: fault)
      do { try await body(nginx) } catch {
        nginx.stop()
        upstream.stop()
        throw error
      }
      nginx.stop()
      upstream.stop()
    }

    private func send(_ request: HTTPRequest, _ options: CurlTransport.Options) async throws -> HTTP2Transport.Response
    {
      let transport = HTTP2Transport(options: .init(connections: options))
      do {
        let response = try await transport.send(request)
        await transport.shutdown()
        return response
      } catch {
        await transport.shutdown()
        throw error
      }
    }

    @Test(arguments: [0, 1, 100_000, 3_000_000]) func callsWorkOverTLS(count: Int) async throws {
      try await withNginx { nginx in
        let transport = HTTP2Transport(options: .init(connections: .init(caFile: nginx.caFile)))
        let protocolName = try await transport.send(
          .grpc("grpcs://localhost:\(nginx.http2Port)", "/protocol", body: []))
        #expect(protocolName.body.bytes == Array("HTTP/2.0".utf8))
        let body = pattern(count)
        // nginx ends the connection after 100 requests, with GOAWAY.
        for number in 0..<(count < 1000 ? 250 : 3) {
          let response = try await transport.send(
            .grpc("grpcs://localhost:\(nginx.http2Port)", "/up/\(number)", body: body))
          #expect(response.status == 200 && response.body.bytes == body)
        }
        await transport.shutdown()
      }
    }

    @Test func manyCallsWorkOverTLSAtOnce() async throws {
      try await withNginx { nginx in
        let transport = HTTP2Transport(options: .init(connections: .init(caFile: nginx.caFile)))
        let request = try HTTPRequest.grpc("grpcs://localhost:\(nginx.http2Port)", "/up/a", body: pattern(3000))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<500 { group.addTask { _ = try await transport.send(request) } }
          try await group.waitForAll()
        }
        await transport.shutdown()
      }
    }

    @Test(arguments: TLSFault.allCases) func certificatesAreChecked(fault: TLSFault) async throws {
      try await withNginx(fault: fault) { nginx in
        let request = try HTTPRequest.grpc("grpcs://localhost:\(nginx.http2Port)", "/protocol")
        let error = await #expect(throws: TransportError.self) {
          _ = try await send(request, .init(caFile: nginx.caFile))
        }
        #expect(error?.kind == .tls && error?.requestMayHaveLeft == false, "\(String(describing: error))")
        let unchecked = try await send(request, .init(unsafelySkipsCertificateChecksOnLoopback: true))
        #expect(unchecked.status == 200)
      }
    }

    @Test func aServerWithoutHTTP2IsNamed() async throws {
      try await withNginx { nginx in
        let error = await #expect(throws: TransportError.self) {
          _ = try await send(.grpc("grpcs://localhost:\(nginx.http1Port)"), .init(caFile: nginx.caFile))
        }
        #expect(error?.kind == .tls && error?.requestMayHaveLeft == false)
        #expect(
          error?.message
            == "localhost:\(nginx.http1Port) does not support HTTP/2 over TLS: it did not choose h2 in the "
            + "handshake; check that this is a port for gRPC", "\(String(describing: error))")
      }
    }

    /// TLS at a port without it, and the reverse.
    @Test func theWrongSchemeIsNamed() async throws {
      try await withFrameServer { connection in
        try connection.answerAll()
      } _: { server, transport in
        let limits = TransferLimits(connectTimeout: .seconds(2))
        let error = await failure(of: transport, try .grpc("grpcs://127.0.0.1:\(server.port)", limits: limits))
        #expect(
          [.tls, .connectionFailed].contains(error?.kind) && error?.requestMayHaveLeft == false,
          "\(String(describing: error))")
      }
      try await withNginx { nginx in
        let error = await #expect(throws: TransportError.self) {
          _ = try await send(.grpc("grpc://127.0.0.1:\(nginx.http2Port)"), .init())
        }
        #expect(error?.requestMayHaveLeft == false, "\(String(describing: error))")
      }
    }

    @Test func clientCertificatesAreSent() async throws {
      try await withNginx { nginx in
        let client = try nginx.makeClientCertificate(named: "caller")
        let request = try HTTPRequest.grpc("grpcs://localhost:\(nginx.clientCertificatePort)", "/client", body: [])
        let options = CurlTransport.Options(
          caFile: nginx.caFile, clientCertificateFile: client.certificateFile, clientKeyFile: client.keyFile)
        #expect(try await send(request, options).body.bytes == Array("CN=caller".utf8))
        let missing = try await send(request, .init(caFile: nginx.caFile))
        #expect(missing.status == 400)
      }
    }

    /// A proxy that makes tunnels.
    private func withProxy(to port: Int, _ body: (RawServer) async throws -> Void) async throws {
      let proxy = try RawServer { connection in
        guard let request = try connection.readRequest(), request.requestLine.hasPrefix("CONNECT ") else { return }
        try connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
        try connection.carry(toPort: port)
      }
      do { try await body(proxy) } catch {
        proxy.stop()
        throw error
      }
      proxy.stop()
    }

    @Test func callsGoThroughAProxy() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.answerAll()
      } _: { server, _ in
        try await withProxy(to: server.port) { proxy in
          let options = CurlTransport.Options(proxy: try HTTPProxy(parsing: "http://u:p@127.0.0.1:\(proxy.port)"))
          #expect(try await send(.grpc("grpc://nova.invalid:50051"), options).body.bytes == [1, 2, 3])
          #expect(proxy.requests.map(\.requestLine) == ["CONNECT nova.invalid:50051 HTTP/1.1"])
          #expect(proxy.requests.first?.header("Proxy-Authorization")?.hasPrefix("Basic ") == true)
        }
      }
    }

    @Test func secureCallsGoThroughAProxy() async throws {
      try await withNginx(fault: .wrongHost) { nginx in
        try await withProxy(to: nginx.http2Port) { proxy in
          let options = CurlTransport.Options(
            proxy: try HTTPProxy(parsing: "http://127.0.0.1:\(proxy.port)"), caFile: nginx.caFile)
          let response = try await send(.grpc("grpcs://elsewhere.invalid", "/protocol", body: []), options)
          #expect(response.body.bytes == Array("HTTP/2.0".utf8))
          #expect(proxy.requests.map(\.requestLine) == ["CONNECT elsewhere.invalid:443 HTTP/1.1"])
        }
      }
    }

    @Test func aProxyThatRefusesIsNamed() async throws {
      let proxy = try RawServer { connection in
        _ = try connection.readRequest()
        try connection.write("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
      }
      let options = CurlTransport.Options(proxy: try HTTPProxy(parsing: "http://127.0.0.1:\(proxy.port)"))
      let error = await #expect(throws: TransportError.self) {
        _ = try await send(.grpc("grpc://nova.invalid:50051"), options)
      }
      #expect(error?.kind == .connectionFailed && error?.requestMayHaveLeft == false)
      #expect(error?.message.contains("refused it with HTTP 407; set the user name") == true)
      proxy.stop()
    }

    @Test func anotherServerTakesThePlace() async throws {
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.answerAll()
      } _: { server, _ in
        let other = try ConnectTo(parsing: "nova.invalid:50051:127.0.0.1:\(server.port)")
        let options = CurlTransport.Options(connectTo: [other])
        let response = try await send(.grpc("grpc://nova.invalid:50051"), options)
        #expect(response.status == 200)
      }
    }

    @Test func callsGoThroughAUnixSocket() async throws {
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/h2"
      try await withFrameServer { connection in
        try connection.send(.settings())
        try connection.answerAll()
      } _: { server, _ in
        let relay = try UnixRelay(at: path, to: server.port)
        let origin = try HTTPURL(parsingService: "grpc://localhost:50051").origin
        let options = CurlTransport.Options(unixSocket: try UnixSocket(path: path, for: [origin]))
        #expect(try await send(.grpc("grpc://localhost:50051"), options).status == 200)
        relay.stop()
      }
    }
  }

  /// Carries one connection from a Unix socket to a port.
  private final class UnixRelay: Sendable {
    private let listener: RawSocket

    init(at path: String, to port: Int) throws {
      listener = try RawSocket.listening(atPath: path)
      DetachedThread.start { [listener] in
        guard let near = listener.accept(), let far = try? RawSocket.connected(to: port) else { return }
        DetachedThread.start { Self.carry(far, near) }
        Self.carry(near, far)
      }
    }

    private static func carry(_ source: RawSocket, _ target: RawSocket) {
      while case let bytes = source.read(), !bytes.isEmpty { try? target.write(bytes) }
      target.cut()
    }

    func stop() { listener.cut() }
  }
#endif
