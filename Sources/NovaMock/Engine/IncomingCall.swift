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
    (path, query) = (request.url.path, request.url.query ?? "")
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
}
