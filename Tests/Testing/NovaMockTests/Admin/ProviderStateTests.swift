import NovaCore
import NovaMock
import NovaRegistry
import Testing

/// What a Pact verifier sends before an interaction, and what is true then.
@Suite struct ProviderStateTests {
  private let backend = MockBackend(dataSet: .empty, now: { 1_764_585_000 })

  private func set(_ body: String) async throws -> (status: Int, json: JSONValue?) {
    let response = await AdminAPI(backend).respond(
      to: HTTPRequest(
        method: .post, url: HTTPURL(received: "/_nova/provider-state"), headers: ["Content-Type": "application/json"],
        body: Array(body.utf8)))
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  private static func follow(_ user: String) -> String {
    #"{"method":"POST","path":"/api/v1/graph/follow","body":{"follower_id":"\#(user)","followee_id":"z"}}"#
  }

  private static let register = #"""
    {"method":"post","path":"/api/v1/auth/register","body":{"email":"a@b.cd","username":"abcd","password":"fixture-1"},
    "keep":{"token":"/token","user":"/user_id"}}
    """#

  @Test func requestsAreMadeAndValuesReturned() async throws {
    let first = try await set(#"{"state":"an account","action":"setup","params":{"requests":[\#(Self.register)]}}"#)
    #expect(first.status == 200, "\(String(describing: first.json))")
    let token = try #require(first.json?["token"]?.stringValue)
    #expect(!token.isEmpty && first.json?["user"]?.stringValue?.isEmpty == false)
    #expect(backend.counts.users == 1)
    // A value fills the headers and the body of a later request.
    let post = #"""
      {"method":"POST","path":"/api/v1/content/posts","headers":{"Authorization":"Bearer ${token}"},
      "body":{"creator_id":"${user}","content":"${other}"}}
      """#
    let path = try #require(PostPath.create)
    let second = try await set(
      #"{"state":"a post","params":{"requests":[\#(Self.register),\#(post.replacing("/api/v1/content/posts", with: path))]}}"#
    )
    #expect(second.status == 200, "\(String(describing: second.json))")
    #expect(backend.counts.users == 1 && backend.counts.posts == 1)
    // What prepares is not listed.
    #expect(backend.recentRequests().isEmpty)
  }

  /// Requests store the state's time, also if an earlier state made them at another one.
  @Test func theClockStandsStillUntilTheNextState() async throws {
    let follow = Self.follow("a")
    for (now, time) in [(#""2025-01-01""#, 1_735_689_600), ("1000", 1000)] as [(String, Int64)] {
      let state = try await set(#"{"state":"a","params":{"now":\#(now),"requests":[\#(follow)]}}"#)
      #expect(state.status == 200, "\(String(describing: state.json))")
      #expect(backend.currentTime == time && backend.isClockFrozen && backend.counts.follows == 1)
    }
    let later = #"{"state":"a","params":{"now":1000,"requests":[\#(follow)],"advance_seconds":60}}"#
    #expect(try await set(later).status == 200)
    #expect(backend.currentTime == 1060)
    #expect(try await set(#"{"state":"a","params":{"requests":[\#(follow)]}}"#).status == 200)
    #expect(backend.currentTime == 1_764_585_000 && !backend.isClockFrozen && backend.counts.follows == 1)
  }

  @Test func everyStateBeginsWithTheInitialData() async throws {
    let one = Self.follow("a"), two = Self.follow("b"), three = Self.follow("c")
    for (requests, count) in [
      ([one], 1), ([one, two], 2), ([one], 1), ([two], 1), ([one, two, three], 3), ([], 0), ([one, two, three], 3),
    ] {
      let params = requests.isEmpty ? #"{"reset":true}"# : #"{"requests":[\#(requests.joined(separator: ","))]}"#
      #expect(try await set(#"{"state":"follows","params":\#(params)}"#).status == 200)
      #expect(backend.counts.follows == count, "\(requests)")
      // An interaction changes the state, too.
      _ = backend.respond(
        to: HTTPRequest(
          method: .post, url: HTTPURL(received: "/api/v1/graph/follow"),
          body: Array(#"{"follower_id":"y","followee_id":"z"}"#.utf8)))
    }
    #expect(
      try await set(#"{"state":"one more","params":{"reset":false,"requests":[\#(Self.follow("d"))]}}"#).status == 200)
    #expect(backend.counts.follows == 5)
    #expect(try await set(#"{"state":"one more","action":"teardown"}"#).status == 200)
    #expect(backend.counts.follows == 0)
    #expect(try await set(#"{"state":""}"#).status == 200)
    #expect(try await set("{}").status == 200)
  }

  @Test func aSnapshotIsAState() async throws {
    #expect(try await set(#"{"state":"x","params":{"requests":[\#(Self.follow("a"))]}}"#).status == 200)
    _ = await AdminAPI(backend).respond(
      to: HTTPRequest(
        method: .post, url: HTTPURL(received: "/_nova/snapshot"), body: Array(#"{"name":"a follows z"}"#.utf8)))
    #expect(try await set(#"{"state":"","params":{}}"#).status == 200)
    #expect(backend.counts.follows == 0)
    // Parameters are those of the provider's tests, and mean nothing here.
    #expect(try await set(#"{"state":"a follows z","params":{"who":"a"}}"#).status == 200)
    #expect(backend.counts.follows == 1)
  }

  @Test func stubsAndFaultsLastUntilTheNextState() async throws {
    let stub = #"{"rpc":"graph.GetFollowers","body":{"user_ids":["ann"],"total_count":1,"has_more":false}}"#
    let answer = try await set(
      #"{"state":"x","params":{"stubs":[\#(stub)],"faults":["social.CreateLike=503x2"],"advance_seconds":60}}"#)
    #expect(answer.status == 200, "\(String(describing: answer.json))")
    #expect(backend.stubs.count == 1 && backend.faults.progress.map(\.remaining) == [2])
    #expect(try await set("{}").status == 200)
    #expect(backend.stubs.isEmpty && backend.faults.progress.isEmpty)
  }

  @Test(arguments: [
    (#"{"state":"x"}"#, #"unknown provider state "x""#), (#"{"state":"x","action":"begin"}"#, "setup or teardown"),
    (#"{"state":5}"#, "the name of a state"), (#"{"state":"x","params":[]}"#, "params is a list"),
    (#"{"state":"x","params":{"request":[]}}"#, "did you mean requests?"),
    (#"{"state":"x","params":{"requests":[5]}}"#, "requests[0] is number 5"),
    (#"{"state":"x","params":{"requests":[{"method":"GET","path":"/_nova/reset"}]}}"#, "not to the admin API"),
    (#"{"state":"x","params":{"requests":[{"method":"GET","path":"/nowhere"}]}}"#, "requests[0]: GET /nowhere failed"),
    (
      #"{"state":"x","params":{"requests":[{"method":"GET","path":"/api/v1/announcements","keep":{"a":"/nothing"}}]}}"#,
      "no value at /nothing"
    ),
    (#"{"state":"x","params":{"requests":[{"method":"GET","path":"/a","keep":{"a":"token"}}]}}"#, "JSON Pointer"),
    (#"{"state":"x","params":{"requests":[{"method":"PUT","path":"/a","body_base64":"%"}]}}"#, "not Base64"),
    (#"{"state":"x","params":{"stubs":[{"rpc":"graph.GetFolowers"}]}}"#, "did you mean graph.GetFollowers?"),
    (#"{"state":"x","params":{"faults":["nonsense"]}}"#, "faults: "),
    (#"{"state":"x","params":{"advance_seconds":-1}}"#, "advance_seconds"),
    (#"{"state":"x","params":{"now":"yesterday"}}"#, #"now is string "yesterday""#),
    (#"{"state":"x","params":{"now":1735689600.5}}"#, "in whole seconds"),
    (#"{"state":"x","params":{"now":"2025-01-01T00:00:00.5Z"}}"#, "in whole seconds"),
  ])
  func mistakesAreNamed(_ body: String, _ reason: String) async throws {
    let answer = try await set(body)
    #expect(answer.status == 400, "\(answer)")
    #expect(answer.json?["message"]?.stringValue?.contains(reason) == true, "\(String(describing: answer.json))")
  }
}

/// The path of the RPC that creates a post.
private enum PostPath {
  static let create = RPCRegistry.nova.rpc(named: "content.CreatePost")?.http.path
}
