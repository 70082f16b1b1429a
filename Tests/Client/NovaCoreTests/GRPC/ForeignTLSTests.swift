#if GRPC
  import NovaCore
  import NovaGraph
  import NovaTestSupport
  import Testing

  /// grpcio's server over TLS, with and without certificates of clients.
  @Suite(.hangLimit) struct ForeignTLSTests {
    private func call(_ url: String, _ change: (inout ConfigurationOverrides) -> Void) async throws -> Int {
      try await withGRPCClient(url, change: change) {
        try await $0.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u1")).userIds.count
      }
    }

    @Test func certificatesAreCheckedOnBothSides() async throws {
      let certificates = try CertificateFolder()
      let (trusted, other) = (try certificates.client("trusted"), try certificates.client("other", isTrusted: false))
      let server = try ForeignGRPCServer([
        "--tls", certificates.serverFile, certificates.serverKeyFile, "--mutual-tls", certificates.caFile,
      ])
      #expect(try await call(server.secureURL) { $0.caFile = certificates.caFile } == 2)
      #expect(
        try await call(server.mutualURL) {
          $0.caFile = certificates.caFile
          ($0.clientCertificateFile, $0.clientKeyFile) = (trusted.certificate, trusted.key)
        } == 2)
      let unknown = await apiError { try await call(server.secureURL) { _ in } }
      #expect(unknown?.code == .networkError && unknown?.transport?.kind == .tls, "\(String(describing: unknown))")
      #expect(unknown?.transport?.requestMayHaveLeft == false)
      for client in [nil, other] {
        let refused = await apiError {
          try await call(server.mutualURL) {
            $0.caFile = certificates.caFile
            ($0.clientCertificateFile, $0.clientKeyFile) = (client?.certificate, client?.key)
          }
        }
        #expect(refused?.code == .networkError, "\(String(describing: refused))")
      }
      // TLS is spoken to a port without it, and the other way round.
      let plain = server.url.replacing("grpc://127.0.0.1", with: "grpcs://localhost")
      #expect(await apiError { try await call(plain) { $0.caFile = certificates.caFile } }?.code == .networkError)
      let bare = server.secureURL.replacing("grpcs://localhost", with: "grpc://127.0.0.1")
      let refused = await apiError { try await call(bare) { _ in } }
      #expect(refused?.code == .networkError, "\(String(describing: refused))")
      await server.stop()
    }
  }
#endif
