import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMock

/// Counts of requests over the admin API.
@Suite struct VerifyEndpointTests {
  private let backend = MockBackend(dataSet: .empty)

  private func send(
    _ method: HTTPMethod, _ path: String, body: String = ""
  ) async -> (status: Int, json: JSONValue?) {
    let response = await AdminAPI(backend).respond(
      to: HTTPRequest(method: method, url: HTTPURL(received: "/_nova/\(path)"), body: Array(body.utf8)))
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  private func call(_ path: String, _ body: String, headers: HTTPHeaders = [:]) {
    _ = backend.respond(
      to: HTTPRequest(method: .post, url: HTTPURL(received: path), headers: headers, body: Array(body.utf8)))
  }

  /// Three calls of an RPC, one of a path that no RPC has.
  private func makeCalls() {
    for mutee in ["b", "c", "c"] {
      call("/api/v1/graph/is-muted", #"{"muter_id":"a","mutee_id":"\#(mutee)"}"#, headers: ["X-Run": mutee])
    }
    call("/api/v1/nothing", #"{"a":{"b":1},"token":"t0p-secret"}"#)
  }

  @Test(arguments: [
    (#"{"rpc":"graph.IsMuted"}"#, 200, 3), (#"{"rpc":"graph.IsMuted","exactly":3}"#, 200, 3),
    (#"{"rpc":"graph.IsMuted","exactly":2}"#, 409, 3), (#"{"rpc":"graph.IsMuted","at_most":2}"#, 409, 3),
    (#"{"rpc":"graph.IsMuted","at_least":2,"at_most":4}"#, 200, 3),
    (#"{"rpc":"graph.IsMuted","request":{"muteeId":"c"}}"#, 200, 2),
    (#"{"rpc":"graph.IsMuted","headers":{"x-run":"b"},"exactly":1}"#, 200, 1),
    (#"{"path":"/api/v1/*/is-muted","method":"post","status":200,"exactly":3}"#, 200, 3),
    (#"{"path":"/api/v1/nothing","request":{"a":{"b":1}},"status":404,"exactly":1}"#, 200, 1),
    (#"{"user":"ann","exactly":0}"#, 200, 0), (#"{"rpc":"graph.CreateFollow"}"#, 409, 0), ("{}", 200, 4),
  ])
  func requestsAreCounted(_ body: String, _ status: Int, _ found: Int) async {
    makeCalls()
    let answer = await send(.post, "verify", body: body)
    #expect(answer.status == status && answer.json?["found"]?.integerValue == found, "\(answer)")
    #expect(answer.json?["passed"] == .bool(status == 200))
  }

  @Test func theNearestRequestsAreListedWithTheirDifferences() async throws {
    makeCalls()
    let answer = await send(
      .post, "verify", body: #"{"rpc":"graph.IsMuted","request":{"muter_id":"a","mutee_id":"d"},"exactly":1}"#)
    #expect(answer.json?["message"]?.stringValue == "expected exactly 1 matching request, found 0")
    let nearest = try #require(answer.json?["nearest"]?.elements)
    #expect(nearest.map { $0["number"]?.integerValue } == [3, 2, 1])
    #expect(nearest.first?["differences"] == .strings([#"request.mutee_id: expected "d", got "c""#]))
  }

  @Test func secretsAreMasked() async {
    makeCalls()
    let answer = await send(.post, "verify", body: #"{"path":"/api/v1/nothing","request":{"token":"other-secret"}}"#)
    let text = String(decoding: answer.json?.jsonUTF8 ?? [], as: UTF8.self)
    #expect(answer.status == 409 && text.contains("request.token"), "\(text)")
    #expect(!text.contains("t0p-secret") && !text.contains("other-secret"), "\(text)")
  }

  @Test(arguments: [
    (#"{"rpc":"graph.IsMutd"}"#, "did you mean"), (#"{"exactly":1,"at_least":1}"#, "excludes"),
    (#"{"at_least":2,"at_most":1}"#, "larger"), (#"{"rpc":"graph.IsMuted","request":{"a":1}}"#, "request"),
    (#"{"headers":[]}"#, "headers"), (#"{"exactly":-1}"#, "exactly"), (#"{"count":1}"#, "count"),
  ])
  func invalidExpectationsAreRefused(_ body: String, _ part: String) async {
    let answer = await send(.post, "verify", body: body)
    let text = String(decoding: answer.json?.jsonUTF8 ?? [], as: UTF8.self)
    #expect(answer.status == 400 && text.contains(part), "\(text)")
  }

  @Test func requestsAreCountedByRPCAndStatus() async {
    makeCalls()
    let counts = await send(.get, "counts").json
    #expect(counts?["total"]?.integerValue == 4)
    #expect(counts?["rpcs"]?.elements?.map { $0["rpc"]?.stringValue } == [nil, "graph.IsMuted"])
    #expect(counts?["rpcs"]?.elements?.last?["statuses"]?["200"]?.integerValue == 3)
  }

  @Test func unmatchedRequestsAreListedUntilTheRequestsAreCleared() async {
    makeCalls()
    let unmatched = await send(.get, "unmatched").json
    #expect(unmatched?["count"]?.integerValue == 1 && backend.unmatchedCount == 1)
    #expect(unmatched?["requests"]?.elements?.first?["path"]?.stringValue == "/api/v1/nothing")
    let marks = await send(.get, "requests").json?["requests"]?.elements?.map { $0["unmatched"] != .null }
    #expect(marks == [false, false, false, true])
    _ = await send(.delete, "requests")
    #expect(await send(.get, "unmatched").json?["count"]?.integerValue == 0)
  }
}
