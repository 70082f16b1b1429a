import NovaCore
import NovaGraph
import NovaTestSupport
import Testing

/// Failures as FastAPI and RFC 9457 write them.
@Suite struct ProblemTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let body: String
    let expected: ServerError?
    var testDescription: String { body }

    init(_ body: String, _ expected: ServerError?) { (self.body, self.expected) = (body, expected) }
  }

  static let cases = [
    Case(#"{"detail":"Not Found"}"#, ServerError(message: "Not Found")),
    Case(
      #"{"detail":[{"loc":["body","content_type"],"msg":"Field required","type":"missing"}]}"#,
      ServerError(
        code: "missing", message: "body.content_type: Field required",
        metadata: ["body.content_type": "Field required"])),
    Case(
      #"{"detail":[{"loc":["body","items",2,"x"],"msg":"a","type":"t"},{"loc":["query","limit"],"msg":"b","type":"u"}]}"#,
      ServerError(
        code: "t", message: "body.items.2.x: a; query.limit: b", metadata: ["body.items.2.x": "a", "query.limit": "b"])),
    Case(#"{"detail":[{"msg":"m"}]}"#, ServerError(message: "m", metadata: ["": "m"])),
    Case(#"{"detail":{"code":"TAKEN","message":"m"}}"#, ServerError(code: "TAKEN", message: "m")),
    Case(
      #"{"type":"https://example.com/out-of-credit","title":"No credit","status":403,"detail":"30, but it costs 50"}"#,
      ServerError(
        code: "https://example.com/out-of-credit", message: "30, but it costs 50", metadata: ["title": "No credit"])),
    Case(#"{"type":"about:blank","title":"Bad Gateway","status":502}"#, ServerError(message: "Bad Gateway")),
    Case(#"{"code":5,"detail":"gone"}"#, ServerError(message: "gone")),
    // What says nothing in `detail` is read as before.
    Case(#"{"detail":[]}"#, nil), Case(#"{"detail":[3]}"#, nil), Case(#"{"detail":{}}"#, nil),
    Case(#"{"detail":7}"#, nil),
    Case(#"{"message":"m","detail":"d"}"#, ServerError(message: "m")),
    Case(#"{"error":{"code":"X","message":"m"},"detail":"d"}"#, ServerError(code: "X", message: "m")),
    Case(#"{"code":5,"message":"m","details":[]}"#, ServerError(message: "m")),
    // A byte order mark is not a part of the text.
    Case("\u{FEFF}slow down", ServerError(message: "slow down")),
    Case("\u{FEFF}" + #"{"detail":"Not Found"}"#, ServerError(message: "Not Found")),
  ]

  @Test(arguments: cases, ["application/json", "application/problem+json"])
  func theMessageIsFound(_ wanted: Case, _ type: String) async throws {
    let transport = RecordingTransport(status: 422, headers: ["Content-Type": type], wanted.body)
    let client = try APIClient.test(transport)
    let error = try #require(
      await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) })
    #expect(error.server == wanted.expected)
    #expect(error.code == (wanted.body.contains("\"code\":5") ? .notFound : .invalidArgument))
    #expect(!error.description.contains("costs 50"), "what a server wrote is not for logs")
  }
}
