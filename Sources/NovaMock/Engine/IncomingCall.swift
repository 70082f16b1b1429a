import NovaCore
import NovaRegistry

/// A request with its route.
struct IncomingCall: Sendable {
  enum Route: Sendable {
    case rpc(RPCDescriptor, [String: String])
    case file(MediaFileRoute)
    case wrongMethod(allowed: HTTPMethod)
    case unknownPath
  }

  let request: HTTPRequest
  let path: String
  let query: String
  let route: Route

  init(_ request: HTTPRequest) {
    self.request = request
    (path, query) = Self.target(of: request.url)
    if let file = MediaFileRoute(path) {
      route = .file(file)
      return
    }
    switch RPCRouter.nova.route(request.method, path) {
    case .rpc(let rpc, let variables): route = .rpc(rpc, variables)
    case .wrongMethod(let allowed): route = .wrongMethod(allowed: allowed)
    case .unknownPath: route = .unknownPath
    }
  }

  /// Whether the query has the field, in either style of names.
  func names(_ field: FieldDescriptor) -> Bool {
    PercentEncoding.pairs(query).contains { $0.name == field.name || $0.name == field.jsonName }
  }

  var rpc: RPCDescriptor? { if case .rpc(let rpc, _) = route { rpc } else { nil } }

  /// The service whose faults apply. Bytes and files belong to the media service.
  var service: String? {
    switch route {
    case .rpc(let rpc, _): rpc.service
    case .file: "media"
    case .wrongMethod, .unknownPath: nil
    }
  }

  /// Returns the path and query of a URL, absolute or relative.
  static func target(of url: String) -> (path: String, query: String) {
    var rest = url[...]
    if let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") {
      rest = url[url.index(colon, offsetBy: 3)...]
      rest = rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
    }
    rest = rest.prefix { $0 != "#" }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    return (path.isEmpty ? "/" : path, parts.count > 1 ? String(parts[1]) : "")
  }
}
