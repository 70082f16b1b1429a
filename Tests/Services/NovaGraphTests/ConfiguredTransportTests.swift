import NovaCore
import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

/// A program that imports only a service: the configuration alone decides how it calls.
@Suite(.hangLimit) struct ConfiguredTransportTests {
  private func client(_ variables: [String: String]) throws -> APIClient {
    APIClient(configuration: try .load(file: .none, environment: variables)) { $0.resilience = .none }
  }

  private func withGateway(_ body: (NginxServer) async throws -> Void) async throws {
    let answer = Array(#"{"user_ids":["a"],"total_count":1,"has_more":false}"#.utf8)
    try await withRawServer { connection in
      try connection.respondToAll(headers: ["Content-Type: application/json"], body: answer)
    } _: { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port)
      defer { nginx.stop() }
      try await body(nginx)
    }
  }

  @Test func honoursTheCertificateAuthority() async throws {
    try await withGateway { nginx in
      let url = "https://localhost:\(nginx.http2Port)"
      let trusting = try client(["NOVA_BASE_URL": url, "NOVA_CA_FILE": nginx.caFile])
      #expect(try await GraphService(client: trusting).getFollowers(userId: "u").userIds == ["a"])
      await trusting.shutdown()
      let strange = try client(["NOVA_BASE_URL": url])
      let error = await #expect(throws: APIError.self) {
        try await GraphService(client: strange).getFollowers(userId: "u")
      }
      #expect(error?.transport?.kind == .tls)
      await strange.shutdown()
    }
  }

  @Test func sendsNothingOffline() async throws {
    try await withRawServer {
      try $0.respondToAll()
    } _: { server in
      let offline = try client(["NOVA_BASE_URL": server.url(""), "NOVA_OFFLINE": "1"])
      let error = await #expect(throws: APIError.self) {
        try await GraphService(client: offline).getFollowers(userId: "u")
      }
      #expect(error?.transport?.kind == .offline && server.connectionCount == 0)
    }
  }

  @Test(arguments: ["0", "1"]) func saysWhatToDoWithoutAMock(offline: String) async throws {
    let mock = try client(["NOVA_MOCK": "1", "NOVA_OFFLINE": offline])
    let error = await #expect(throws: APIError.self) { try await GraphService(client: mock).getFollowers(userId: "u") }
    #expect(error?.transport?.kind == .unavailable)
    for hint in ["NovaClient", "MockTransport", "NOVA_MOCK=0"] { #expect(error?.message.contains(hint) == true) }
  }
}
