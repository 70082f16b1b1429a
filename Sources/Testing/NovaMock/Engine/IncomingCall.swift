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
  var request: HTTPRequest
  let path: String
  let query: String
  /// The caller's name for the call, `X-Request-ID`.
  let requestID: String?
  let route: CallRoute
  /// The bytes of an upload that have arrived, in place of a body.
  var chunk: IncomingChunk?
  let clock: any CallClock
  /// The time at which the call arrived.
  let start: Moment
  /// What faults do to the call.
  var fault = FaultPlan()
  /// The id of the stub that responds.
  var stub: String?
  /// Where the response comes from; nil for the backend and its stubs.
  var origin: ResponseOrigin?
  /// Why nothing was prepared for the request; nil if something was.
  var unmatched: String?
  /// The call as it arrived, if that was not over HTTP/JSON.
  let original: MessageCall?
  /// The response message, of such a call.
  var reply: (any ProtoMessage)?
  /// Whether the body of the response is written as such a call expects.
  var isEncoded = false
  /// Why the call failed, if a rule refused it.
  var failure: MockFailure?

  /// - Parameters:
  ///   - target: the path that decides the route. Default: that of the request.
  ///   - handlesHead: whether HEAD has the route of GET.
  init(
    _ request: consuming HTTPRequest, routedAs target: String? = nil, handlesHead: Bool = false,
    chunk: IncomingChunk? = nil, clock: any CallClock
  ) {
    (self.chunk, self.clock, start) = (chunk, clock, clock.moment)
    (path, query) = (request.url.path, request.url.query ?? "")
    requestID = request.headers["X-Request-ID"]
    // A server handles HEAD like GET; only files distinguish the two.
    let isHead = handlesHead && request.method == .head && MediaFileRoute(path) == nil
    route = CallRoute(isHead ? .get : request.method, path: target ?? path)
    original = nil
    self.request = request
  }

  /// A call that did not arrive over HTTP/JSON.
  init(_ call: MessageCall, clock: any CallClock) {
    (chunk, self.clock, start) = (nil, clock, clock.moment)
    (path, query) = (call.head.url.path, "")
    requestID = call.head.headers["X-Request-ID"]
    route = .api(.rpc(call.rpc, [:]))
    original = call
    request = call.head
  }

  /// The request message, whether or not it follows the contract's rules.
  func message(of rpc: RPCDescriptor, variables: [String: String]) throws -> any ProtoMessage {
    if let original { return try original.message.get() }
    return try HTTPTranscoder.message(
      rpc.requestType, rpc.http, variables: variables, query: query, body: request.body.inMemory)
  }

  /// The response with a message of an RPC.
  mutating func response(
    to rpc: RPCDescriptor, _ outcome: MockEngine.Outcome, _ meanings: MockMeanings
  ) throws -> HTTPResponse {
    guard let original, case .message(let message) = outcome else { return try outcome.response(of: rpc, meanings) }
    (reply, isEncoded) = (message, true)
    return HTTPResponse(status: 200, body: try original.transcoder.encode(message))
  }

  /// A response with a message in JSON, of a stub or an earlier call, in the format of this call; other responses stay as
  /// they are.
  mutating func encode(_ response: HTTPResponse) -> HTTPResponse {
    guard let original, !isEncoded, (200..<300).contains(response.status) else { return response }
    func message<Response: ProtoMessage>(_ type: Response.Type) throws(ProtoJSONError) -> any ProtoMessage {
      try HTTPTranscoder.response(type, from: response.body.inMemory, original.rpc.http)
    }
    do {
      let message = try message(original.rpc.responseType)
      let encoded = try original.transcoder.encode(message)
      (reply, isEncoded) = (message, true)
      return HTTPResponse(status: 200, headers: response.headers, body: encoded)
    } catch {
      let name = original.rpc.responseType.descriptor.name
      let failure = MockFailure(.internalError, "invalid response: it is not a \(name): \(error)")
      self.failure = failure
      return failure.response
    }
  }

  /// Whether the request has the field, in either style of names. Messages do not show whether a number was sent.
  func names(_ field: FieldDescriptor) -> Bool {
    if original != nil { return false }
    return PercentEncoding.pairs(query).contains { $0.name == field.name || $0.name == field.jsonName }
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
      limits.idleTimeout < limits.totalTimeout ? .idleTimeout : .totalTimeout, "no answer within \(limit.formatted)",
      requestMayHaveLeft: true)
  }
}
