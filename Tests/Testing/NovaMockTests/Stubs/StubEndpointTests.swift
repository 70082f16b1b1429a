import NovaCore
import NovaMock
import NovaSocial
import Testing

/// Stubs over the admin API.
@Suite struct StubEndpointTests {
  private let backend = MockBackend(dataSet: .empty)

  private func send(
    _ method: HTTPMethod, _ path: String, body: String = ""
  ) async -> (status: Int, json: JSONValue?) {
    let response = await AdminAPI(backend).respond(
      to: HTTPRequest(method: method, url: HTTPURL(received: "/_nova/\(path)"), body: Array(body.utf8)))
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  private func call(_ method: HTTPMethod, _ path: String, body: String = "") -> HTTPResponse {
    backend.respond(to: HTTPRequest(method: method, url: HTTPURL(received: path), body: Array(body.utf8)))
  }

  @Test func stubsAreAddedListedAndRemoved() async {
    let added = await send(
      .post, "stubs",
      body:
        #"{"rpc":"graph.getfollowers","request":{"userId":"ann"},"body":{"user_ids":["bob"]},"headers":{"X-A":"b"},"delay_ms":5}"#
    )
    #expect(added.status == 201)
    #expect(
      added.json.map { String(decoding: $0.jsonUTF8, as: UTF8.self) }
        == #"{"id":"stub-1","rpc":"graph.GetFollowers","request":{"user_id":"ann"},"status":200,"body":{"user_ids":["bob"]},"body_size":20,"headers":{"X-A":"b"},"delay_ms":5,"hits":0}"#
    )
    let response = call(.post, "/api/v1/graph/followers", body: #"{"user_id":"ann","limit":3}"#)
    #expect(response.body.inMemory == Array(#"{"user_ids":["bob"]}"#.utf8) && response.headers["X-A"] == "b")
    #expect(await send(.get, "stubs").json?["stubs"]?.elements?.first?["hits"]?.integerValue == 1)
    #expect(await send(.delete, "stubs/stub-1").json?["stubs"] == .array([]))
    #expect(await send(.delete, "stubs/stub-1").status == 404)
    for _ in 0..<2 { #expect(await send(.post, "stubs", body: #"{"rpc":"graph.IsMuted"}"#).status == 201) }
    #expect(await send(.delete, "stubs").json?["stubs"] == .array([]))
    #expect(await send(.post, "stubs", body: #"{"rpc":"graph.IsMuted"}"#).status == 201)
    #expect(await send(.post, "reset").status == 200)
    #expect(await send(.get, "stubs").json?["stubs"] == .array([]))
  }

  @Test(arguments: [204, 205, 304]) func someStatusesHaveNoBody(status: Int) async throws {
    #expect(await send(.post, "stubs", body: #"{"rpc":"graph.GetFollowers","status":\#(status)}"#).status == 201)
    backend.add(try .call(SocialRPC.createLike, status: status, message: "none"))
    for path in ["graph/followers", "social/like"] {
      let response = call(.post, "/api/v1/\(path)", body: "{}")
      #expect(response.body.inMemory.isEmpty && response.headers["Content-Type"] == nil, "\(path): \(response)")
    }
    #expect(call(.post, "/api/v1/graph/followers", body: "{}").status == status)
  }

  @Test func allStubsTogetherHaveALimitAndTheListStaysSmall() async {
    let big = #"{"rpc":"graph.IsMuted","status":500,"body":"\#(String(repeating: "x", count: 9 << 20))"}"#
    #expect(await send(.post, "stubs", body: big).status == 201)
    let refused = await send(.post, "stubs", body: big)
    #expect(refused.json?["message"]?.stringValue?.contains("16 MiB") == true && backend.stubs.count == 1)
    let listed = await send(.get, "stubs").json
    #expect(listed.map { $0.jsonUTF8.count < 400 } == true)
    #expect(listed?["stubs"]?.elements?.first?["body_size"]?.integerValue == (9 << 20) + 2)
    #expect(await send(.get, "stubs/stub-1").json?["body"]?.stringValue?.utf8.count == 9 << 20)
    #expect(await send(.get, "stubs/stub-2").status == 404)
    #expect(await send(.delete, "stubs/stub-1").status == 200)
    #expect(await send(.post, "stubs", body: big).status == 201)
  }

  /// Of several types, browsers take the last one.
  @Test(arguments: ["text/html", "application/json, text/html", ",text/html"])
  func aStubIsNoPageOfTheServer(_ type: String) async {
    let html = #"{"rpc":"graph.IsMuted","status":500,"body":"<script>","headers":{"Content-Type":"\#(type)"}}"#
    #expect(await send(.post, "stubs", body: html).status == 201)
    let headers = call(.post, "/api/v1/graph/is-muted", body: "{}").headers
    #expect(headers["X-Content-Type-Options"] == "nosniff" && headers["Content-Security-Policy"] == "sandbox")
  }

  @Test(arguments: [
    (#"{}"#, "rpc is missing"), (#"{"rpc":"graph.GetFollower"}"#, "did you mean graph.GetFollowers?"),
    (#"{"rpc":"graph.IsMuted","requst":{}}"#, "unknown member: \"requst\"; did you mean request?"),
    (#"{"rpc":"graph.IsMuted","request":[]}"#, "request does not match"),
    (#"{"rpc":"graph.GetFollowers","request":{"limt":1}}"#, "unknown field: request.limt; did you mean limit?"),
    (
      #"{"rpc":"graph.GetFollowers","request":{"limit":"x"}}"#,
      "request does not match the request of graph.GetFollowers: limit"
    ),
    (#"{"rpc":"graph.GetFollowers","body":{"user_ids":"a"}}"#, "body does not match the response"),
    (#"{"rpc":"graph.GetFollowers","body":{"user_id":[]}}"#, "did you mean user_ids?; set allow_invalid"),
    (#"{"rpc":"content.GetPost","body":{"post":{"idd":"a"}}}"#, "unknown field: body.post.idd; did you mean id?"),
    (#"{"rpc":"graph.GetFollowers","body":7}"#, "body does not match the response"),
    (#"{"rpc":"graph.IsMuted","status":99}"#, "status is number 99"),
    (#"{"rpc":"graph.IsMuted","status":304,"body":{}}"#, "status 304 has no body"),
    (#"{"rpc":"graph.IsMuted","delay_ms":10001}"#, "delay_ms is number 10001; expected a whole number from 0 to 10000"),
    (#"{"rpc":"graph.IsMuted","headers":{"X\r\nY":"a"}}"#, "headers:"),
    (#"{"rpc":"graph.IsMuted","headers":{"X":"a\nb"}}"#, "control character"),
    (#"{"rpc":"graph.IsMuted","headers":{"content-length":"5"}}"#, "the server sets content-length"),
    (#"{"rpc":"graph.IsMuted","headers":["a"]}"#, "headers is a list"),
    (#"{"rpc":"graph.IsMuted","allow_invalid":1}"#, "expected true or false"),
  ])
  func mistakesAreExplained(_ body: String, _ message: String) async {
    let answer = await send(.post, "stubs", body: body)
    #expect(answer.status == 400)
    #expect(answer.json?["message"]?.stringValue?.contains(message) == true, "\(answer)")
    #expect(backend.stubs.isEmpty)
  }

  @Test(arguments: [
    (#"{"rpc":"graph.GetFollowers","body":{"user_ids":"a"},"allow_invalid":true}"#, 200, #"{"user_ids":"a"}"#),
    (#"{"rpc":"graph.GetFollowers","status":502,"body":"<html>"}"#, 502, #""<html>""#),
    (
      #"{"rpc":"graph.GetFollowers","status":404}"#, 404,
      #"{"code":5,"message":"stub of graph.GetFollowers","details":[]}"#
    ),
    (#"{"rpc":"graph.GetFollowers","status":304}"#, 304, ""),
    (#"{"rpc":"graph.GetFollowers"}"#, 200, #"{"user_ids":[],"total_count":0,"has_more":false}"#),
    (
      #"{"rpc":"graph.GetFollowers","request":null,"body":null}"#, 200,
      #"{"user_ids":[],"total_count":0,"has_more":false}"#
    ),
    (#"{"rpc":"graph.GetFollowers","request":{"limit":0,"user_id":"ann"},"status":418}"#, 418, nil),
    (#"{"rpc":"graph.GetFollowers","request":{"limit":"0"},"status":418}"#, 418, nil),
    (#"{"rpc":"graph.GetFollowers","request":{"limit":5},"status":418}"#, 200, nil),
  ])
  func callsGetTheResponse(stub: String, status: Int, body: String?) async {
    let added = await send(.post, "stubs", body: stub)
    #expect(added.status == 201, "\(added)")
    let response = call(.post, "/api/v1/graph/followers", body: #"{"user_id":"ann"}"#)
    #expect(response.status == status)
    if let body { #expect(String(decoding: response.body.inMemory, as: UTF8.self) == body) }
  }

  /// Path and query fields are matched, too.
  @Test func fieldsOfThePathAreMatched() async throws {
    let rpc = #"{"rpc":"capture.GetSomething","request":{"id":"7"},"status":410}"#
    let added = await send(.post, "stubs", body: rpc)
    #expect(added.status == 201, "\(added)")
    #expect(call(.get, "/api/v1/somethings/7").status == 410)
    #expect(call(.get, "/api/v1/somethings/8").status == 404)
  }

  @Test func secretsOfStubsAreMasked() async {
    let added = await send(
      .post, "stubs", body: #"{"rpc":"auth.Login","request":{"password":"my-secret-1"},"body":{"token":"my-secret-2"}}"#
    )
    #expect(added.status == 201, "\(added)")
    for text in [added.json, await send(.get, "stubs").json].map({ String(decoding: $0?.jsonUTF8 ?? [], as: UTF8.self) }
    ) {
      #expect(!text.contains("my-secret"), "\(text)")
    }
  }
}
