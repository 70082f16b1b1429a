import NovaCore
import NovaRegistry

/// Finds the RPC that a request is a call of.
struct RPCRoutes: Sendable {
  /// A call's RPC, and the fields that stand in its path.
  struct Route: Sendable {
    let rpc: RPCDescriptor
    let variables: [String: String]
  }

  private let router: RPCRouter

  init(_ registry: RPCRegistry) { router = RPCRouter(registry) }

  /// The RPC with this verb and path; a gateway may stand below a path of its own, which does not count.
  func route(_ method: HTTPMethod, _ path: String) -> Route? {
    if let route = exactRoute(method, path) { return route }
    guard let inner = Self.pathOnGateway(path), inner != path else { return nil }
    return exactRoute(method, inner)
  }

  /// The path from `/api/` on.
  static func pathOnGateway(_ path: String) -> String? {
    var rest = path[...]
    while !rest.isEmpty {
      if rest.hasPrefix("/api/") { return String(rest) }
      rest = rest.dropFirst()
    }
    return nil
  }

  private func exactRoute(_ method: HTTPMethod, _ path: String) -> Route? {
    guard case .rpc(let rpc, let variables) = router.route(method, path) else { return nil }
    return Route(rpc: rpc, variables: variables)
  }
}
