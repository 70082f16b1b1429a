import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

@Suite struct APIErrorTests {
  private func error(
    status: Int, _ body: String, headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) async throws -> APIError {
    let client = try APIClient.test(RecordingTransport(status: status, headers: headers, body))
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    return try #require(error)
  }

  @Test(arguments: [
    (3, 400, APIError.Code.invalidArgument), (5, 404, .notFound), (6, 409, .conflict), (7, 403, .permissionDenied),
    (8, 429, .rateLimited), (9, 400, .failedPrecondition), (10, 409, .conflict), (11, 400, .invalidArgument),
    (12, 501, .unimplemented), (13, 500, .serverError), (14, 503, .unavailable), (4, 504, .timeout),
    (16, 401, .unauthorized), (1, 499, .cancelled),
  ])
  func gatewayErrorsHaveTheContractsCodes(grpc: Int, http: Int, code: APIError.Code) async throws {
    #expect(GRPCStatus(rawValue: grpc).httpStatus == http)
    let error = try await error(status: http, #"{"code":\#(grpc),"message":"why","details":[]}"#)
    #expect(error.code == code)
    #expect(error.grpcStatus?.rawValue == grpc)
    #expect(error.httpStatus == http)
    #expect(error.server == ServerError(message: "why"))
  }

  @Test(arguments: [
    (400, APIError.Code.invalidArgument), (401, .unauthorized), (403, .permissionDenied), (404, .notFound),
    (408, .timeout), (409, .conflict), (418, .invalidArgument), (429, .rateLimited), (500, .serverError),
    (501, .unimplemented), (502, .serverError), (503, .unavailable), (504, .timeout), (302, .invalidResponse),
  ])
  func withoutAGRPCStatusTheHTTPStatusDecides(status: Int, code: APIError.Code) async throws {
    for body in ["", "upstream is down", "<html>", "[]", #"{"error":{"code":"X","message":"m"}}"#] {
      #expect(try await error(status: status, body).code == code, "\(status) \(body)")
    }
  }

  /// A number outside gRPC's codes repeats the HTTP status, or is the service's own. Google's name for the code counts.
  @Test(arguments: [
    (400, APIError.Code.invalidArgument), (401, .unauthorized), (403, .permissionDenied), (404, .notFound),
    (409, .conflict), (429, .rateLimited), (501, .unimplemented), (503, .unavailable), (504, .timeout),
  ])
  func anyOtherNumberLeavesTheHTTPStatus(status: Int, code: APIError.Code) async throws {
    for number in [0, 17, -1, 200, 1001, 40401, status] {
      for body in [
        #"{"code":\#(number),"message":"why"}"#, #"{"error":{"code":\#(number),"message":"why"}}"#,
        #"{"error":{"code":\#(number),"message":"why","status":"Some Status"}}"#,
        #"{"error":"why","code":\#(number),"message":"why"}"#, #"{"detail":"why","code":\#(number)}"#,
      ] {
        let error = try await error(status: status, body)
        #expect(error.code == code && error.grpcStatus == nil && error.server?.message == "why", "\(body): \(error)")
      }
    }
    let grpc = try #require((1...16).map { GRPCStatus(rawValue: $0) }.last { $0.httpStatus == status })
    let named = try await error(
      status: status, #"{"error":{"code":\#(status),"message":"why","status":"\#(grpc)"}}"#)
    #expect(named.grpcStatus == grpc && named.saysRecordIsGone == (code == .notFound), "\(named)")
  }

  /// What Google's API gateways send for a path that they don't know says nothing about a record.
  @Test(arguments: [
    (#"{"code":404,"message":"m"}"#, false), (#"{"error":{"code":404,"message":"m"}}"#, false),
    (#"{"code":0,"message":"m"}"#, false), (#"{"code":5,"message":"m"}"#, true),
    (#"{"code":40401,"message":"m"}"#, true),
    (#"{"error":{"code":40401,"message":"m"}}"#, true), (#"{"error":"m","code":5,"message":"m"}"#, true),
    (#"{"error":"Not Found","message":"m","statusCode":404}"#, false),
    (#"{"status":404,"error":"Not Found","path":"/x"}"#, false),
  ])
  func onlyAServicesFormSaysThatARecordIsGone(body: String, isGone: Bool) async throws {
    let error = try await error(status: 404, body)
    #expect(error.code == .notFound && error.saysRecordIsGone == isGone)
    #expect(error.message.contains("may not support this RPC") != isGone)
  }

  /// grpc-gateway's first version writes the message twice.
  @Test(arguments: [
    (9, 400, APIError.Code.failedPrecondition), (10, 409, .conflict), (5, 404, .notFound), (16, 401, .unauthorized),
    (14, 503, .unavailable), (3, 400, .invalidArgument),
  ])
  func theFirstGatewaysErrorsHaveTheirCode(grpc: Int, http: Int, code: APIError.Code) async throws {
    let details = #"[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"WHY","metadata":{"a":"b"}}]"#
    let body = #"{"error":"m","code":\#(grpc),"message":"m","details":\#(details)}"#
    let first = try await error(status: http, body)
    let second = try await error(status: http, body.replacing(#""error":"m","#, with: ""))
    #expect(first.code == code && first.grpcStatus?.rawValue == grpc && first.form == .grpcGateway)
    #expect(first.server == ServerError(code: "WHY", message: "m", metadata: ["a": "b"]))
    #expect("\(first)" == "\(second)" && first.server == second.server)
  }

  @Test func novasOwnShapeIsRead() async throws {
    let body = #"{"error":{"code":"USER_NOT_FOUND","message":"no such user","metadata":{"user_id":"u","n":3}}}"#
    let error = try await error(status: 404, body)
    #expect(error.code == .notFound)
    let expected = ServerError(
      code: "USER_NOT_FOUND", message: "no such user", metadata: ["user_id": "u", "n": "number 3"])
    #expect(error.server == expected)
    #expect(
      error.description == "graph.IsMuted: not found (HTTP 404, USER_NOT_FOUND, request test-request)")
  }

  @Test func plainTextIsKeptButNotShown() async throws {
    let error = try await error(status: 502, "token=hunter2", headers: ["Content-Type": "text/plain"])
    #expect(error.server?.message == "token=hunter2")
    #expect(!"\(error)".contains("hunter2"))
  }

  @Test func retryAfterIsTold() async throws {
    let error = try await error(status: 429, "", headers: ["Retry-After": "7"])
    #expect(error.message == "too many requests; the server asks to wait 7 s")
  }

  @Test func anAnswerThatDoesNotFitSaysWhere() async throws {
    let error = try await error(status: 200, #"{"is_muted": 5}"#)
    #expect(error.code == .decodingError)
    #expect(error.decoding?.path == "is_muted")
    #expect(error.message.contains("expected true or false, found number 5"))
  }

  @Test func anAnswerThatIsNoJSONIsAnInvalidResponse() async throws {
    let error = try await error(status: 200, "<html>login</html>", headers: ["Content-Type": "text/html"])
    #expect(error.code == .invalidResponse)
    #expect(error.message == "expected a JSON response, got text/html")
  }

  @Test(arguments: [
    (TransportError.Kind.connectionRefused, APIError.Code.networkError), (.tls, .networkError),
    (.connectTimeout, .timeout), (.idleTimeout, .timeout), (.totalTimeout, .timeout), (.connectionLost, .networkError),
    (.responseTooLarge, .invalidResponse), (.invalidURL, .invalidURL), (.invalidHeader, .invalidArgument),
  ])
  func transportErrorsKeepTheirReason(kind: TransportError.Kind, code: APIError.Code) async throws {
    let transport = RecordingTransport { _, _ in throw TransportError(kind, "why", requestMayHaveLeft: false) }
    let client = try APIClient.test(transport)
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == code)
    #expect(error?.transport?.kind == kind)
    #expect(error?.attempts.map(\.failure) == [kind])
    #expect(error.map { "\($0)" } == "graph.IsMuted: why (request test-request)")
  }

  @Test func codesCanBeCaught() async throws {
    let client = try APIClient.test(RecordingTransport(status: 401, ""))
    do {
      _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
      Issue.record("expected an error")
    } catch APIError.notFound {
      Issue.record("caught the wrong code")
    } catch APIError.unauthorized {
      // as it should be
    }
  }
}
