package import NovaCore

/// Finds the RPC of a method and a path, using the contract's bindings.
package struct RPCRouter: Sendable {
  package enum Route: Sendable {
    case rpc(RPCDescriptor, [String: String])
    /// The path has RPCs, with other methods.
    case wrongMethod(allowed: [HTTPMethod])
    case unknownPath
  }

  package static let nova = RPCRouter(RPCRegistry.nova)

  private let literals: [String: [RPCDescriptor]]
  private let templates: [(PathTemplate, RPCDescriptor)]

  package init(_ registry: RPCRegistry) {
    let templates = registry.rpcs.filter { !$0.http.isUnbound }.map { (PathTemplate($0.http.path), $0) }
    literals = Dictionary(grouping: templates.filter { $0.0.variables.isEmpty }.map(\.1)) { $0.http.path }
    self.templates = templates.filter { !$0.0.variables.isEmpty }
  }

  package func route(_ method: HTTPMethod, _ path: String) -> Route {
    var allowed: [HTTPMethod] = []
    for rpc in literals[path] ?? [] {
      if rpc.http.method == method { return .rpc(rpc, [:]) }
      allowed.append(rpc.http.method)
    }
    for (template, rpc) in templates {
      guard let variables = template.match(path) else { continue }
      if rpc.http.method == method { return .rpc(rpc, variables) }
      allowed.append(rpc.http.method)
    }
    return allowed.isEmpty ? .unknownPath : .wrongMethod(allowed: allowed)
  }
}

/// The paths of bytes, which belong to no RPC. The contract leaves both to the server, whose responses name them
/// (`upload_url`, `url`); these are the ones of the mock backend.
package enum MediaPaths {
  /// Where an upload's bytes are sent.
  package static let uploadBytes = "/api/v1/media/upload/{id}/bytes"
  /// Where a file is read.
  package static let file = "/media/{id}/{name}"
}
