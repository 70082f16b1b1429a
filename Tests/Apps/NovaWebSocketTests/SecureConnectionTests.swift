import NovaCore
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

/// Connections over TLS, through a real nginx.
@Suite(.hangLimit) struct SecureConnectionTests {
  /// A server that echoes messages, and answers a close frame.
  private static let echo: RawServer.Script = { connection in
    try connection.open()
    let reader = FrameReader(connection)
    while var frame = reader.next() {
      frame.mask = nil
      try connection.send(frame)
      if frame.opcode == RawFrame.close { return }
    }
  }

  private func withNginx(
    fault: TLSFault? = nil, _ script: @escaping RawServer.Script = echo,
    _ body: (NginxServer, RawServer) async throws -> Void
  ) async throws {
    try await withRawServer(script) { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port, fault: fault)
      defer { nginx.stop() }
      try await body(nginx, upstream)
    }
  }

  private func connect(
    to nginx: NginxServer, port: Int? = nil, _ transport: CurlTransport.Options
  ) async throws -> WebSocketConnection {
    let url = try HTTPURL(parsing: "https://localhost:\(port ?? nginx.http2Port)/socket/echo")
    return try await .connect(to: url, headers: ["Authorization": "Bearer t"], limits: quiet, transport: transport)
  }

  @Test func messagesOfEverySizeComeBack() async throws {
    try await withNginx { nginx, upstream in
      let socket = try await connect(to: nginx, .init(caFile: nginx.caFile))
      for size in [0, 1, 125, 126, 65_535, 65_536, 500_000] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await socket.send(.binary(bytes))
        #expect(try await socket.receive() == .binary(bytes), "\(size) bytes")
      }
      await socket.close(.normal, reason: "done")
      #expect(socket.closure == WebSocketClosure(code: .normal, reason: "done"))
      #expect(upstream.requests.first?.header("Authorization") == "Bearer t")
      await upstream.waitUntilIdle()
    }
  }

  @Test func manyConnectionsShareTheThread() async throws {
    try await withNginx { nginx, upstream in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            let socket = try await connect(to: nginx, .init(caFile: nginx.caFile))
            for turn in 0..<20 {
              let text = String(repeating: "\(number) \(turn) ", count: 500)
              try await socket.send(text)
              #expect(try await socket.receive() == .text(text))
            }
            await socket.close()
          }
        }
        try await group.waitForAll()
      }
      await upstream.waitUntilIdle()
    }
  }

  @Test(arguments: TLSFault.allCases) func noWrongCertificateIsTaken(_ fault: TLSFault) async throws {
    try await withNginx(fault: fault) { nginx, upstream in
      let error = await transportFailure { try await connect(to: nginx, .init(caFile: nginx.caFile)) }
      #expect(error?.kind == .tls && error?.requestMayHaveLeft == false, "\(String(describing: error))")
      #expect(upstream.connectionCount == 0)
      let unchecked = CurlTransport.Options(unsafelySkipsCertificateChecksOnLoopback: true)
      await (try connect(to: nginx, unchecked)).close()
    }
  }

  @Test func onlyKnownAuthoritiesAreTrusted() async throws {
    try await withNginx { nginx, upstream in
      #expect(await transportFailure { try await connect(to: nginx, .init()) }?.kind == .tls)
      #expect(upstream.connectionCount == 0)
    }
  }

  /// The thread between TLS and the connection also stops reading.
  @Test func whatIsNotReceivedIsNotRead() async throws {
    let sent = Seen<Int>()
    let count = 3000
    try await withNginx({ connection in
      try connection.open()
      let text = String(repeating: "x", count: 10_000)
      for number in 0..<count {
        try connection.send(RawFrame(text: "\(number) " + text))
        sent.add(number)
      }
      try connection.send(RawFrame(close: 1000))
      connection.hang()
    }) { nginx, _ in
      let socket = try await connect(to: nginx, .init(caFile: nginx.caFile))
      var last = -1
      try await waitUntil {
        try await Task.sleep(for: .milliseconds(200))
        defer { last = sent.all.count }
        return last == sent.all.count
      }
      #expect(sent.all.count < count)
      var number = 0
      while case .text(let message) = try await socket.receive() {
        #expect(message.hasPrefix("\(number) "))
        number += 1
      }
      #expect(number == count)
    }
  }

  @Test func cancellingTheReceiverClosesTheConnection() async throws {
    try await withNginx({ connection in
      try connection.open()
      connection.hang()
    }) { nginx, upstream in
      let socket = try await connect(to: nginx, .init(caFile: nginx.caFile))
      let task = Task { try await socket.receive() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await upstream.waitUntilIdle()
    }
  }

  @Test func aConnectionThatEndsWithoutACloseIsLost() async throws {
    try await withNginx({ try $0.open(RawFrame(text: "a")) }) { nginx, _ in
      let socket = try await connect(to: nginx, .init(caFile: nginx.caFile))
      #expect(try await socket.receive() == .text("a"))
      #expect(await transportFailure { try await socket.receive() }?.kind == .connectionLost)
    }
  }
}
