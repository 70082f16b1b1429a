#if Server
  import NovaCore
  import NovaRegistry

  /// A method of a gRPC service.
  enum GRPCMethod: Sendable {
    /// An RPC of the contract.
    case rpc(RPCDescriptor)
    case health(HealthService.Method)
    /// Reflection, in either version: they differ in nothing but their name.
    case reflection

    private static let all: [String: GRPCMethod] = {
      var methods: [String: GRPCMethod] = [:]
      for rpc in RPCRegistry.nova.rpcs { methods["/\(rpc.package)/\(rpc.method)"] = .rpc(rpc) }
      for method in HealthService.Method.allCases {
        methods["/\(HealthService.name)/\(method.rawValue)"] = .health(method)
      }
      for name in ReflectionService.names { methods["/\(name)/ServerReflectionInfo"] = .reflection }
      return methods
    }()

    /// The names of the contract's services, in its order.
    static let contractServices: [String] = {
      var names: [String] = []
      for rpc in RPCRegistry.nova.rpcs where names.last != rpc.package { names.append(rpc.package) }
      return names
    }()

    /// The names of all services.
    static let services = contractServices + [HealthService.name] + ReflectionService.names

    /// Whether a path is that of a method.
    static func exists(_ path: String) -> Bool { all[path] != nil }

    static func find(_ path: String) throws(GRPCFailure) -> GRPCMethod {
      if let method = all[path] { return method }
      let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, parts[0].isEmpty else {
        throw GRPCFailure(
          .unimplemented, "malformed method name: \(path.printable(to: 100)); expected /package.Service/Method")
      }
      let isKnown = services.contains(parts[1])
      throw GRPCFailure(
        .unimplemented,
        isKnown
          ? "unknown method \(parts[2].printable(to: 100)) of \(parts[1])"
          : "unknown service \(parts[1].printable(to: 100))")
    }
  }
#endif
