import NovaCore
import NovaRegistry

/// A request with its route.
struct IncomingCall: Sendable {
  enum Route: Sendable {
    case api(RPCRouter.Route)
    case file(MediaFileRoute)
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
    } else {
      route = .api(RPCRouter.nova.route(request.method, path))
    }
  }

  /// Whether the query has the field, in either style of names.
  func names(_ field: FieldDescriptor) -> Bool {
    PercentEncoding.pairs(query).contains { $0.name == field.name || $0.name == field.jsonName }
  }

  var rpc: RPCDescriptor? { if case .api(.rpc(let rpc, _)) = route { rpc } else { nil } }

  /// The service whose faults apply. Bytes and files belong to the media service.
  var service: String? {
    switch route {
    case .api: rpc?.service
    case .file: "media"
    }
  }
}
