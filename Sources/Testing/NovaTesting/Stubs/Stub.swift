public import NovaCore

/// An expected request with its outcome, for ``StubTransport``.
public struct Stub: Sendable {
  typealias Check = @Sendable (HTTPRequest) -> [ValueDifference]

  /// The name of the expectation in messages: `graph.GetFollowers`.
  public let name: String
  let check: Check
  let respond: @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// Expects a call, and responds with a message.
  ///
  /// - Parameters:
  ///   - rpc: the RPC: `GraphRPC.getFollowers`.
  ///   - request: the expected request, compared by the contract's rules; nil for any. Default: nil.
  ///   - answer: the response message.
  ///   - headers: additional headers of the response.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, answer: Response, headers: HTTPHeaders = [:]
  ) -> Stub {
    call(rpc, request) { _ in
      let http = rpc.descriptor.http
      let body = try HTTPTranscoder.body(of: answer, http)
      return response(http.successStatus, headers: headers, body: body)
    }
  }

  /// Expects a call, and responds with a gateway error.
  ///
  /// - Parameters:
  ///   - rpc: the RPC.
  ///   - request: the expected request; nil for any. Default: nil.
  ///   - status: the HTTP status, such as 404.
  ///   - code: the gateway's code: `USER_NOT_FOUND`.
  ///   - message: the gateway's message.
  ///   - headers: additional headers of the response, such as `Retry-After`.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, status: Int, code: String = "", message: String = "",
    headers: HTTPHeaders = [:]
  ) -> Stub {
    let error: JSONValue = ["code": .string(code), "message": .string(message)]
    let body: JSONValue = ["error": error]
    return call(rpc, request) { _ in response(status, headers: headers, body: body.jsonUTF8) }
  }

  /// Expects a call, and fails it without a response.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, failure: TransportError
  ) -> Stub {
    call(rpc, request) { _ in throw failure }
  }

  /// Expects a call, and responds with a closure.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil,
    respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Stub {
    Stub(name: rpc.descriptor.id, check: check(rpc.descriptor, request), respond: respond)
  }

  /// Expects a request that is not an RPC, such as uploaded bytes.
  ///
  /// - Parameters:
  ///   - path: the path, without query.
  ///   - respond: returns the response.
  public static func request(
    _ method: HTTPMethod, _ path: String, respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Stub {
    let expected: JSONValue = ["method": .string(method.rawValue), "path": .string(path)]
    return Stub(name: "\(method) \(path)") { request in
      let path = request.url.path
      let sent: JSONValue = ["method": .string(request.method.rawValue), "path": .string(path)]
      return sent.valueDifferences(from: expected)
    } respond: {
      try await respond($0)
    }
  }

  private static func check(_ rpc: RPCDescriptor, _ message: (any ProtoMessage)?) -> Check {
    { request in
      let sent = CanonicalRequest(request)
      guard let message, sent.rpc?.id == rpc.id else {
        let actual = sent.rpc?.id ?? "\(request.method) \(request.url.path)"
        return JSONValue.string(actual).valueDifferences(from: .string(rpc.id), at: "rpc")
      }
      let expected = ContractMessages.nova.canonical(message, raw: .object([])) ?? .null
      return sent.value.valueDifferences(
        from: ["rpc": .string(rpc.id), "request": expected],
        secretNames: ContractMessages.nova.secretNames(rpc))
    }
  }

  private static func response(_ status: Int, headers: HTTPHeaders, body: [UInt8]) -> HTTPResponse {
    var headers = headers
    if !body.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    return HTTPResponse(status: status, headers: headers, body: body)
  }
}
