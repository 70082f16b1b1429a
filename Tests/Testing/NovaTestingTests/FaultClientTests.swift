import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// Faults as the SDK's own transport sees them, where raw bytes prove too little.
@Suite(.hangLimit) struct FaultClientTests {
  private func send(
    _ url: String, method: HTTPMethod = .get, caFile: String? = nil, limit: Int = 1 << 20
  ) async throws -> HTTPResponse {
    let transport = CurlTransport(options: .init(caFile: caFile))
    let request = HTTPRequest(
      method: method, url: url, headers: ["Authorization": "Bearer secret"],
      limits: TransferLimits(maximumResponseBytes: limit))
    let result: Result<HTTPResponse, any Error>
    do { result = .success(try await transport.send(request)) } catch { result = .failure(error) }
    await transport.shutdown()
    return try result.get()
  }

  private func failure(_ url: String, caFile: String? = nil) async -> TransportError? {
    await #expect(throws: TransportError.self) { try await send(url, caFile: caFile) }
  }

  @Test(arguments: [1, 2, 259, 260, 1000, 1_000_000]) func theBombIsGoodGzip(count: Int) async throws {
    try await withFaultServer([.fault(.gzipBomb(inflatingTo: count))]) { server in
      let body = try await send(server.url, limit: 2_000_000).body.inMemory
      #expect((count..<count + 258).contains(body.count) && body.allSatisfy { $0 == 0 })
    }
  }

  @Test func theBombIsLargerThanAnyLimit() async throws {
    try await withFaultServer([.fault(.gzipBomb())]) { server in
      #expect(await failure(server.url)?.kind == .responseTooLarge)
    }
  }

  @Test(arguments: [Fault.redirectToOtherOrigin302, .redirectToOtherOrigin307, .redirectToOtherOrigin308])
  func otherOriginSeesForwardedHeaders(fault: Fault) async throws {
    try await withFaultServer([.fault(fault)]) { server in
      try await #expect(send(server.url + "/a").status == 200)
      #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer secret"])
      #expect(server.otherOriginRequests.map(\.url.target) == ["/a?redirected=1"])
      #expect(server.otherOriginRequests.first?.headers["Authorization"] == nil)
      #expect(server.executions(of: "/a") == 1)
    }
  }

  @Test(arguments: [Fault.redirect302, .redirect303, .redirect307, .redirect308])
  func redirectsEndOnTheSameServer(fault: Fault) async throws {
    try await withFaultServer([.fault(fault)]) { server in
      try await #expect(send(server.url + "/a").status == 200)
      #expect(server.requests.map(\.url.target) == ["/a", "/a?redirected=1"] && server.executions(of: "/a") == 1)
    }
  }

  @Test func theLoopHasNoEnd() async throws {
    try await withFaultServer([.fault(.redirectLoop)]) { server in
      #expect(await failure(server.url + "/a")?.kind == .redirectRefused)
      #expect(server.requestCount > 2 && server.stepsTaken == 1 && server.executions.isEmpty)
      try await #expect(send(server.url + "/a").status == 200)
    }
  }

  @Test func plainTextIsNoTLS() async throws {
    try await withFaultServer([.fault(.plainTextOnTLSPort)]) { server in
      #expect(await failure(server.url)?.kind == .tls)
      #expect(server.requestCount == 0)
    }
  }

  /// In the words of OpenSSL and libcurl.
  private static let reasons: [TLSFault: String] = [
    .expired: "has expired", .notYetValid: "not yet valid", .selfSigned: "self", .wrongHost: "host name 'localhost'",
    .unknownAuthority: "issuer",
  ]

  @Test(arguments: TLSFault.allCases) func invalidCertificatesAreRejected(fault: TLSFault) async throws {
    try await withFaultServer { server in
      let nginx = try NginxServer(upstreamPort: server.port, fault: fault)
      defer { nginx.stop() }
      let error = await failure("https://localhost:\(nginx.http1Port)/api/a", caFile: nginx.caFile)
      #expect(error?.kind == .tls && error?.requestMayHaveLeft == false)
      #expect(error?.message.contains(Self.reasons[fault] ?? "?") == true, "\(error?.message ?? "")")
      #expect(server.requestCount == 0)
    }
  }

  @Test func theGoodCertificateIsGood() async throws {
    try await withFaultServer { server in
      let nginx = try NginxServer(upstreamPort: server.port)
      defer { nginx.stop() }
      try await #expect(send("https://localhost:\(nginx.http1Port)/api/a", caFile: nginx.caFile).status == 200)
      #expect(server.executions(of: "/api/a") == 1)
    }
  }
}
