public import NovaCore

/// One request that is expected, and what comes of it; for ``StubTransport``.
public struct Stub: Sendable {
  typealias Check = @Sendable (HTTPRequest) -> [ValueDifference]

  /// What is expected, for messages to people: `graph.GetFollowers`.
  public let name: String
  let check: Check
  let respond: @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// Expects a call, and answers with a message.
  ///
  /// - Parameters:
  ///   - rpc: the RPC: `GraphRPC.getFollowers`.
  ///   - request: what the call must ask for, compared as the contract reads it; nil for anything.
  ///   - answer: the response's message.
  ///   - headers: more headers of the response.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, answer: Response, headers: HTTPHeaders = [:]
  ) -> Stub {
    call(rpc, request) { _ in
      let http = rpc.descriptor.http
      let body = try HTTPTranscoder.body(of: answer, http)
      return response(http.successStatus, headers, body)
    }
  }

  /// Expects a call, and answers with a failure of the gateway.
  ///
  /// - Parameters:
  ///   - rpc: the RPC.
  ///   - request: what the call must ask for; nil for anything.
  ///   - status: the HTTP status, such as 404.
  ///   - code: the gateway's own code: `USER_NOT_FOUND`.
  ///   - message: the gateway's message.
  ///   - headers: more headers of the response, such as `Retry-After`.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, status: Int, code: String = "", message: String = "",
    headers: HTTPHeaders = [:]
  ) -> Stub {
    let error = JSONValue.members(("code", .string(code)), ("message", .string(message)))
    let body = JSONValue.members(("error", error)).jsonUTF8
    return call(rpc, request) { _ in response(status, headers, body) }
  }

  /// Expects a call, to which there is no response.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil, failure: TransportError
  ) -> Stub {
    call(rpc, request) { _ in throw failure }
  }

  /// Expects a call, and lets `respond` do the rest.
  public static func call<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request? = nil,
    respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Stub {
    Stub(name: rpc.descriptor.id, check: check(rpc.descriptor, request), respond: respond)
  }

  /// Expects a request that is no call of an RPC, such as bytes on their way to a storage.
  ///
  /// - Parameters:
  ///   - path: the path, without query.
  ///   - respond: what comes of it.
  public static func request(
    _ method: HTTPMethod, _ path: String, respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) -> Stub {
    let expected = JSONValue.members(("method", .string(method.rawValue)), ("path", .string(path)))
    return Stub(name: "\(method) \(path)") { request in
      let path = request.url.path
      return JSONValue.members(("method", .string(request.method.rawValue)), ("path", .string(path)))
        .valueDifferences(from: expected)
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
        from: .members(("rpc", .string(rpc.id)), ("request", expected)),
        secretNames: ContractMessages.nova.secretNames(rpc))
    }
  }

  private static func response(_ status: Int, _ headers: HTTPHeaders, _ body: [UInt8]) -> HTTPResponse {
    var headers = headers
    if !body.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    return HTTPResponse(status: status, headers: headers, body: body)
  }
}
