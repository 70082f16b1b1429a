#if GRPC
  import NovaHTTP
  import NovaSupport
  import NovaTestSupport
  import NovaTesting
  import Testing

  /// Several addresses of a server.
  @Suite(.hangLimit) struct HTTP2BalancingTests {
    /// Servers that answer with their number.
    private func withServers(
      _ count: Int, options: HTTP2Transport.Options = .init(),
      _ body: ([FrameServer], HTTP2Transport) async throws -> Void
    ) async throws {
      let servers = try (0..<count).map { number in
        try FrameServer { connection in
          try connection.send(.settings())
          while true { try connection.answer(connection.nextRequest(), [UInt8(number)]) }
        }
      }
      let transport = HTTP2Transport(options: options)
      do { try await body(servers, transport) } catch {
        servers.forEach { $0.stop() }
        throw error
      }
      await transport.shutdown()
      servers.forEach { $0.stop() }
    }

    private func address(_ ports: [Int]) -> String {
      "grpc://" + ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
    }

    private func numbers(_ count: Int, over transport: HTTP2Transport, _ url: String) async throws -> [UInt8] {
      var numbers: [UInt8] = []
      for _ in 0..<count { numbers += try await transport.send(.grpc(url)).body.bytes ?? [] }
      return numbers
    }

    @Test func allAddressesAreUsedInTurn() async throws {
      try await withServers(3) { servers, transport in
        let url = address(servers.map(\.port))
        // The first calls make the connections.
        try await waitUntil { Set(try await numbers(3, over: transport, url)).count == 3 }
        let found = try await numbers(9, over: transport, url)
        #expect(Set(found.prefix(3)).count == 3 && Array(found[0..<6]) == Array(found[3..<9]))
        #expect(servers.map(\.connectionCount) == [1, 1, 1])
      }
    }

    @Test func theFirstAddressIsUsedAlone() async throws {
      try await withServers(2, options: .init(balancing: .pickFirst)) { servers, transport in
        let first = try await numbers(5, over: transport, address(servers.map(\.port)))
        #expect(first == [0, 0, 0, 0, 0])
        #expect(servers.map(\.connectionCount) == [1, 0])
        servers[0].stop()
        // The end may be noticed only by the next call.
        try await waitUntil { (try? await numbers(1, over: transport, address(servers.map(\.port)))) == [1] }
        let second = try await numbers(3, over: transport, address(servers.map(\.port)))
        #expect(second == [1, 1, 1])
      }
    }

    /// An address that refuses connections costs no call, and is left alone for a while.
    @Test(arguments: HTTP2Balancing.allCases) func aFailedAddressIsSkipped(balancing: HTTP2Balancing) async throws {
      let closed = try ClosedPort()
      let time = AddedTime()
      var options = HTTP2Transport.Options(balancing: balancing)
      options.connections.addedTime = time
      try await withServers(1, options: options) { servers, transport in
        let url = address([closed.port, servers[0].port])
        #expect(try await numbers(10, over: transport, url) == Array(repeating: 0, count: 10))
        // It works again, and is used again.
        let socket = try RawServerAt(closed.port)
        time.advance(by: .seconds(200))
        try await waitUntil {
          _ = try await numbers(1, over: transport, url)
          return socket.connectionCount > 0 || balancing == .pickFirst
        }
        socket.stop()
      }
    }

    @Test(arguments: HTTP2Balancing.allCases) func allAddressesFailed(balancing: HTTP2Balancing) async throws {
      let closed = try (0..<3).map { _ in try ClosedPort() }
      defer { withExtendedLifetime(closed) {} }
      let transport = HTTP2Transport(options: .init(balancing: balancing))
      for _ in 0..<3 {
        let error = await failure(of: transport, try .grpc(address(closed.map(\.port))))
        #expect(error?.kind == .connectionRefused && error?.requestMayHaveLeft == false)
        #expect(error?.message.hasSuffix("refused the connection") == true)
      }
      await transport.shutdown()
    }

    /// An address that answers nothing does not hold up calls that another address could take.
    @Test(arguments: HTTP2Balancing.allCases) func aSilentAddressIsPassedOver(balancing: HTTP2Balancing) async throws {
      let silent = try RawServer { $0.hang() }
      try await withServers(1, options: .init(balancing: balancing)) { servers, transport in
        let limits = TransferLimits(connectTimeout: .seconds(60))
        let url = address([silent.port, servers[0].port])
        for _ in 0..<3 {
          let response = try await transport.send(.grpc(url, limits: limits))
          #expect(response.body.bytes == [0])
        }
      }
      silent.stop()
    }

    /// A lost server's running calls fail, and later ones use the others.
    @Test func aLostServerIsReplaced() async throws {
      let doomed = try FrameServer { connection in
        try connection.send(.settings())
        _ = try connection.nextRequest()
      }
      try await withServers(1) { servers, transport in
        let url = address([doomed.port, servers[0].port])
        var failures = 0
        for _ in 0..<20 {
          do { _ = try await transport.send(.grpc(url)) } catch let error as TransportError {
            #expect(error.kind == .connectionLost && error.requestMayHaveLeft)
            failures += 1
          }
        }
        // Without the waits, which grow, half of the calls would fail.
        #expect(failures < 10)
      }
      doomed.stop()
    }

    /// The addresses of a name, which a lookup finds.
    @Test func allAddressesOfANameAreUsed() async throws {
      let names = Locked<[String]>([])
      var options = HTTP2Transport.Options()
      options.resolver = HTTP2Resolver { name in
        names.withLock { $0.append(name) }
        // All of 127.0.0.0/8 is this machine, but the server listens at one of them.
        return ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
      }
      try await withServers(1, options: options) { servers, transport in
        let url = "grpc://nova.invalid:\(servers[0].port)"
        let found = try await numbers(5, over: transport, url)
        #expect(found == [0, 0, 0, 0, 0])
        #expect(names.withLock { $0 } == ["nova.invalid"])
        #expect(servers[0].connectionCount == 1)
      }
    }

    @Test func anUnknownNameIsAnError() async throws {
      let transport = HTTP2Transport()
      let error = await failure(of: transport, try .grpc("grpc://nova.invalid:1"))
      #expect(error?.kind == .nameResolution && error?.requestMayHaveLeft == false, "\(String(describing: error))")
      await transport.shutdown()
    }

    /// A name that is never found must not hold up a call for longer than a connection may.
    @Test func aLookupThatHangsIsLimited() async throws {
      let gate = Gate()
      var options = HTTP2Transport.Options()
      options.resolver = HTTP2Resolver { _ in
        gate.waitFor(1)
        return []
      }
      let transport = HTTP2Transport(options: options)
      let limits = TransferLimits(connectTimeout: .milliseconds(100))
      let error = await failure(of: transport, try .grpc("grpc://nova.invalid:1", limits: limits))
      #expect(error?.kind == .connectTimeout && error?.requestMayHaveLeft == false)
      gate.open(1)
      await transport.shutdown()
    }
  }

  /// A server at a port that was closed.
  private final class RawServerAt: Sendable {
    private let socket: RawSocket
    private let count = Locked(0)

    init(_ port: Int) throws {
      socket = try RawSocket.bound(to: port, sharesPort: true)
      try socket.listen(backlog: 8)
      DetachedThread.start { [self] in
        while let _ = socket.accept() { count.withLock { $0 += 1 } }
      }
    }

    var connectionCount: Int { count.withLock { $0 } }

    func stop() { socket.cut() }
  }
#endif
