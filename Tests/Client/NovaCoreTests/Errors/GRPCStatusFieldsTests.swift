import NovaCore
import NovaGraph
import NovaTestSupport
import NovaUsers
import Testing

/// gRPC statuses in the header fields, with answers recorded from Envoy 1.40: its JSON transcoder in front of a grpcio
/// backend that fails each call with a `google.rpc.Status`, over HTTP/1.1 and over HTTP/2.
@Suite struct GRPCStatusFieldsTests {
  /// ErrorInfo, RetryInfo (3.5 s), BadRequest, QuotaFailure, RequestInfo, LocalizedMessage, and an unknown type.
  private static let details =
    "CAUSH2tlaW4gTnV0emVyIOKAnnUx4oCcOiAxMDAgJSB3ZWcaWAoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLkVycm9ySW5mbxIsCg5V"
    + "U0VSX05PVF9GT1VORBILbm92YS5zb2NpYWwaDQoHdXNlcl9pZBICdTEaNgoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLlJldHJ5SW5m"
    + "bxIKCggIAxCAyrXuARpSCil0eXBlLmdvb2dsZWFwaXMuY29tL2dvb2dsZS5ycGMuQmFkUmVxdWVzdBIlCiMKB3VzZXJfaWQSGGlzIHVua25vd24g"
    + "4oCTIDEwMCUgc3VyZRpHCit0eXBlLmdvb2dsZWFwaXMuY29tL2dvb2dsZS5ycGMuUXVvdGFGYWlsdXJlEhgKFgoHdXNlcjp1MRILZGFpbHkgbGlt"
    + "aXQaNgoqdHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLlJlcXVlc3RJbmZvEggKA3ItMRIBcxpACi90eXBlLmdvb2dsZWFwaXMuY29tL2dv"
    + "b2dsZS5ycGMuTG9jYWxpemVkTWVzc2FnZRINCgJkZRIHR3LDtsOfZRolCh90eXBlLmdvb2dsZWFwaXMuY29tL25vdmEuQ3VzdG9tEgIIAQ"

  private static func answer(
    _ status: Int, grpc grpcStatus: String?, _ message: String? = nil, type: String = "application/grpc",
    details: String? = nil, body: String = ""
  ) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": type, "x-envoy-upstream-service-time": "1"]
    if let grpcStatus { headers["grpc-status"] = grpcStatus }
    if let message { headers["grpc-message"] = message }
    if let details { headers["grpc-status-details-bin"] = details }
    return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }

  private func failure(_ response: HTTPResponse, resilience: Resilience = .none) async throws -> APIError? {
    let client = try APIClient.test(RecordingTransport { _, _ in response }, resilience: resilience)
    return await apiError { try await client.call(UserRPC.getUserProfile, GetUserProfileRequest(userId: "u1")) }
  }

  @Test func detailsAreReadAsThoseOfJSON() async throws {
    let error = try await failure(
      Self.answer(404, grpc: "5", "kein Nutzer %E2%80%9Eu1%E2%80%9C: 100 %25 weg", details: Self.details))
    #expect(error?.code == .notFound && error?.grpcStatus == .notFound && error?.httpStatus == 404)
    #expect(error?.server?.code == "USER_NOT_FOUND")
    #expect(error?.server?.message == "kein Nutzer „u1“: 100 % weg")
    // ErrorInfo's value first: BadRequest has the same name.
    #expect(error?.server?.metadata == ["user_id": "u1"])
    #expect(error?.retryAfter == .milliseconds(3500))
    let json = HTTPResponse(
      status: 404,
      body: Array(
        #"{"code":5,"message":"kein Nutzer „u1“: 100 % weg","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","#
          .utf8)
        + Array(
          #""reason":"USER_NOT_FOUND","metadata":{"user_id":"u1"}},{"@type":"type.googleapis.com/google.rpc.RetryInfo","#
            .utf8) + Array(#""retryDelay":"3.500s"}]}"#.utf8))
    let same = try await failure(json)
    #expect(same?.server == error?.server && same?.retryAfter == error?.retryAfter && same?.code == error?.code)
  }

  /// Status, `grpc-status`, `grpc-message`, type, body, and the code and the message that they are read as.
  static let rows: [(HTTPResponse, APIError.Code, String)] = [
    (answer(503, grpc: "14", "upstream connect error"), .unavailable, "upstream connect error"),
    (answer(200, grpc: "14", "later"), .unavailable, "later"),
    (answer(200, grpc: "14", "later", body: #"{"profile":{"id":"u1"}}"#), .unavailable, "later"),
    (answer(200, grpc: "7", "no", type: "application/json", body: "[]"), .permissionDenied, "no"),
    (answer(403, grpc: "7", "nein %E2%80%9Ex%E2%80%9C", type: "text/event-stream"), .permissionDenied, "nein „x“"),
    (answer(401, grpc: "16", "no"), .unauthorized, "no"), (answer(409, grpc: "6"), .conflict, ""),
    (answer(400, grpc: "9", "not yet"), .failedPrecondition, "not yet"),
    // The status of gRPC counts where HTTP's differs.
    (answer(500, grpc: "5", "none"), .notFound, "none"),
    (answer(404, grpc: "12", "unknown method"), .unimplemented, "unknown method"),
    // Broken escapes stay as they are, as gRPC has it; broken UTF-8 is replaced.
    (answer(400, grpc: "3", "100% of %zz"), .invalidArgument, "100% of %zz"),
    (answer(400, grpc: "3", "a%FFb"), .invalidArgument, "a\u{FFFD}b"),
    // A status that gRPC does not define, and details that cannot be read.
    (answer(500, grpc: "99", "odd"), .serverError, "odd"),
    (answer(404, grpc: "5", "none", details: "%%%"), .notFound, "none"),
    (answer(404, grpc: "5", "none", details: "CAUS/////w8"), .notFound, "none"),
    // The message is in the details alone.
    (answer(404, grpc: "5", details: details), .notFound, "kein Nutzer „u1“: 100 % weg"),
    // Text and JSON beside the fields.
    (answer(503, grpc: "14", type: "text/plain", body: "no healthy upstream"), .unavailable, "no healthy upstream"),
    (answer(503, grpc: "14", type: "text/html", body: "<html>x</html>"), .unavailable, ""),
    (
      answer(404, grpc: "5", "b", type: "application/json", body: #"{"code":5,"message":"a","details":[]}"#), .notFound,
      "a"
    ),
    (
      answer(404, grpc: "2", "b", type: "application/json", body: #"{"error":{"code":"NOT_FOUND","message":"a"}}"#),
      .notFound, "a"
    ),
    // Not of gRPC.
    (
      answer(400, grpc: nil, type: "text/plain", body: "Unexpected end of string. Expected a value.\n\n^"),
      .invalidArgument,
      "Unexpected end of string. Expected a value.\n\n^"
    ),
    (
      answer(503, grpc: nil, type: "text/plain", body: "upstream connect error or disconnect/reset before headers"),
      .unavailable,
      "upstream connect error or disconnect/reset before headers"
    ),
    (answer(404, grpc: "0", ""), .notFound, ""), (answer(404, grpc: "x", "y"), .notFound, ""),
  ]

  @Test(arguments: rows.indices) func fieldsAreReadAsTheFailure(_ index: Int) async throws {
    let (response, code, message) = Self.rows[index]
    let error = try await failure(response)
    #expect(
      error?.code == code && (error?.server?.message ?? "") == message, "\(response): \(String(describing: error))")
    #expect(error?.httpStatus == response.status && error?.isFromAnotherServer == false)
  }

  @Test func aStatusOfZeroIsASuccess() async throws {
    let body = #"{"userIds":["a"],"totalCount":1}"#
    for status in ["0", "00", "", "0, 0", " 0 ,"] {
      let client = try APIClient.test(
        RecordingTransport(
          headers: ["Content-Type": "application/json", "grpc-status": status, "grpc-message": ""], body))
      #expect(try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u")).userIds == ["a"])
    }
  }

  /// By gRPC's rule, what cannot be read is UNKNOWN, and any failure counts among several. HTTP's own failure says more.
  @Test(arguments: [
    (["14, 14"], APIError.Code.unavailable), (["14,0"], .unavailable), (["0", "14"], .unavailable),
    (["0, 14"], .unavailable),
    (["-1"], .serverError), (["+14"], .serverError), (["UNAVAILABLE"], .serverError), (["x", "14"], .unavailable),
    (["99999999999999999999"], .serverError), (["0", "x"], .serverError), (["2"], .serverError),
    (["0x0e"], .serverError),
    (["14.0"], .serverError), (["14;0"], .serverError),
  ])
  func severalAndUnreadableStatusesAreFailures(_ values: [String], _ code: APIError.Code) async throws {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    for value in values { headers.append(name: "Grpc-Status", value: value) }
    let error = try await failure(HTTPResponse(status: 200, headers: headers, body: Array("{}".utf8)))
    #expect(error?.code == code && error?.httpStatus == 200, "\(values): \(String(describing: error))")
    #expect(headers.failedGRPCStatus == (code == .unavailable ? 14 : 2))
    let missing = try await failure(HTTPResponse(status: 404, headers: headers))
    #expect(missing?.code == (headers.namesFailedGRPCStatus ? code : .notFound), "\(values)")
  }

  /// The call is repeated as for 503, and 16 asks for another token, whatever HTTP says.
  @Test func failuresUnderASuccessStatusAreRetried() async throws {
    let transport = RecordingTransport { number, _ in
      number < 2 ? Self.answer(200, grpc: "14", "later") : HTTPResponse(status: 200, body: Array("{}".utf8))
    }
    let client = try APIClient.test(transport, resilience: Resilience(), clock: ManualClock(autoAdvances: true))
    _ = try await client.call(GraphRPC.getFollowers, GetFollowersRequest(userId: "u"))
    #expect(transport.requests.count == 3)
  }

  /// What a server quotes is masked, also where it is percent-encoded, or in the details.
  @Test func secretsAreMasked() async throws {
    let token = "secret-token-0123456789"
    let status = Array("\u{12}\u{18}\(token)\u{21}".utf8)
    for response in [
      Self.answer(401, grpc: "16", "token secret%2Dtoken%2D0123456789 is no good"),
      Self.answer(200, grpc: "16", "token secret%2Dtoken%2D0123456789 is no good"),
      Self.answer(401, grpc: "16", details: String(decoding: Base64.encode(status), as: UTF8.self)),
    ] {
      let client = try APIClient.test(RecordingTransport { _, _ in response })
      let error = await apiError {
        try await client.call(
          UserRPC.getUserProfile, GetUserProfileRequest(userId: "u1"),
          options: CallOptions(token: try AccessToken(token)))
      }
      #expect(error?.code == .unauthorized)
      #expect(
        error.map { !"\($0) \($0.server?.message ?? "")".contains(token) } == true, "\(String(describing: error))")
    }
  }
}
