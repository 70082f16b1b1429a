import NovaAuth
import NovaCore
import NovaMock
import Testing

@Suite struct RequestLogTests {
  private let backend = MockBackend(dataSet: .empty, now: { 1_764_585_000 })

  private func admin(_ method: HTTPMethod, _ path: String) async throws -> JSONValue {
    let response = await AdminAPI(backend).respond(
      to: HTTPRequest(method: method, url: HTTPURL(received: "/_nova/\(path)")))
    return try JSONValue(jsonUTF8: response.body.inMemory)
  }

  private func call(_ path: String, _ body: String, headers: HTTPHeaders = [:]) {
    _ = backend.respond(
      to: HTTPRequest(method: .post, url: HTTPURL(received: path), headers: headers, body: Array(body.utf8)))
  }

  private func isMuted(_ user: String = "a", headers: HTTPHeaders = [:]) {
    call("/api/v1/graph/is-muted", #"{"muter_id":"\#(user)","mutee_id":"b"}"#, headers: headers)
  }

  @Test func theLastTenThousandAreStored() async throws {
    for _ in 0..<10_005 { isMuted() }
    #expect(backend.recentRequests().map(\.number) == Array(6...10_005))
    let page = try await admin(.get, "requests?after=2&limit=3")
    #expect(page["requests"]?.elements?.compactMap { $0["number"]?.integerValue } == [6, 7, 8])
    #expect(page["first"]?.integerValue == 6 && page["last"]?.integerValue == 10_005)
    #expect(page["cleared"]?.integerValue == 0)
  }

  @Test func clearingRemovesForGoodAndContinuesTheNumbers() async throws {
    for _ in 0..<3 { isMuted() }
    let before = try await admin(.get, "requests")
    let cleared = try await admin(.delete, "requests")
    #expect(cleared["requests"] == .array([]) && cleared["log"] == before["log"])
    #expect(cleared["first"]?.integerValue == 4 && cleared["cleared"]?.integerValue == 3)
    for _ in 0..<2 { isMuted() }
    #expect(backend.recentRequests().map(\.number) == [4, 5])
    #expect(try await admin(.get, "requests/3")["code"]?.integerValue == 5)
    #expect(try await admin(.get, "requests/4")["number"]?.integerValue == 4)
    backend.reset()
    #expect(backend.recentRequests().count == 2)
    backend.clearRequests()
    #expect(backend.recentRequests().isEmpty)
  }

  /// A page can cause any number of refused requests.
  @Test func refusedRequestsDisplaceNoCallsAndAreNotCounted() async throws {
    let request = HTTPRequest(
      method: .post, url: HTTPURL(received: "/x?token=abc"), headers: ["Origin": "http://evil.test"],
      body: Array("secret".utf8))
    func refuse() { backend.noteRefusal(of: request, over: "HTTP", .forbidden("origin refused: http://evil.test")) }
    isMuted()
    for _ in 0..<1005 { refuse() }
    isMuted()
    let records = backend.recentRequests()
    #expect(records.count == 1002 && records.first?.refusal == nil && records.last?.refusal == nil)
    let state = try await admin(.get, "state")
    #expect(state["request_count"]?.integerValue == 2 && state["refused_count"]?.integerValue == 1000, "\(state)")
    let entry = try await admin(.get, "requests/2")
    #expect(entry["refusal"]?.stringValue == "origin refused: http://evil.test" && entry["rpc"] == .null, "\(entry)")
    #expect(entry["path"]?.stringValue == "/x?token=****" && entry["status"]?.integerValue == 403, "\(entry)")
    #expect(entry["request_body"]?.stringValue == "6 bytes, not kept", "\(entry)")
    backend.clearRequests()
    refuse()
    #expect(backend.recentRequests().map(\.status) == [403])
  }

  /// In the middle of whatever text it stands.
  @Test func tokensInTextAreMasked() async throws {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
    let body = #"{"post_id":"see \#(token), please","user_id":"(\#(token))","content":"x"}"#
    call(
      "/api/v1/social/comment?note=a%20\(token)", body,
      headers: ["X-Note": "uses \(token).", "X-Request-ID": "id-\(token)"])
    call("/api/v1/somewhere/\(token)/else", "{}")
    _ = await AdminAPI(backend).respond(
      to: HTTPRequest(
        method: .post, url: HTTPURL(received: "/_nova/stubs"),
        body: Array(#"{"rpc":"graph.IsMuted","headers":{"X-Note":"has \#(token)"},"body":{}}"#.utf8)))
    for path in ["requests", "requests?full=true", "requests/1", "requests/2", "stubs"] {
      let text = String(decoding: try await admin(.get, path).jsonUTF8, as: UTF8.self)
      #expect(!text.contains("eyJ") && !text.contains("c2ln"), "\(path): \(text)")
    }
    let record = try #require(backend.recentRequests().first)
    #expect(record.path == "/api/v1/social/comment?note=a%20****" && record.requestID == "id-****")
    #expect(record.requestHeaders?["X-Note"] == "uses ****.")
    #expect(record.requestBody?.contains(#""post_id":"see ****, please","user_id":"(****)""#) == true)
  }

  /// A password that is a word of the contract is masked as a value, and nowhere else.
  @Test(arguments: ["password", "register", "username", "email", "auth", "api"])
  func namesAndPathsStay(_ password: String) throws {
    call("/api/v1/auth/register", #"{"email":"a@b.example","username":"somebody","password":"\#(password)"}"#)
    let record = try #require(backend.recentRequests().first)
    #expect(record.path == "/api/v1/auth/register" && record.rpc == "auth.Register")
    #expect(record.requestBody == #"{"email":"a@b.example","username":"somebody","password":"****"}"#)
  }

  @Test func headersAreStoredMasked() async throws {
    let token = "abc.def.ghi-secret"
    isMuted(
      token,
      headers: [
        "Authorization": "Bearer \(token)", "Cookie": "session=\(token)", "X-Api-Key": token, "X-Note": "uses \(token)",
        "Accept": "application/json",
      ])
    call("/api/v1/nowhere?access_token=\(token)&x=1&sig=abc", "{}")
    let record = try #require(backend.recentRequests().first)
    #expect(
      record.requestHeaders?.fields.map(\.value) == ["Bearer ****", "****", "****", "uses ****", "application/json"])
    #expect(record.responseHeaders?.fields.isEmpty == false)
    #expect(backend.recentRequests().last?.path == "/api/v1/nowhere?access_token=****&x=1&sig=****")
    #expect(try await admin(.get, "requests/1")["message"]?.stringValue == #"{"muter_id":"****","mutee_id":"b"}"#)
    for path in ["requests", "requests?full=true", "requests/1", "requests/2"] {
      let text = try await String(decoding: admin(.get, path).jsonUTF8, as: UTF8.self)
      #expect(!text.contains(token), "\(path): \(text)")
    }
  }

  @Test func aRequestHasItsMessageAndWholeBodies() async throws {
    let user = String(repeating: "u", count: 900)
    call(
      "/api/v1/graph/is-following/batch",
      #"{"follower_id":"a","followee_ids":[\#((0..<20).map { "\"\(user)\($0)\"" }.joined(separator: ","))]}"#)
    let entry = try #require(try await admin(.get, "requests")["requests"]?.elements?.first)
    #expect(entry["complete"] == .bool(false) && entry["request_body"]?.stringValue?.contains("… (") == true)
    let full = try await admin(.get, "requests/1")
    #expect(full["complete"] == .bool(true), "\(full)")
    let message = try JSONValue(jsonUTF8: Array(try #require(full["message"]?.stringValue).utf8))
    #expect(message["followee_ids"]?.elements?.count == 20)
    #expect(full["request_size"]?.integerValue == full["request_body"]?.stringValue?.utf8.count)
  }

  @Test(arguments: [
    (#"{"muter_id":5}"#, "{\"muter_id\":5}"), ("not json", "8 bytes, not shown"), ("", nil),
    (String(repeating: "x", count: 5 << 20), "5242880 bytes, not kept"),
  ])
  func hostileBodiesAreShownSafely(body: String, shown: String?) async throws {
    call("/api/v1/graph/is-muted", body)
    let record = try #require(backend.recentRequests().last)
    #expect(record.requestBody == shown && record.requestSize == body.utf8.count)
    #expect(try await admin(.get, "requests/1")["request_size"]?.integerValue == body.utf8.count)
  }

  @Test func theOldestContentIsDroppedFirst() {
    let big = String(repeating: "x", count: 900_000)
    for _ in 0..<30 { isMuted(big) }
    let records = backend.recentRequests()
    #expect(records.count == 30)
    #expect(records.first?.requestBody == "900030 bytes, not kept" && records.first?.requestHeaders == nil)
    #expect(records.last?.requestBody == "900030 bytes, not shown in the list" && records.last?.requestHeaders != nil)
  }

  @Test func secretsStayMaskedOnceTheContentIsDropped() async throws {
    let token = "abc.def.ghi-secret"
    call(
      "/nowhere/\(token)?sig=abc", "{}",
      headers: ["Authorization": "Bearer \(token)", "X-Request-ID": "\(token)\(String(repeating: "i", count: 300))"])
    let big = String(repeating: "x", count: 900_000)
    for _ in 0..<30 { isMuted(big) }
    let record = try #require(backend.recentRequests().first)
    #expect(record.requestHeaders == nil && record.path == "/nowhere/****?sig=****")
    #expect(record.requestID?.hasPrefix("****iii") == true && record.requestID.map { $0.utf8.count < 210 } == true)
    for path in ["requests?limit=1", "requests?full=true&limit=1", "requests/1"] {
      let text = try await String(decoding: admin(.get, path).jsonUTF8, as: UTF8.self)
      #expect(!text.contains(token), "\(path): \(text.prefix(1000))")
    }
  }

  @Test func theResponseToABodyThatIsNotKeptIsHidden() async throws {
    let secret = "hunter2-hunter2"
    backend.add(try .call(AuthRPC.login, status: 400, message: "no user has \(secret)"))
    let body = #"{"email":"\#(String(repeating: "x", count: 1 << 20))","password":"\#(secret)"}"#
    call("/api/v1/auth/login?x=\(secret)", body, headers: ["X-Note": secret, "X-Request-ID": secret])
    #expect(backend.recentRequests().last?.stub == "stub-1")
    let text = try await String(decoding: admin(.get, "requests/1").jsonUTF8, as: UTF8.self)
    #expect(!text.contains(secret) && text.contains("not kept"), "\(text)")
  }

  @Test func longPathsAreWholeInDetails() async throws {
    let path = "/api/v1/announcements?lat=1.5&x=\(String(repeating: "p", count: 3000))"
    _ = backend.respond(to: HTTPRequest(method: .get, url: HTTPURL(received: path)))
    let full = try await admin(.get, "requests/1")
    #expect(full["path"]?.stringValue == path && full["complete"] == .bool(true))
    let listed = try #require(try await admin(.get, "requests")["requests"]?.elements?.first)
    #expect(listed["complete"] == .bool(false))
    #expect(listed["path"]?.stringValue.map { $0.utf8.count <= 2010 } == true)
  }

  @Test func wholeRequestsHaveALimit() async throws {
    #expect(try await admin(.get, "requests?full=true&limit=501")["code"]?.integerValue == 3)
  }
}
