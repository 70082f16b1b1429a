#if GRPC
  import NovaCore
  import NovaGraph

  extension SurveyRun {
    /// Checks what exists only over gRPC, if services are called so: frames, deadlines, health, and reflection.
    mutating func checkGRPC() async throws {
      guard calls.check.usesGRPC else { return }
      calls.report.skipChecks(Self.onlyOverHTTP, because: "they exist only over HTTP")
      let rpc = GraphRPC.getFollowers.descriptor
      guard calls.check.baseURL(rpc.service).origin.usesGRPC, isSelected(rpc) else { return }
      try await checkFrames(of: rpc)
      for url in calls.check.servers {
        try await calls.checkHealth(at: url)
        try await calls.checkReflection(at: url)
      }
    }

    private static let onlyOverHTTP = [
      "names and order of fields in JSON", "64-bit integers as strings", "broken JSON", "HTTP methods",
      "ETags and ranges",
      "the form of server-sent events",
    ]

    /// Sends an RPC's message in frames that are wrong.
    private mutating func checkFrames(of rpc: RPCDescriptor) async throws {
      let requests = calls.builder.requests(rpc, GetFollowersRequest(userId: unknownID, limit: 1))
      for request in GRPCFrameRequests.all(requests) { try await send(invalid: request, of: rpc) }
    }
  }

  extension ContractCheck {
    /// The URLs of services that are called over gRPC, each once.
    fileprivate var servers: [HTTPURL] {
      var urls: [HTTPURL] = []
      for rpc in registry.rpcs {
        let url = baseURL(rpc.service)
        if url.origin.usesGRPC, !urls.contains(where: { $0.origin == url.origin }) { urls.append(url) }
      }
      return urls
    }

    /// The full names of the services at a URL.
    func serviceNames(at url: HTTPURL) -> [String] {
      var names: [String] = []
      for rpc in registry.rpcs where baseURL(rpc.service).origin == url.origin && !names.contains(rpc.package) {
        names.append(rpc.package)
      }
      return names
    }
  }
#endif
