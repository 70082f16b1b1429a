public import NovaCore
import NovaRegistry

/// A fixed response of a ``MockBackend`` to an RPC, or to those of its calls whose request has certain fields.
///
/// ```swift
/// let backend = MockBackend()
/// backend.add(try .call(GraphRPC.getFollowers, GetFollowersRequest(userId: "ann"), answer: .init(userIds: ["bob"])))
/// backend.add(try .call(SocialRPC.createLike, status: 503, message: "out of order"))
/// ```
///
/// A stubbed call is not executed: it changes nothing, and requires no token. Faults still apply.
public struct MockStub: Sendable {
  /// The maximum number of stubs that the admin API accepts.
  static let maximumCount = 1000
  /// The maximum size of all stubs together that the admin API accepts.
  static let maximumBytes = 16 << 20

  /// The RPC, for example `graph.GetFollowers`.
  public var rpc: String { descriptor.id }
  let descriptor: RPCDescriptor
  let matcher: RequestMatcher
  /// The response, without the id of a request.
  let response: HTTPResponse
  /// The time until the response, including for ``MockTransport``.
  public let delay: Duration
  /// The memory that it uses, about.
  let size: Int

  private init(descriptor: RPCDescriptor, matcher: RequestMatcher, response: HTTPResponse, delay: Duration) {
    (self.descriptor, self.matcher, self.response, self.delay) = (descriptor, matcher, response, delay)
    size =
      response.body.inMemory.count + matcher.json.jsonUTF8.count
      + response.headers.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  /// Responds to a call with a message.
  ///
  /// - Parameters:
  ///   - rpc: the RPC: `GraphRPC.getFollowers`.
  ///   - request: a message with the fields that the request must have; nil for any request. Default: nil.
  ///   - answer: the response message.
  ///   - headers: additional headers of the response.
  ///   - delay: the time until the response. Default: none.
  /// - Throws: ``ProtoJSONError`` for a value that JSON cannot hold.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, answer: Response, headers: HTTPHeaders = [:],
    delay: Duration = .zero
  ) throws(ProtoJSONError) -> MockStub {
    let http = rpc.descriptor.http
    let body = try HTTPTranscoder.body(of: answer, http)
    return MockStub(
      descriptor: rpc.descriptor, matcher: try request.map(RequestMatcher.init) ?? .any,
      response: response(http.successStatus, headers: headers, body: body), delay: delay)
  }

  /// Responds to a call with a gateway error.
  ///
  /// - Parameters:
  ///   - rpc: the RPC.
  ///   - request: a message with the fields that the request must have; nil for any request. Default: nil.
  ///   - status: the HTTP status, such as 404.
  ///   - message: the gateway's message. Default: names the stub.
  ///   - headers: additional headers of the response, such as `Retry-After`.
  ///   - delay: the time until the response. Default: none.
  /// - Throws: ``ProtoJSONError`` for a value that JSON cannot hold.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, status: Int, message: String = "",
    headers: HTTPHeaders = [:], delay: Duration = .zero
  ) throws(ProtoJSONError) -> MockStub {
    MockStub(
      descriptor: rpc.descriptor, matcher: try request.map(RequestMatcher.init) ?? .any,
      response: response(status, headers: headers, body: errorBody(rpc.descriptor, status: status, message: message)),
      delay: delay)
  }

  /// Responses with some statuses have no body, whatever is asked for.
  private static func response(_ status: Int, headers: HTTPHeaders, body: [UInt8]) -> HTTPResponse {
    guard HTTPResponse.hasBody(status: status) else { return HTTPResponse(status: status, headers: headers) }
    var headers = headers
    if !body.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    return HTTPResponse(status: status, headers: headers, body: body)
  }

  /// The body of an error in the gateway's format.
  private static func errorBody(_ rpc: RPCDescriptor, status: Int, message: String = "") -> [UInt8] {
    let text = message.isEmpty ? "stub of \(rpc.id)" : message
    return MockFailure(GRPCStatus(ofHTTP: status), text, httpStatus: status).response.body.inMemory
  }
}

extension MockStub {
  /// Reads a stub as the admin API describes it, and validates it against the contract.
  init(_ body: AdminBody) throws {
    try body.allowOnly(["rpc", "request", "status", "body", "headers", "delay_ms", "allow_invalid"])
    let rpc = try body.rpc()
    let status = try body.optionalInteger("status", 200...599) ?? rpc.http.successStatus
    let delay = try body.optionalInteger("delay_ms", 0...Int(FaultLatency.maximumMilliseconds)) ?? 0
    self.init(
      descriptor: rpc, matcher: try Self.matcher(body, rpc),
      response: Self.response(status, headers: try body.headers(), body: try Self.body(body, rpc, status: status)),
      delay: .milliseconds(delay))
  }

  private static func matcher(_ body: AdminBody, _ rpc: RPCDescriptor) throws -> RequestMatcher {
    guard let json = body["request"] else { return .any }
    do throws(ProtoJSONError) {
      return try RequestMatcher(json, of: rpc.requestType)
    } catch {
      throw MockFailure(error, in: "request", of: "request of \(rpc.id)")
    }
  }

  private static func body(_ body: AdminBody, _ rpc: RPCDescriptor, status: Int) throws -> [UInt8] {
    let allowsInvalid = try body.flag("allow_invalid")
    guard let json = body["body"] else {
      return status < 300
        ? try HTTPTranscoder.body(of: rpc.responseType.init(), rpc.http) : errorBody(rpc, status: status)
    }
    guard HTTPResponse.hasBody(status: status) else {
      throw MockFailure.invalid("status \(status) has no body; omit body, or choose another status")
    }
    if status < 300, !allowsInvalid { try validate(json, rpc) }
    return json.jsonUTF8
  }

  /// Throws unless clients can decode the body as the RPC's response.
  private static func validate(_ json: JSONValue, _ rpc: RPCDescriptor) throws(MockFailure) {
    do throws(ProtoJSONError) {
      if rpc.http.responseField == nil {
        _ = try rpc.responseType.init(refusingUnknownFieldsIn: json.jsonUTF8)
      } else {
        try decode(json, as: rpc.responseType, rpc.http)
      }
    } catch {
      let failure = MockFailure(error, in: "body", of: "response of \(rpc.id)")
      throw MockFailure.invalid(failure.message + "; set allow_invalid to respond with it anyway")
    }
  }

  private static func decode<Response: ProtoMessage>(
    _ json: JSONValue, as type: Response.Type, _ http: HTTPBinding
  ) throws(ProtoJSONError) {
    _ = try HTTPTranscoder.response(type, from: json.jsonUTF8, http)
  }
}

extension AdminBody {
  /// The RPC that the body names.
  func rpc() throws(MockFailure) -> RPCDescriptor {
    let name = try text("rpc", expected: "an RPC like graph.GetFollowers")
    if let rpc = RPCRegistry.nova.rpc(named: name) { return rpc }
    let hint = Suggestion.closest(to: name, among: RPCRegistry.nova.rpcs.map(\.id)).map { "; did you mean \($0)?" }
    throw .invalid("unknown RPC \"\(name.shortened(to: 60))\"\(hint ?? "; GET /_nova/contract lists all")")
  }
}
