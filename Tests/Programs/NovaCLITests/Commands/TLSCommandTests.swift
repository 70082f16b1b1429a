import NovaTestSupport
import NovaTesting
import Testing

/// The certificates that the environment names, and the advice about certificates.
@Suite(.hangLimit) struct TLSCommandTests {
  // The page of a profile lists posts, too.
  private static let profile = Array(#"{"profile":{"id":"u1","username":"ada"},"posts":[],"total_count":0}"#.utf8)

  private func withNginx(_ body: (NginxServer) async throws -> Void) async throws {
    try await withRawServer({
      try $0.respondToAll(headers: ["Content-Type: application/json"], body: Self.profile)
    }) { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port)
      defer { nginx.stop() }
      try await body(nginx)
    }
  }

  @Test(arguments: ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"])
  func theEnvironmentsAuthoritiesAreTrusted(variable: String) async throws {
    try await withNginx { nginx in
      let value = variable == "SSL_CERT_DIR" ? try nginx.makeAuthorityDirectory() : nginx.caFile
      let arguments = ["profile", "u1", "--base-url", "https://localhost:\(nginx.http2Port)"]
      let run = try await ProgramRun(arguments, environment: [variable: value]).result()
      #expect(run.status == 0 && run.output.contains("ada"), "\(run)")
    }
  }

  /// A proxy of the environment, reached over TLS.
  @Test(arguments: ["NOVA_CA_FILE", "SSL_CERT_FILE", nil])
  func theSameAuthoritiesAreTrustedAtAProxy(variable: String?) async throws {
    try await withNginx { nginx in
      var environment = ["http_proxy": "https://localhost:\(nginx.http1Port)"]
      if let variable { environment[variable] = nginx.caFile }
      let arguments = ["profile", "u1", "--base-url", "http://nova.invalid", "--timeout", "5s"]
      let run = try await ProgramRun(arguments, environment: environment).result()
      #expect((run.status == 0) == (variable != nil), "\(run)")
    }
  }

  /// The advice is never to do without TLS.
  @Test func aFailureOfTLSIsAnsweredWithTheAuthority() async throws {
    try await withNginx { nginx in
      for port in [nginx.http2Port, nginx.http1Port] {
        let run = try await nova("profile", "u1", "--base-url", "https://localhost:\(port)")
        #expect(run.status != 0 && run.errors.contains("NOVA_CA_FILE"), "\(run)")
        #expect(!run.errors.contains("http://"), "\(run)")
      }
    }
    try await withRawServer({ try $0.write("HTTP/1.1 400 Bad Request\r\n\r\n") }) { server in
      let run = try await nova("profile", "u1", "--base-url", "https://127.0.0.1:\(server.port)")
      #expect(run.status != 0 && !run.errors.contains("http://"), "\(run)")
    }
  }
}
