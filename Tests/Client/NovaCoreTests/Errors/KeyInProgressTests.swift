import NovaContent
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// A 409 that says that the same write is still being carried out.
@Suite struct KeyInProgressTests {
  static let answers: [String] = [
    #"{"error":{"code":"IDEMPOTENCY_IN_PROGRESS","message":"try later"}}"#,
    #"{"error":{"code":"IDEMPOTENCY_KEY_IN_PROGRESS","message":""}}"#,
    #"{"error":{"code":"idempotency_key_in_use","type":"idempotency_error","message":"m"}}"#,
    #"{"code":10,"message":"conflict","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","#
      + #""reason":"IDEMPOTENCY_IN_PROGRESS"}]}"#,
    #"{"code":6,"message":"the idempotency key is in progress","details":[]}"#,
    #"{"type":"https://api.example/errors/idempotency-in-progress","title":"Conflict","status":409}"#,
    #"{"type":"https://developer.example.com/idempotency","#
      + #""title":"A request is outstanding for this Idempotency-Key","status":409,"#
      + #""detail":"A request with the same Idempotency-Key for the same operation is being processed or is outstanding."}"#,
    #"{"type":"about:blank","title":"Conflict","status":409,"code":"IDEMPOTENCY_IN_PROGRESS","detail":"wait"}"#,
    #"{"detail":"Idempotency key is still processing"}"#,
    "another in-progress request uses this Idempotency-Key",
    // PayPal, Adyen, and others that name the earlier request.
    #"{"name":"RESOURCE_CONFLICT","message":"The requested action could not be performed.","#
      + #""details":[{"issue":"PREVIOUS_REQUEST_IN_PROGRESS","description":"x"}]}"#,
    #"{"name":"RESOURCE_CONFLICT","message":"A previous request on this resource is currently in progress."}"#,
    #"{"status":409,"errorCode":"704","message":"request already processed or in progress","errorType":"validation"}"#,
    #"{"code":10,"message":"The original request is still being processed"}"#,
    #"{"error":{"code":"REQUEST_IN_PROGRESS","message":""}}"#, #"{"detail":"Duplicate request is in flight"}"#,
    #"{"error":{"code":"idempotency_request_in_progress","message":"m"}}"#,
  ]

  static let conflicts: [String] = [
    #"{"error":{"code":"ALREADY_EXISTS","message":"the name is taken"}}"#,
    #"{"code":6,"message":"an export is already in progress"}"#,
    #"{"code":6,"message":"a follow request is already pending"}"#, #"{"code":6,"message":"the request is pending"}"#,
    #"{"code":6,"message":"a friend request is in progress"}"#,
    #"{"code":6,"message":"a concurrent request has changed it"}"#,
    #"{"code":6,"message":"the same request was made with different content and is in progress"}"#,
    #"{"error":{"code":"IDEMPOTENCY_KEY_REUSED","message":"the key was used with different parameters"}}"#,
    #"{"error":{"code":"IDEMPOTENCY_MISMATCH","message":"the idempotency key is in use with a different request"}}"#,
    "",
  ]

  private static let post = CreatePostRequest(creatorId: "u", content: "x")
  private static let created = #"{"post":{"id":"p1","creator_id":"u","content":"x"}}"#

  private func client(
    _ body: String, status: Int = 409, times: Int, retryAfter: String? = nil, recognizesKeys: Bool = true,
    clock: ManualClock
  ) throws -> (APIClient, RecordingTransport) {
    let transport = RecordingTransport { number, _ in
      var headers: HTTPHeaders = ["Content-Type": "application/json"]
      guard number < times else { return HTTPResponse(status: 200, headers: headers, body: Array(Self.created.utf8)) }
      headers["Content-Type"] = "application/problem+json"
      headers["Retry-After"] = retryAfter
      return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    }
    let overrides = ConfigurationOverrides(recognizesIdempotencyKeys: recognizesKeys)
    return (
      try APIClient.test(transport, overrides: overrides, resilience: Resilience(breaker: nil), clock: clock), transport
    )
  }

  @Test(arguments: answers) func itIsWaitedFor(_ body: String) async throws {
    for retryAfter in [nil, "1"] {
      let clock = ManualClock(autoAdvances: true)
      let (client, transport) = try client(body, times: 2, retryAfter: retryAfter, clock: clock)
      let response = try await client.respond(ContentRPC.createPost, Self.post)
      #expect(response.value.post?.id == "p1")
      #expect(Set(transport.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
      if retryAfter != nil {
        #expect(response.attempts.first?.consequence == .retry(wait: .seconds(1), reason: .httpStatus(409)))
      }
    }
  }

  /// The number of attempts is for failures, and not for a write that is under way.
  @Test func itIsWaitedForUntilTheDeadline() async throws {
    let clock = ManualClock(autoAdvances: true)
    let (client, transport) = try client(Self.answers[0], times: 6, retryAfter: "1", clock: clock)
    #expect(try await client.call(ContentRPC.createPost, Self.post).post?.id == "p1")
    #expect(transport.requests.count == 7)

    let (endless, _) = try self.client(Self.answers[0], times: .max, retryAfter: "4", clock: clock)
    let error = try #require(
      await apiError {
        try await endless.call(ContentRPC.createPost, Self.post, options: CallOptions(timeout: .seconds(10)))
      })
    #expect(error.code == .unavailable && error.httpStatus == 409)
    #expect(error.message.hasPrefix("an earlier request with the same idempotency key is still being carried out"))
    #expect(error.retryAfter == .seconds(4))
  }

  /// The answer proves that the gateway recognizes keys.
  @Test func theSettingIsNotNeeded() async throws {
    let clock = ManualClock(autoAdvances: true)
    let (client, _) = try client(Self.answers[0], times: 1, recognizesKeys: false, clock: clock)
    #expect(try await client.call(ContentRPC.createPost, Self.post).post?.id == "p1")
  }

  @Test func oneAttemptIsOne() async throws {
    let clock = ManualClock(autoAdvances: true)
    let (client, transport) = try client(Self.answers[0], times: 1, clock: clock)
    _ = await apiError {
      try await client.call(ContentRPC.createPost, Self.post, options: CallOptions(retry: .never))
    }
    #expect(transport.requests.count == 1)
  }

  /// Adyen's other status, and those of LOCKED and TOO EARLY.
  @Test(arguments: [
    (
      422,
      #"{"status":422,"errorCode":"704","message":"request already processed or in progress","errorType":"validation"}"#
    ),
    (422, #"{"error":{"code":"IDEMPOTENCY_IN_PROGRESS","message":"try later"}}"#),
    (
      422,
      #"{"type":"https://api.example/errors/idempotency-in-progress","title":"Unprocessable Content","status":422}"#
    ),
    (423, #"{"error":{"code":"idempotency_key_in_use","message":"m"}}"#), (425, answers[0]),
  ])
  func otherStatusesOfARequestInProgress(_ status: Int, _ body: String) async throws {
    let clock = ManualClock(autoAdvances: true)
    let (client, transport) = try client(body, status: status, times: 2, clock: clock)
    #expect(try await client.call(ContentRPC.createPost, Self.post).post?.id == "p1")
    #expect(transport.requests.count == 3)
  }

  /// The usual meaning of 422 is that the key was used with another request, or that an argument is invalid.
  @Test(arguments: [
    #"{"type":"https://developer.example.com/idempotency","title":"Idempotency-Key is already used","status":422,"#
      + #""detail":"This operation is idempotent and must not be used with other requests in progress."}"#,
    #"{"error":{"code":"idempotency_key_in_use","message":"the key is in use"}}"#,
    #"{"code":3,"message":"the idempotency key has been used, and the first request is in progress"}"#,
    #"{"code":3,"message":"a request with this idempotency key and another payload is being processed"}"#,
    #"{"code":3,"message":"the post is locked"}"#, #"{"detail":[{"loc":["body"],"msg":"pending","type":"t"}]}"#,
  ])
  func otherRefusalsOfArgumentsAreFinal(_ body: String) async throws {
    let clock = ManualClock(autoAdvances: true)
    let (client, transport) = try client(body, status: 422, times: 1, clock: clock)
    let error = await apiError { try await client.call(ContentRPC.createPost, Self.post) }
    #expect(error?.code == .invalidArgument && transport.requests.count == 1, "\(body): \(String(describing: error))")
  }

  /// ABORTED alone is retried where that is safe, and names no key.
  @Test func abortedNeedsAReason() {
    for (message, isKey) in [("aborted", false), ("the idempotency key is being processed", true)] {
      let body = #"{"code":10,"message":"\#(message)"}"#
      let error = APIError(HTTPResponse(status: 409, headers: [:], body: Array(body.utf8)))
      #expect(error.isKeyInProgress == isKey && error.grpcStatus == .aborted)
    }
  }

  @Test(arguments: conflicts) func otherConflictsAreFinal(_ body: String) async throws {
    let clock = ManualClock(autoAdvances: true)
    let (client, transport) = try client(body, times: 1, clock: clock)
    let error = await apiError { try await client.call(ContentRPC.createPost, Self.post) }
    #expect(error?.code == .conflict && transport.requests.count == 1, "\(body)")
  }
}
