import NovaCore
import NovaMock
import NovaRegistry
import Testing

@Suite struct MockBackendTests {
  private func post(
    _ backend: MockBackend, path: String, body: String, method: HTTPMethod = .post, headers: HTTPHeaders = [:]
  ) -> (status: Int, body: String, headers: HTTPHeaders) {
    let response = backend.respond(
      to: HTTPRequest(method: method, url: HTTPURL(received: path), headers: headers, body: Array(body.utf8)))
    return (response.status, String(decoding: response.body.inMemory, as: UTF8.self), response.headers)
  }

  @Test func answersLikeTheGateway() {
    let backend = MockBackend(dataSet: .empty)
    let answer = post(
      backend, path: "/api/v1/graph/followers", body: #"{"userId":"nobody","limit":null}"#,
      headers: ["X-Request-ID": "r1"])
    #expect(answer.status == 200)
    #expect(answer.body == #"{"user_ids":[],"total_count":0,"has_more":false}"#)
    #expect(answer.headers["Content-Type"] == "application/json")
    #expect(answer.headers["X-Request-ID"] == "r1")
  }

  @Test func theURLMayBeAbsolute() {
    let backend = MockBackend(dataSet: .empty)
    for url in ["http://localhost:8080/api/v1/graph/is-muted", "/api/v1/graph/is-muted?x=1#y"] {
      #expect(post(backend, path: url, body: #"{"muter_id":"a","mutee_id":"b"}"#).status == 200, "\(url)")
    }
  }

  @Test(arguments: [
    ("/nowhere", HTTPMethod.post, "", 404, #""code":5"#),
    ("", .post, "", 404, #""code":5"#),
    ("/api/v1/graph/followers/", .post, "{}", 404, #""code":5"#),
    ("/api/v1/graph/followers", .get, "", 405, #""code":12"#),
    ("/api/v1/graph/followers", .post, "{", 400, #""code":3"#),
    ("/api/v1/graph/followers", .post, #"{"limit":"x","user_id":"u"}"#, 400, "limit: expected an integer"),
    ("/api/v1/graph/followers", .post, #"{}"#, 400, "user_id must not be empty"),
    ("/api/v1/graph/followers", .post, "", 400, "user_id must not be empty"),
    ("/api/v1/graph/followers", .post, #"{"user_id":"u","limit":-1}"#, 400, "must not be negative"),
    ("/api/v1/graph/followers", .post, #"{"user_id":"u","offset":-1}"#, 400, "must not be negative"),
    ("/api/v1/somethings/x", .get, "", 400, "id: expected a 64-bit integer"),
  ])
  func badRequestsGetTheContractsErrorShape(
    path: String, method: HTTPMethod, body: String, status: Int, text: String
  ) throws {
    let answer = post(MockBackend(dataSet: .empty), path: path, body: body, method: method)
    #expect(answer.status == status, "\(answer)")
    #expect(answer.body.contains(text), "\(answer.body)")
    let json = try JSONValue(jsonUTF8: Array(answer.body.utf8))
    #expect(json["code"]?.integerValue != nil && json["message"]?.stringValue != nil)
  }

  @Test func wrongMethodsGetTheAllowedMethods() {
    let backend = MockBackend(dataSet: .empty)
    let cases: [(HTTPMethod, path: String, allowed: String)] = [
      (.get, "/api/v1/graph/followers", "POST"), (.put, "/api/v1/somethings", "POST, GET, HEAD"),
      (.put, "/api/v1/somethings/1", "GET, DELETE, HEAD"), (.get, "/api/v1/somethings/1/meaning", "PATCH"),
      (.post, "/media/upload-1/a.png", "GET, HEAD"),
    ]
    for (method, path, allowed) in cases {
      let answer = post(backend, path: path, body: "", method: method)
      #expect(answer.status == 405, "\(method) \(path)")
      #expect(answer.headers["Allow"] == allowed, "\(method) \(path)")
    }
  }

  @Test func everyRPCOfTheContractHasARouteAndAnAnswer() throws {
    let backend = MockBackend(dataSet: .empty)
    for rpc in RPCRegistry.nova.rpcs {
      let path = rpc.http.path.replacing("{id}", with: "1")
      let answer = post(backend, path: path, body: rpc.http.hasBody ? "{}" : "", method: rpc.http.method)
      #expect([200, 201, 204, 400, 401, 404].contains(answer.status), "\(rpc.id): \(answer)")
      #expect(!answer.body.contains("has the path"), "\(rpc.id) has no route: \(answer)")
    }
  }

  @Test func theSameSeedGivesTheSameAnswers() {
    let request = HTTPRequest(
      method: .post, url: HTTPURL(received: "/api/v1/graph/followers"), body: Array(#"{"user_id":"mock-user-id"}"#.utf8)
    )
    let first = MockBackend(seed: 7).respond(to: request)
    #expect(MockBackend(seed: 7).respond(to: request) == first)
    #expect(MockBackend(seed: 8).respond(to: request) != first)
  }

  @Test func theGuidesSampleProfileIsThere() throws {
    let backend = MockBackend()
    let profile = post(backend, path: "/api/v1/users/profile", body: #"{"user_id":"mock-user-id"}"#).body
    let json = try JSONValue(jsonUTF8: Array(profile.utf8))["profile"]
    #expect(json?["username"]?.stringValue == "bruce_li")
    #expect(json?["follower_count"]?.integerValue == 3021)
    #expect(json?["following_count"]?.integerValue == 1500)
    #expect(json?["post_count"]?.integerValue == 245)
    let posts = post(backend, path: "/api/v1/content/posts/author", body: #"{"author_id":"mock-user-id","limit":1}"#)
      .body
    #expect(posts.contains(#""total_count":245,"has_more":true"#), "\(posts)")
  }

  @Test func backendsShareNothing() {
    let one = MockBackend(dataSet: .empty)
    let two = MockBackend(dataSet: .empty)
    _ = post(one, path: "/api/v1/graph/follow", body: #"{"follower_id":"a","followee_id":"b"}"#)
    let question = #"{"follower_id":"a","followee_id":"b"}"#
    #expect(post(one, path: "/api/v1/graph/is-following", body: question).body == #"{"is_following":true}"#)
    #expect(post(two, path: "/api/v1/graph/is-following", body: question).body == #"{"is_following":false}"#)
  }

  @Test func manyTasksMayCallAtOnce() async {
    let backend = MockBackend(dataSet: .empty)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask {
          _ = self.post(
            backend, path: "/api/v1/graph/follow", body: #"{"follower_id":"u\#(number)","followee_id":"x"}"#)
        }
      }
    }
    #expect(
      post(backend, path: "/api/v1/graph/followers", body: #"{"user_id":"x"}"#).body.contains(#""total_count":500"#))
  }
}
