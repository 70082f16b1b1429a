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
  /// The caller's name for the call, `X-Request-ID`.
  let requestID: String?
  let route: Route
  /// The bytes of an upload that have arrived, in place of a body.
  let chunk: IncomingChunk?

  /// - Parameter target: the path that decides what is called. Default: that of the request.
  init(_ request: consuming HTTPRequest, routedAs target: String? = nil, chunk: IncomingChunk? = nil) {
    self.chunk = chunk
    (path, query) = (request.url.path, request.url.query ?? "")
    requestID = request.headers["X-Request-ID"]
    let target = target ?? path
    let api = RPCRouter.nova.route(request.method, target)
    if case .unknownPath = api, let file = MediaFileRoute(target) {
      route = .file(file)
    } else {
      route = .api(api)
    }
    self.request = request
  }

  /// Whether the query has the field, in either style of names.
  func names(_ field: FieldDescriptor) -> Bool {
    PercentEncoding.pairs(query).contains { $0.name == field.name || $0.name == field.jsonName }
  }

  /// The name of the RPC, or of the transfer of bytes, for faults.
  var name: String? {
    switch route {
    case .api: rpc?.id
    case .file(.uploadBytes): MediaTransfer.upload.rawValue
    case .file(.file): MediaTransfer.download.rawValue
    }
  }

  var isDownload: Bool { if case .file(.file) = route { true } else { false } }

  var rpc: RPCDescriptor? { if case .api(.rpc(let rpc, _)) = route { rpc } else { nil } }

  /// The service whose faults apply. Bytes and files belong to the media service.
  var service: String? {
    switch route {
    case .api: rpc?.service
    case .file: "media"
    }
  }
}
