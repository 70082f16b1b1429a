import Foundation
import NovaContent
import NovaCore
import NovaMock
import NovaTestSupport
import NovaUsers
import Testing

/// The users and posts of the admin API.
@Suite struct RecordEndpointTests {
  private let backend = MockBackend(requiresTokens: true)

  private func send(
    _ method: HTTPMethod, _ path: String, body: String = ""
  ) async -> (status: Int, json: JSONValue?) {
    let response = await AdminAPI(backend).respond(
      to: HTTPRequest(method: method, url: HTTPURL(received: "/_nova/\(path)"), body: Array(body.utf8)))
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  private func ids(_ path: String, _ member: String) async -> [String] {
    await send(.get, path).json?[member]?.elements?.compactMap { $0["id"]?.stringValue } ?? []
  }

  /// The forms of the page have exactly the fields that a user's or post's update can change.
  @Test(arguments: [
    ("editUser", UpdateUserProfileRequest.descriptor, "user_id"),
    ("editPost", UpdatePostRequest.descriptor, "post_id"),
  ])
  func theFormsOfThePageAreComplete(form: String, request: MessageDescriptor, id: String) throws {
    let page = try Checkout.text(of: "Sources/Testing/NovaMock/Inspector/Page/records.js")
    let function = try #require(page.components(separatedBy: "\nfunction ").first { $0.hasPrefix("\(form)(") })
    let listed = function.matches(of: #/\["([a-z_]+)", "[A-Z]/#).map { String($0.output.1) }
    let difference = ListDifference(of: listed, from: request.fields.map(\.name).filter { $0 != id })
    #expect(difference.isEmpty, "\(difference): change \(form) in records.js, and run make generate")
  }

  @Test(arguments: [
    ("users?limit=2", ["mock-user-id", "user-0001"]), ("users?limit=1&offset=1", ["user-0001"]),
    ("users?search=mock-user-id", ["mock-user-id"]), ("users?search=bruce", ["mock-user-id"]),
    ("users?search=nobody-has-this-name", []), ("users?offset=9999999", []),
  ])
  func usersAreFound(path: String, expected: [String]) async {
    #expect(await ids(path, "users") == expected)
  }

  @Test(arguments: [
    ("posts?search=post-7", ["post-7"]), ("posts?author=mock-user-id&limit=2", ["post-245", "post-244"]),
    ("posts?author=nobody", []), ("posts?search=no-post-has-this-text", []),
  ])
  func postsAreFound(path: String, expected: [String]) async {
    #expect(await ids(path, "posts") == expected)
  }

  @Test(arguments: [
    ("analytics", ["c", "b", "a"]), ("analytics?limit=1&offset=1", ["b"]), ("analytics?name=app_opened", ["a"]),
    ("analytics?user=mock-user-id", ["c", "b"]), ("analytics?user=anonymous-1", ["a"]),
    ("analytics?session=session-2", ["c"]), ("analytics?search=POST-7", ["b"]),
    ("analytics?search=none-has-this", []), ("analytics?name=post_opened&session=session-1", ["b"]),
  ])
  func analyticsEventsAreFound(path: String, expected: [String]) async throws {
    let events = #"""
      {"events":[
        {"id":"a","name":"app_opened","anonymous_id":"anonymous-1","session_id":"session-1","occurred_at_ms":1},
        {"id":"b","name":"post_opened","user_id":"mock-user-id","session_id":"session-1","occurred_at_ms":2,
          "properties":{"post_id":"post-7"}},
        {"id":"c","name":"post_opened","user_id":"mock-user-id","session_id":"session-2","occurred_at_ms":3}
      ]}
      """#
    let open = MockBackend()
    let recorded = open.respond(
      to: HTTPRequest(method: .post, url: "http://localhost/api/v1/analytics/record", body: Array(events.utf8)))
    #expect(recorded.status == 200)
    let response = await AdminAPI(open).respond(
      to: HTTPRequest(method: .get, url: HTTPURL(received: "/_nova/\(path)"), body: []))
    let json = try JSONValue(jsonUTF8: response.body.inMemory)
    #expect(json["events"]?.elements?.compactMap { $0["id"]?.stringValue } == expected)
    #expect(json["recorded"]?.integerValue == 3)
    let counts = try JSONValue(
      jsonUTF8: await AdminAPI(open).respond(
        to: HTTPRequest(method: .get, url: HTTPURL(received: "/_nova/state"), body: [])
      ).body.inMemory)["counts"]
    #expect(counts?["analytics_events"]?.integerValue == 3)
  }

  @Test func usersAreChangedAsTheContractAllows() async {
    let changed = await send(
      .patch, "users/mock-user-id", body: #"{"bio":"new","user_id":"user-0001","is_private":true}"#)
    #expect(changed.status == 200 && changed.json?["bio"]?.stringValue == "new")
    #expect(changed.json?["id"]?.stringValue == "mock-user-id" && changed.json?["is_private"] == .bool(true))
    let tooLong = await send(
      .patch, "users/mock-user-id", body: #"{"display_name":"\#(String(repeating: "n", count: 51))"}"#)
    #expect(tooLong.status == 400, "\(tooLong)")
    let typo = await send(.patch, "users/mock-user-id", body: #"{"boi":"new"}"#)
    #expect(typo.json?["message"]?.stringValue == "unknown field: boi; did you mean bio?")
  }

  @Test func postsAreChangedAndDeleted() async {
    let changed = await send(.patch, "posts/post-1", body: #"{"content":"<b>new</b>","status":"draft"}"#)
    #expect(changed.json?["content"]?.stringValue == "<b>new</b>" && changed.json?["status"]?.stringValue == "draft")
    #expect(await send(.patch, "posts/post-1", body: #"{"status":"gone"}"#).status == 400)
    #expect(await send(.delete, "posts/post-1").status == 204)
    #expect(await send(.delete, "posts/post-1").status == 404)
    #expect(await ids("posts?search=post-1", "posts").isEmpty)
    #expect(backend.recentRequests().isEmpty)
  }
}
