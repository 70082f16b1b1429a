import Foundation
import NovaHTTP
import NovaSupport
import NovaTestSupport
import Testing

/// Trusted servers and client certificates, with a real nginx.
@Suite(.hangLimit) struct CurlTransportCertificateTests {
  private func withNginx(
    to script: @escaping RawServer.Script = { try $0.respondToAll() }, _ body: (NginxServer) async throws -> Void
  ) async throws {
    try await withRawServer(script) { upstream in
      let nginx = try NginxServer(upstreamPort: upstream.port)
      defer { nginx.stop() }
      try await body(nginx)
    }
  }

  // MARK: The certificates of the environment

  private func refusal(trusting variables: [String: String], caFile: String? = nil, at url: String) async
    -> TransportError?
  {
    var options = CurlTransport.Options(caFile: caFile)
    options.systemCertificates = SystemCertificates(variables)
    let transport = CurlTransport(options: options)
    defer { withExtendedLifetime(transport) {} }
    do {
      #expect(try await transport.send(.get(url)).status == 200)
      return nil
    } catch { return error as? TransportError }
  }

  @Test func trustsTheAuthoritiesOfTheEnvironment() async throws {
    try await withNginx { nginx in
      let url = "https://localhost:\(nginx.http2Port)/protocol"
      let directory = try nginx.makeAuthorityDirectory()
      let other = try nginx.makeClientCertificate(named: "other", isTrusted: false).certificateFile
      let trusting: [[String: String]] = [
        ["SSL_CERT_FILE": nginx.caFile], ["CURL_CA_BUNDLE": nginx.caFile], ["SSL_CERT_DIR": directory],
        ["SSL_CERT_FILE": other, "CURL_CA_BUNDLE": nginx.caFile], ["SSL_CERT_FILE": other, "SSL_CERT_DIR": directory],
        ["SSL_CERT_FILE": nginx.caFile, "CURL_CA_BUNDLE": ""],
      ]
      for variables in trusting { #expect(await refusal(trusting: variables, at: url) == nil, "\(variables)") }
      for variables in [
        [:], ["SSL_CERT_FILE": other], ["SSL_CERT_FILE": ""], ["CURL_CA_BUNDLE": other, "SSL_CERT_FILE": nginx.caFile],
      ] {
        #expect(await refusal(trusting: variables, at: url)?.kind == .tls, "\(variables)")
      }
    }
  }

  /// The file in the options replaces all other trusted certificates.
  @Test func theOptionsFileComesBeforeTheEnvironment() async throws {
    try await withNginx { nginx in
      let url = "https://localhost:\(nginx.http2Port)/protocol"
      let other = try nginx.makeClientCertificate(named: "other", isTrusted: false).certificateFile
      let wrong = ["SSL_CERT_FILE": other, "CURL_CA_BUNDLE": "/nowhere/a.pem", "SSL_CERT_DIR": "/nowhere"]
      #expect(await refusal(trusting: wrong, caFile: nginx.caFile, at: url) == nil)
      let directory = try nginx.makeAuthorityDirectory()
      let right = ["SSL_CERT_FILE": nginx.caFile, "CURL_CA_BUNDLE": nginx.caFile, "SSL_CERT_DIR": directory]
      #expect(await refusal(trusting: right, caFile: other, at: url)?.kind == .tls)
    }
  }

  @Test func aFileOfTheEnvironmentThatIsMissingIsNamed() async throws {
    try await withNginx { nginx in
      let url = "https://localhost:\(nginx.http2Port)/protocol"
      let error = await refusal(trusting: ["SSL_CERT_FILE": "/nowhere/a.pem"], at: url)
      #expect(
        error?.message
          == "no TLS connection to localhost:\(nginx.http2Port): the certificates to trust cannot be read from "
          + "\"/nowhere/a.pem\" of SSL_CERT_FILE (No such file or directory)")
    }
  }

  /// libcurl would wait for a pipe's writer, and block all connections, even beyond their time limits.
  @Test func pipesOfCertificatesAreNotWaitedFor() async throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let certificate = "/dev/null"
    var all = [
      CurlTransport.Options(caFile: pipe), .init(caFile: "/dev/zero"), .init(clientCertificateFile: pipe),
      .init(clientCertificateFile: certificate, clientKeyFile: pipe), .init(), .init(),
    ]
    all[4].systemCertificates = SystemCertificates(["SSL_CERT_FILE": pipe])
    all[5].systemCertificates = SystemCertificates(["CURL_CA_BUNDLE": pipe])
    for options in all {
      let transport = CurlTransport(options: options)
      let error = await failure(of: transport, .get("https://localhost:1/"))
      #expect(error?.kind == .tls && error?.requestMayHaveLeft == false, "\(options)")
      #expect(error?.message.contains("(not a regular file)") == true, "\(String(describing: error))")
      // Without TLS, the file is not read.
      #expect(await failure(of: transport, .get("http://localhost:1/"))?.kind == .connectionRefused)
      await transport.shutdown()
    }
  }

  @Test func aProxyIsTrustedByTheEnvironmentsAuthorities() async throws {
    try await withNginx { nginx in
      let proxy = try HTTPProxy(parsing: "https://localhost:\(nginx.http1Port)")
      for variables in [["SSL_CERT_FILE": nginx.caFile], [:]] {
        var options = CurlTransport.Options(proxy: proxy)
        options.systemCertificates = SystemCertificates(variables)
        let transport = CurlTransport(options: options)
        let status = try? await transport.send(.get("http://nova.invalid/up/1")).status
        #expect(status == (variables.isEmpty ? nil : 200), "\(variables)")
        await transport.shutdown()
      }
    }
  }

  // MARK: The client's certificate

  @Test func presentsTheCertificate() async throws {
    try await withNginx { nginx in
      let client = try nginx.makeClientCertificate(named: "tester")
      for (certificate, key) in [(client.certificateFile, client.keyFile), (client.combinedFile, nil)] {
        let transport = CurlTransport(
          options: .init(caFile: nginx.caFile, clientCertificateFile: certificate, clientKeyFile: key))
        // Twice, so that the second request reuses the handle and the connection.
        for _ in 0..<2 {
          let response = try await transport.send(.get("https://localhost:\(nginx.clientCertificatePort)/client"))
          #expect(String(decoding: response.body.inMemory, as: UTF8.self) == "CN=tester")
        }
        await transport.shutdown()
      }
    }
  }

  @Test func withoutOneOrWithAStrangersTheServerRefuses() async throws {
    try await withNginx { nginx in
      let stranger = try nginx.makeClientCertificate(named: "stranger", isTrusted: false).combinedFile
      for certificate in [nil, stranger] {
        let transport = CurlTransport(options: .init(caFile: nginx.caFile, clientCertificateFile: certificate))
        let response = try await transport.send(.get("https://localhost:\(nginx.clientCertificatePort)/client"))
        // nginx reports it in this way; other servers end the handshake.
        #expect(response.status == 400)
        await transport.shutdown()
      }
    }
  }

  @Test func saysWhichFileIsMissing() async throws {
    try await withNginx { nginx in
      let client = try nginx.makeClientCertificate(named: "tester")
      for (certificate, key) in [("/nowhere/a.pem", nil), (client.certificateFile, "/nowhere/a.pem")] {
        let transport = CurlTransport(
          options: .init(caFile: nginx.caFile, clientCertificateFile: certificate, clientKeyFile: key))
        let place = "localhost:\(nginx.clientCertificatePort)"
        let error = await failure(of: transport, .get("https://\(place)/client"))
        #expect(error?.kind == .tls)
        #expect(error?.requestMayHaveLeft == false)
        #expect(
          error?.message
            == "no TLS connection to \(place): the client's certificate cannot be read from \"/nowhere/a.pem\" "
            + "(No such file or directory)")
        await transport.shutdown()
      }
    }
  }

  /// A key of another certificate, an encrypted one (without asking for a password), a missing one, and one that is not
  /// PEM.
  @Test func saysWhenTheKeyDoesNotFit() async throws {
    try await withNginx { nginx in
      let client = try nginx.makeClientCertificate(named: "tester")
      let other = try nginx.makeClientCertificate(named: "other")
      let locked = try nginx.makeClientCertificate(named: "locked", password: "canary-password")
      let garbage = try nginx.write("canary-garbage", to: "garbage.pem")
      for (certificate, key) in [
        (client.certificateFile, other.keyFile), (locked.certificateFile, locked.keyFile),
        (client.certificateFile, nil),
        (client.certificateFile, garbage), (garbage, client.keyFile),
      ] {
        let transport = CurlTransport(
          options: .init(caFile: nginx.caFile, clientCertificateFile: certificate, clientKeyFile: key))
        let error = await failure(of: transport, .get("https://localhost:\(nginx.clientCertificatePort)/client"))
        #expect(error?.kind == .tls)
        #expect(error?.requestMayHaveLeft == false)
        let message = error?.message ?? ""
        #expect(message.contains("expected PEM, a key that belongs to the certificate, and no password on it"))
        #expect(!message.contains("canary"), "\(message)")
        await transport.shutdown()
      }
    }
  }

  /// A redirect is another server's decision. It must not make the client send its certificate to the new server.
  @Test func isNotOfferedToAnotherOrigin() async throws {
    let target = Locked("")
    try await withNginx(to: { connection in
      try connection.respondToAll("302 Found", headers: ["Location: \(target.withLock { $0 })"])
    }) { nginx in
      target.withLock { $0 = "https://localhost:\(nginx.clientCertificatePort)/client" }
      let client = try nginx.makeClientCertificate(named: "tester")
      let transport = CurlTransport(options: .init(caFile: nginx.caFile, clientCertificateFile: client.combinedFile))
      let elsewhere = try await transport.send(.get("https://localhost:\(nginx.http2Port)/up/"))
      #expect(elsewhere.status == 400)
      let sameOrigin = try await transport.send(.get("https://localhost:\(nginx.clientCertificatePort)/up/"))
      #expect(String(decoding: sameOrigin.body.inMemory, as: UTF8.self) == "CN=tester")
      // Nor over the connection on which it was sent before.
      let again = try await transport.send(.get("https://localhost:\(nginx.http2Port)/up/"))
      #expect(again.status == 400)
      await transport.shutdown()
    }
  }

  // MARK: The authority

  @Test func anUnusableCAFileIsToldApart() async throws {
    try await withNginx { nginx in
      let place = "localhost:\(nginx.http2Port)"
      let garbage = try nginx.write("no certificate\n", to: "garbage.pem")
      for (file, reason) in [
        ("/nowhere/ca.pem", " (No such file or directory)"),
        (garbage, ": expected a file with certificates in PEM form"),
      ] {
        let transport = CurlTransport(options: .init(caFile: file))
        let error = await failure(of: transport, .get("https://\(place)/protocol"))
        #expect(error?.kind == .tls)
        #expect(error?.requestMayHaveLeft == false)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("no TLS connection to \(place): the certificates to trust cannot be read from \""))
        #expect(message.hasSuffix(reason), "\(message)")
        await transport.shutdown()
      }
    }
  }

  /// Only the authority in the file is trusted. It is not added to the others.
  @Test func aCAFileReplacesTheSystems() async throws {
    try await withNginx { nginx in
      let other = try nginx.makeClientCertificate(named: "other", isTrusted: false).certificateFile
      let transport = CurlTransport(options: .init(caFile: other))
      let error = await failure(of: transport, .get("https://localhost:\(nginx.http2Port)/protocol"))
      #expect(error?.kind == .tls)
      await transport.shutdown()
    }
  }

  // MARK: Skipped checks

  @Test func checksAreSkippedOnLoopbackOnly() async throws {
    try await withNginx { nginx in
      let transport = CurlTransport(options: .init(unsafelySkipsCertificateChecksOnLoopback: true))
      for host in ["localhost", "127.0.0.1"] {
        try await #expect(transport.send(.get("https://\(host):\(nginx.http2Port)/protocol")).status == 200)
      }
      // Leads to the same server, but is not a loopback address.
      let error = await failure(of: transport, .get("https://0.0.0.0:\(nginx.http2Port)/protocol"))
      #expect(error?.kind == .tls)
      #expect(error?.requestMayHaveLeft == false)
      await transport.shutdown()
    }
  }

  @Test func checksAreNotSkippedBehindARedirect() async throws {
    let target = Locked("")
    try await withNginx(to: { connection in
      try connection.respondToAll("302 Found", headers: ["Location: \(target.withLock { $0 })"])
    }) { nginx in
      let transport = CurlTransport(options: .init(unsafelySkipsCertificateChecksOnLoopback: true))
      let start = "https://localhost:\(nginx.http2Port)/up/"
      target.withLock { $0 = "https://127.0.0.1:\(nginx.http1Port)/protocol" }
      try await #expect(transport.send(.get(start)).status == 200)
      target.withLock { $0 = "https://0.0.0.0:\(nginx.http2Port)/protocol" }
      #expect(await failure(of: transport, .get(start))?.kind == .tls)
      await transport.shutdown()
    }
  }

  /// The switch applies to one transport only: connections and TLS sessions that skipped checks are not used by others.
  @Test func anotherTransportChecks() async throws {
    try await withNginx { nginx in
      let request = HTTPRequest.get("https://localhost:\(nginx.http2Port)/protocol")
      let careless = CurlTransport(options: .init(unsafelySkipsCertificateChecksOnLoopback: true))
      _ = try await careless.send(request)
      let careful = CurlTransport()
      #expect(await failure(of: careful, request)?.kind == .tls)
      await careless.shutdown()
      await careful.shutdown()
    }
  }
}
