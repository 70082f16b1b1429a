import NovaCore
import NovaRegistry

/// Where a request leads.
enum CallRoute: Sendable {
  case api(RPCRouter.Route)
  case file(MediaFileRoute)

  init(_ method: HTTPMethod, path: String) {
    let api = RPCRouter.nova.route(method, path)
    if case .unknownPath = api, let file = MediaFileRoute(path) {
      self = .file(file)
    } else {
      self = .api(api)
    }
  }
}

/// A call on its way through the backend.
struct IncomingCall: Sendable {
  let request: HTTPRequest
  let path: String
  let query: String
  /// The caller's name for the call, `X-Request-ID`.
  let requestID: String?
  let route: CallRoute
  /// The bytes of an upload that have arrived, in place of a body.
  let chunk: IncomingChunk?
  let clock: any CallClock
  /// The time at which the call arrived.
  let start: Moment
  /// What faults do to the call.
  var fault = FaultPlan()
  /// The id of the stub that responds.
  var stub: String?

  /// - Parameter target: the path that decides the route. Default: that of the request.
  init(
    _ request: consuming HTTPRequest, routedAs target: String? = nil, chunk: IncomingChunk? = nil, clock: any CallClock
  ) {
    (self.chunk, self.clock, start) = (chunk, clock, clock.moment)
    (path, query) = (request.url.path, request.url.query ?? "")
    requestID = request.headers["X-Request-ID"]
    route = CallRoute(request.method, path: target ?? path)
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

  /// Waits for a duration (nil: forever), but no longer than the request's limits.
  nonisolated(nonsending) func wait(for duration: Duration?) async throws {
    if let duration, duration <= .zero { return }
    let limits = request.limits
    let limit = min(limits.idleTimeout, limits.totalTimeout)
    let isWithin = duration.map { $0 < limit } ?? false
    try await clock.sleep(
      until: clock.moment.advanced(by: isWithin ? duration ?? limit : limit).instant, tolerance: nil)
    if isWithin { return }
    throw TransportError(
      limits.idleTimeout < limits.totalTimeout ? .idleTimeout : .totalTimeout, "no answer within \(limit)",
      requestMayHaveLeft: true)
  }
}
