public import NovaCore

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

  init(descriptor: RPCDescriptor, matcher: RequestMatcher, response: HTTPResponse, delay: Duration) {
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
  static func response(_ status: Int, headers: HTTPHeaders, body: [UInt8]) -> HTTPResponse {
    guard HTTPResponse.hasBody(status: status) else { return HTTPResponse(status: status, headers: headers) }
    var headers = headers
    if !body.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    return HTTPResponse(status: status, headers: headers, body: body)
  }

  /// The body of an error in the gateway's format.
  static func errorBody(_ rpc: RPCDescriptor, status: Int, message: String = "") -> [UInt8] {
    let text = message.isEmpty ? "stub of \(rpc.id)" : message
    return MockFailure(GRPCStatus(ofHTTP: status), text, httpStatus: status).response.body.inMemory
  }
}
