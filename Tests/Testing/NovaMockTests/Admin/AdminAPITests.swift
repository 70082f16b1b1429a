import NovaCore
import NovaMock
import Testing

@Suite struct AdminAPITests {
  private let backend = MockBackend(dataSet: .empty, now: { 1_764_585_000 })
  private var admin: AdminAPI { AdminAPI(backend) }

  private func send(
    _ method: HTTPMethod, _ path: String, body: String = "", headers: HTTPHeaders = [:]
  ) async throws -> (status: Int, json: JSONValue?) {
    let response = await admin.respond(
      to: HTTPRequest(method: method, url: HTTPURL(received: path), headers: headers, body: Array(body.utf8)))
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  private func follow(_ user: String) {
    _ = backend.respond(
      to: HTTPRequest(
        method: .post, url: HTTPURL(received: "/api/v1/graph/follow"),
        body: Array(#"{"follower_id":"\#(user)","followee_id":"z"}"#.utf8)))
  }

  /// Masking the log takes long, and a page asks for it again and again.
  @Test(arguments: ["requests", "requests?full=true"], [false, true])
  func requestsThatNobodyWaitsForEnd(_ path: String, _ isLong: Bool) async {
    let text = String(repeating: "long ", count: isLong ? 60_000 : 1)
    for _ in 0..<3 {
      _ = backend.respond(
        to: HTTPRequest(
          method: .post, url: HTTPURL(received: "/api/v1/graph/follow"), body: Array(#"{"note":"\#(text)"}"#.utf8)))
    }
    let admin = admin
    let status = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await admin.respond(to: HTTPRequest(method: .get, url: HTTPURL(received: "/_nova/\(path)"))).status
    }.value
    // A client that has only closed its side of the connection gets a short answer.
    #expect(status == (isLong ? 499 : 200))
  }

  @Test func snapshotsComeBack() async throws {
    follow("a")
    #expect(try await send(.post, "/_nova/snapshot", body: #"{"name":"one"}"#).status == 201)
    follow("b")
    #expect(
      try await send(.post, "/_nova/clock", body: #"{"advance_seconds":3600}"#).json?["now"]?.integerValue
        == 1_764_588_600)
    #expect(backend.counts.follows == 2)
    let state = try await send(.post, "/_nova/restore", body: #"{"name":"one"}"#).json
    #expect(state?["counts"]?["follows"]?.integerValue == 1 && state?["clock_offset_seconds"]?.integerValue == 0)
    #expect(try await send(.post, "/_nova/restore", body: #"{"name":"two"}"#).status == 404)
    #expect(try await send(.post, "/_nova/reset").json?["counts"]?["follows"]?.integerValue == 0)
  }

  @Test func snapshotsInProcessAreValues() {
    follow("a")
    let snapshot = backend.snapshot()
    follow("b")
    backend.restore(snapshot)
    backend.restore(snapshot)
    #expect(backend.counts.follows == 1)
    backend.reset()
    #expect(backend.counts.follows == 0)
  }

  @Test func requestsAreListedMasked() async throws {
    let body = #"{"email":"a@b.cd","username":"abcd","password":"hunter2hunter2"}"#
    _ = backend.respond(
      to: HTTPRequest(method: .post, url: HTTPURL(received: "/api/v1/auth/register"), body: Array(body.utf8)))
    for _ in 0..<20 { follow("a") }
    #expect(backend.recentRequests().map(\.number) == Array(1...21))
    #expect(backend.recentRequests(after: 19, limit: 1).map(\.number) == [20])
    #expect(backend.recentRequests(after: 9999).isEmpty)
    _ = backend.respond(
      to: HTTPRequest(method: .post, url: HTTPURL(received: "/api/v1/auth/register"), body: Array(body.utf8)))
    let last = try #require(backend.recentRequests().last)
    #expect(last.rpc == "auth.Register" && last.status == 409)
    #expect(last.requestBody?.contains("hunter2") == false && last.requestBody?.contains("****") == true)
  }

  @Test(arguments: [
    ("POST", "/_nova/clock", "{}", 400), ("POST", "/_nova/clock", "{", 400),
    ("POST", "/_nova/clock", #"{"now":"yesterday"}"#, 400), ("POST", "/_nova/clock", #"{"now":32503680000}"#, 400),
    ("POST", "/_nova/clock", #"{"now":-1}"#, 400), ("POST", "/_nova/clock", #"{"frozen":"yes"}"#, 400),
    ("POST", "/_nova/clock", #"{"advance_seconds":1,"speed":2}"#, 400), ("GET", "/_nova/clock", "", 200),
    ("POST", "/_nova/clock", "[]", 400), ("POST", "/_nova/clock", #"{"advance_seconds":1e30}"#, 400),
    ("POST", "/_nova/snapshot", "", 400), ("POST", "/_nova/snapshot", #"{"name":""}"#, 400),
    ("PUT", "/_nova/faults", #"{"rules":"503"}"#, 400), ("PUT", "/_nova/faults", #"{"rules":[5]}"#, 400),
    ("PUT", "/_nova/faults", #"{"rules":["nonsense"]}"#, 400),
    ("PUT", "/_nova/faults", #"{"rules":[],"seed":-1}"#, 400),
    ("GET", "/_nova/requests?limit=0", "", 400), ("GET", "/_nova/requests?after=x", "", 400),
    ("GET", "/_nova/requests?x=1", "", 400), ("GET", "/_nova/reset", "", 405), ("GET", "/_nova/elsewhere", "", 404),
    ("GET", "/_nova/requests?full=1", "", 400), ("GET", "/_nova/requests/", "", 404),
    ("GET", "/_nova/requests/1", "", 404), ("GET", "/_nova/requests/-1", "", 404),
    ("GET", "/_nova/requests/9223372036854775807", "", 404), ("POST", "/_nova/requests/1", "", 405),
    ("GET", "/_nova/state/1", "", 404), ("GET", "/_nova/users/%FF", "", 404), ("PUT", "/_nova/stubs", "{}", 405),
    ("GET", "/_nova/users?limit=201", "", 400), ("GET", "/_nova/posts?user=a", "", 400),
    ("PATCH", "/_nova/users/nobody", #"{"bio":"b"}"#, 404), ("PATCH", "/_nova/posts/post-1", #"{"titel":"b"}"#, 400),
    ("GET", "/_nova/contract", "", 200), ("DELETE", "/_nova/requests", "", 200),
    ("GET", "/_nova", "", 200), ("GET", "/_nova/", "", 200), ("GET", "/_nova/requests?after=5&limit=10", "", 200),
  ])
  func mistakesHaveTheirStatus(method: String, path: String, body: String, status: Int) async throws {
    let answer = try await send(HTTPMethod(rawValue: method), path, body: body)
    #expect(answer.status == status)
    if status != 200 { #expect(answer.json?["message"]?.stringValue?.isEmpty == false) }
  }

  @Test func faultsAreSetAndRemoved() async throws {
    let rules = #"{"rules":["latency=50ms±20","social.CreateLike=503x2"],"seed":7}"#
    let answer = try await send(.put, "/_nova/faults", body: rules).json
    #expect(answer?["seed"]?.integerValue == 7)
    #expect(backend.faults.progress.map(\.remaining) == [nil, 2])
    #expect(try await send(.delete, "/_nova/faults").status == 200)
    #expect(backend.faults.progress.isEmpty)
  }
}
