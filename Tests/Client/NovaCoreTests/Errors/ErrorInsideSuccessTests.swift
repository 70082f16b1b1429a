import NovaContent
import NovaCore
import NovaGraph
import NovaRegistry
import NovaTestSupport
import Testing

@Suite struct ErrorInsideSuccessTests {
  private func create(_ answer: String) async throws -> APIError? {
    let client = try APIClient.test(RecordingTransport(answer))
    return await apiError {
      try await client.call(ContentRPC.createPost, CreatePostRequest(creatorId: "u", content: "x"))
    }
  }

  @Test(arguments: [
    ("USER_NOT_FOUND", APIError.Code.notFound, GRPCStatus?.some(.notFound)), ("NOT_FOUND", .notFound, .notFound),
    ("permission_denied", .permissionDenied, .permissionDenied), ("5", .notFound, .notFound),
    ("QUOTA_RESOURCE_EXHAUSTED", .rateLimited, .resourceExhausted), ("SOMETHING_ELSE", .serverError, nil),
    ("0", .invalidResponse, .ok), ("999", .serverError, nil), ("", .serverError, nil),
  ])
  func isAnErrorWithTheServersCode(code: String, expected: APIError.Code, status: GRPCStatus?) async throws {
    let error = try await create(
      #"{"post":{"id":"p"},"error":{"code":"\#(code)","message":"why","metadata":{"a":"b"}}}"#)
    #expect(error?.code == expected)
    #expect(error?.grpcStatus == status)
    #expect(error?.httpStatus == 200)
    #expect(error?.server == ServerError(code: code, message: "why", metadata: ["a": "b"]))
  }

  @Test func anEmptyErrorIsNone() async throws {
    let post = #""post":{"id":"p","creator_id":"u","content":"x"}"#
    for answer in ["{\(post)}", "{\(post),\"error\":null}", "{\(post),\"error\":{}}"] {
      #expect(try await create(answer) == nil, "\(answer)")
    }
  }
}

/// Failures in place of the message of a 200, for every form of RPC: no failure becomes an empty list.
@Suite struct FailureInsteadOfMessageTests {
  private static let calls = ["graph.GetFollowers", "content.GetPostsByIds", "capture.ListSomethings", "feed.GetFeed"]

  private static let answers: [(body: String, code: APIError.Code, message: String)] = [
    (#"{"code":14,"message":"why"}"#, APIError.Code.unavailable, "why"),
    (#"{"code":14,"message":"why","details":[{"@type":"x"}]}"#, .unavailable, "why"),
    (#"{ "code" : "14" }"#, .unavailable, ""), (#"{"code":"UNAVAILABLE","message":"why"}"#, .unavailable, "why"),
    (#"{"code":16}"#, .unauthorized, ""), (#"{"code":"USER_NOT_FOUND"}"#, .notFound, ""),
    (#"{"code":503,"message":"why"}"#, .unavailable, "why"), (#"{"code":404}"#, .notFound, ""),
    (#"{"error":{"code":14,"message":"why"}}"#, .unavailable, "why"), (#"{"error":{"code":14}}"#, .unavailable, ""),
    (#"{"error":{"code":"UNAVAILABLE"}}"#, .unavailable, ""), (#"{"error":"why"}"#, .serverError, "why"),
    (#"{"error":{"code":429,"message":"why"}}"#, .rateLimited, "why"),
    (#"{"error":{"code":99}}"#, .serverError, ""),
    (#"{"error":{"code":400,"message":"why","status":"FAILED_PRECONDITION"}}"#, .failedPrecondition, "why"),
    (#"{"error":14}"#, .unavailable, ""), (#"{"error":true}"#, .serverError, ""),
    (#"{"error":["x"]}"#, .serverError, ""),
    (#"{"success":0}"#, .failedPrecondition, ""), (#"{"success":"false"}"#, .failedPrecondition, ""),
    (#"{"success":false}"#, .failedPrecondition, ""),
    (#"{"success":false,"message":"why"}"#, .failedPrecondition, "why"),
    (#"{"success":false,"code":14}"#, .unavailable, ""), (#"{"error":{"code":5},"error":{}}"#, .notFound, ""),
  ]

  private static let messages: [String] = [
    #"{"code":0}"#, #"{"code":0,"message":"OK"}"#, #"{"code":"OK"}"#, #"{"code":200,"message":"OK"}"#,
    #"{"code":null}"#, #"{"user_ids":null,"code":"ABC-1","message":"x"}"#, #"{"user_ids":[],"code":true}"#,
    #"{"success":true}"#, #"{"success":null}"#, #"{"error":null}"#, #"{"error":{}}"#, #"{"error":""}"#,
    #"{"error":{"code":0}}"#, #"{"error":{"code":0,"message":"fine"}}"#, #"{"error":false}"#, #"{"error":0}"#,
    #"{"error":[]}"#, "{}",
    #"{"success":1}"#, #"{"success":"true"}"#, #"{"user_ids":["a"],"error":true}"#, #"{"user_ids":["a"],"success":0}"#,
    #"{"user_ids":["a"],"code":14}"#, #"{"user_ids":["a"],"success":false}"#, #"{"has_more":true,"code":14}"#,
    #"{"user_ids":["\"code\":14","\"error\":1","success"]}"#,
    #"{"total_count":1,"data":{"code":14,"error":{"code":14},"success":false}}"#,
  ]

  private func failure(_ name: String, _ body: String) async throws -> APIError? {
    let rpc = try #require(RPCRegistry.nova.rpc(named: name))
    let client = try APIClient.test(RecordingTransport(body))
    let options = CallOptions(checksArguments: false)
    let request = JSONValue.object(
      PathTemplate(rpc.http.path).variables.map { .init(name: $0, value: .string("1")) })
    return await apiError {
      try await client.respond(rpc, try rpc.requestType.init(jsonUTF8: request.jsonUTF8), options: options)
    }
  }

  @Test(arguments: calls, answers)
  func isAnError(call: String, answer: (body: String, code: APIError.Code, message: String)) async throws {
    let error = try await failure(call, answer.body)
    #expect(error?.code == answer.code, "\(answer.body): \(String(describing: error))")
    #expect(error?.httpStatus == 200 && (error?.server?.message ?? "") == answer.message, "\(answer.body)")
    #expect(error?.rpc == call)
  }

  @Test(arguments: messages)
  func isNone(body: String) async throws {
    let error = try await failure("graph.GetFollowers", body)
    #expect(error == nil, "\(body): \(String(describing: error))")
  }

  @Test func aMessagesOwnFieldsAreNoFailure() async throws {
    #expect(
      try await failure("graph.CreateFollow", #"{"success":false,"message":"no"}"#) == nil, "the service's to judge")
    #expect(try await failure("graph.CreateFollow", #"{"success":true,"message":"done","code":14}"#) == nil)
    #expect(try await failure("graph.CreateFollow", #"{"message":"down","code":14}"#)?.code == .unavailable)
    #expect(try await failure("content.GetPost", #"{"post":{"id":"p"},"found":true,"error":{"code":0}}"#) == nil)
    #expect(try await failure("content.GetPost", #"{"post":{"id":"p"},"found":true,"code":5}"#) == nil)
  }

  /// Every RPC's own response, with every field set, is taken as it is: none is mistaken for a failure.
  @Test func noWholeResponseIsMistaken() async throws {
    for rpc in RPCRegistry.nova.rpcs
    where !rpc.isServerStreaming && rpc.http.responseField == nil && !rpc.responseType.descriptor.fields.isEmpty {
      let fields = rpc.responseType.descriptor.fields.filter { $0.name != "error" && $0.cardinality == .singular }
      let members = fields.compactMap { field -> JSONValue.Member? in
        // The requests name the record 1.
        let value = field.name == "id" ? "1" : "14"
        return switch field.kind {
        case .string: .init(name: field.name, value: .string(value))
        case .bool: .init(name: field.name, value: .bool(true))
        case .int32, .int64, .uint32, .uint64: .init(name: field.name, value: .number(value))
        default: nil
        }
      }
      let body = String(decoding: JSONValue.object(members).jsonUTF8, as: UTF8.self)
      let error = try await failure(rpc.id, body)
      #expect(error == nil, "\(rpc.id): \(String(describing: error))")
    }
  }

  @Test func unavailableIsTriedAgainWhereThatIsAllowed() async throws {
    for (body, attempts) in [(#"{"code":14}"#, 3), (#"{"code":5}"#, 1), (#"{"error":{"code":"14"}}"#, 3)] {
      let transport = RecordingTransport(body)
      let client = try APIClient.test(transport, resilience: Resilience(), clock: ManualClock(autoAdvances: true))
      _ = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
      #expect(transport.requests.count == attempts, "\(body)")
      let writes = RecordingTransport(body)
      let writer = try APIClient.test(writes, resilience: Resilience(), clock: ManualClock(autoAdvances: true))
      _ = await apiError {
        try await writer.call(ContentRPC.createPost, CreatePostRequest(creatorId: "u", content: "x"))
      }
      #expect(writes.requests.count == 1, "\(body)")
    }
  }
}
