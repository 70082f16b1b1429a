import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// The tools and resources of `nova mcp`, in the real program.
@Suite(.hangLimit) struct MCPToolTests {
  private static let followers: JSONValue = ["user_id": "mock-user-id", "limit": 2]

  @Test func everyToolIsDescribed() async throws {
    let session = try await MCPSession.started()
    let tools = try #require(try await session.result("tools/list", id: 1)["tools"]?.elements)
    #expect(
      tools.compactMap { $0["name"]?.stringValue } == [
        "describe", "find_rpcs", "call", "contract_check", "mock_state", "mock_reset", "mock_advance_clock",
        "mock_stubs",
        "mock_add_stub", "mock_remove_stubs", "mock_faults", "mock_set_faults", "mock_requests", "mock_clear_requests",
        "read_rest",
      ])
    for tool in tools {
      let (name, schema) = (tool["name"]?.stringValue ?? "", tool["inputSchema"])
      #expect(schema?["type"] == "object" && schema?["additionalProperties"] == false, "\(name)")
      #expect(tool["description"]?.stringValue?.hasSuffix(".") == true, "\(name)")
      let properties = schema?["properties"]?.memberList ?? []
      #expect(properties.allSatisfy { $0.value["description"]?.stringValue?.hasSuffix(".") == true }, "\(name)")
      let required = schema?["required"]?.elements?.compactMap(\.stringValue) ?? []
      #expect(Set(required).isSubset(of: properties.map(\.name)), "\(name)")
      // Without --allow-writes, nothing but the mock can be changed.
      let isReadOnly = tool["annotations"]?["readOnlyHint"] == true
      #expect(isReadOnly || name.hasPrefix("mock_"), "\(name)")
    }
  }

  @Test func theContractIsDescribed() async throws {
    let session = try await MCPSession.started()
    let services = try await session.value("describe", id: 1)
    #expect(services.elements?.contains { $0["service"] == "graph" } == true, "\(services)")
    let service = try await session.value("describe", ["name": "graph"], id: 2)
    let followers = service["rpcs"]?.elements?.first { $0["rpc"] == "graph.GetFollowers" }
    #expect(followers?["effect"] == "reads" && followers?["summary"] != nil, "\(service)")
    let rpc = try await session.value("describe", ["name": "GETFOLLOWERS"], id: 3)
    let fields = rpc["request"]?["fields"]?.elements?.compactMap { $0["name"]?.stringValue }
    #expect(fields == ["user_id", "limit", "offset"] && rpc["path"] == "/api/v1/graph/followers", "\(rpc)")
    let found = try await session.value("find_rpcs", ["words": "Delete comment"], id: 4)
    #expect(found.elements?.compactMap { $0["rpc"]?.stringValue }.contains("social.DeleteComment") == true, "\(found)")
    #expect(try await session.value("find_rpcs", id: 5).elements?.count == RPCRegistry.nova.rpcs.count)
    let unknown = try await session.call("describe", ["name": "graph.GetFolowers"], id: 6, isError: true)
    #expect(unknown.contains("Did you mean graph.GetFollowers, "), "\(unknown)")
    let none = try await session.call("find_rpcs", ["words": "folowers"], id: 7, isError: true)
    #expect(none.contains("Did you mean"), "\(none)")
  }

  @Test func theContractIsResources() async throws {
    let session = try await MCPSession.started()
    let resources = try #require(try await session.result("resources/list", id: 1)["resources"]?.elements)
    let names = resources.compactMap { $0["name"]?.stringValue }
    #expect(names.contains("graph") && Set(RPCRegistry.nova.rpcs.map(\.id)).isSubset(of: names))
    let templates = try await session.result("resources/templates/list", id: 2)["resourceTemplates"]?.elements
    #expect(templates?.map { $0["uriTemplate"] } == ["nova://contract/{name}"])
    for (index, name) in ["graph.GetFollowers", "Post", "social"].enumerated() {
      let uri = JSONValue.string("nova://contract/\(name)")
      let contents = try await session.result("resources/read", ["uri": uri], id: .number(10 + index))["contents"]
      let text = contents?.elements?.first?["text"]?.stringValue ?? ""
      #expect(contents?.elements?.first?["uri"] == uri && text.hasPrefix(name), "\(text)")
    }
  }

  @Test func readsAreCalled() async throws {
    let session = try await MCPSession.started()
    let page = try await session.value("call", ["rpc": "graph.getFollowers", "request": Self.followers], id: 1)
    #expect(page["rpc"] == "graph.GetFollowers" && page["status"] == 200, "\(page)")
    #expect(page["response"]?["user_ids"] == ["user-1492", "user-0952"], "\(page)")
    for (index, (arguments, message)) in Self.mistakes.enumerated() {
      let text = try await session.call("call", arguments, id: .number(10 + index), isError: true)
      #expect(text.contains(message), "\(text)")
    }
  }

  /// Arguments that models get wrong, and what they can learn from the result.
  private static let mistakes: [(JSONValue, String)] = [
    ([:], "missing argument: rpc"), (["rpc": 7], "invalid argument: rpc must be a text, found number 7"),
    (["rpc": "graph.GetFollowers", "requst": [:]], "unknown argument \"requst\" of call; did you mean request?"),
    (["rpc": "graph.GetFollowers", "request": "x"], "invalid argument: request must be an object"),
    (["rpc": "graph.GetFolowers"], "Did you mean graph.GetFollowers?"),
    (["rpc": "x.Nothing"], "not found: RPC \"x.Nothing\"\nList all with find_rpcs without words."),
    (["rpc": "graph.GetFollowers"], "user_id must not be empty"),
    (["rpc": "graph.GetFollowers", "request": ["user": "x"]], "Fields: user_id, limit, offset."),
    (["rpc": "graph.GetFollowers", "request": ["limit": "many"]], "expected an integer"),
    (["rpc": "content.DeletePost", "request": ["post_id": "nope"]], "not allowed"),
    (["rpc": "content.GetPost", "timeout_seconds": 1000], "must be a number from 1 to 300"),
  ]

  @Test func writesNeedPermission() async throws {
    let like: JSONValue = ["rpc": "social.CreateLike", "request": ["user_id": "mock-user-id", "post_id": "post-2"]]
    let reading = try await MCPSession.started()
    let refusal = try await reading.call("call", like, id: 1, isError: true)
    #expect(refusal.contains("not allowed: social.CreateLike changes data") && refusal.contains("--allow-writes"))
    #expect(try await reading.value("mock_requests", id: 2)["found"] == 0)
    let writing = try await MCPSession.started(["--mock", "--allow-writes"])
    #expect(try await writing.value("call", like, id: 1)["status"] == 200)
    let requests = try await writing.value("mock_requests", id: 2)["requests"]?.elements ?? []
    #expect(requests.map { $0["rpc"] } == ["social.CreateLike"], "\(requests)")
  }

  @Test func theMockIsChanged() async throws {
    let session = try await MCPSession.started()
    let call: JSONValue = ["rpc": "graph.GetFollowers", "request": Self.followers]
    let stub = try await session.value(
      "mock_add_stub",
      ["rpc": "GRAPH.getfollowers", "body": ["user_ids": ["ann"], "total_count": 1], "request": ["limit": 2]], id: 1)
    #expect(stub["rpc"] == "graph.GetFollowers", "\(stub)")
    #expect(try await session.value("call", call, id: 2)["response"]?["user_ids"] == ["ann"])
    #expect(try await session.value("mock_stubs", ["id": stub["id"]], id: 3)["hits"] == 1)
    _ = try await session.value("mock_remove_stubs", ["id": stub["id"]], id: 4)
    #expect(try await session.value("mock_stubs", id: 5)["stubs"] == [])
    let wrong = try await session.call(
      "mock_add_stub", ["rpc": "graph.GetFollowers", "body": ["nothing": 1]], id: 6, isError: true)
    #expect(wrong.contains("nothing"), "\(wrong)")
    let faults = try await session.value("mock_set_faults", ["rules": ["graph.GetFollowers=404x1"]], id: 7)
    #expect(faults["rules"]?.elements?.count == 1, "\(faults)")
    _ = try await session.call("call", call, id: 8, isError: true)
    #expect(try await session.value("mock_faults", id: 9)["rules"]?.elements?.first?["hits"] == 1)
    let refused = try await session.call("mock_set_faults", ["rules": ["no such fault"]], id: 10, isError: true)
    #expect(refused.contains("no such fault"), "\(refused)")
    #expect(try await session.value("mock_state", id: 11)["clock_offset_seconds"] == 0)
    #expect(try await session.value("mock_advance_clock", ["seconds": 3600], id: 12)["clock_offset_seconds"] == 3600)
    _ = try await session.value("mock_reset", id: 13)
    #expect(try await session.value("mock_faults", id: 14)["rules"] == [])
  }

  @Test func requestsAreShown() async throws {
    try await withServe { url, _ in
      let session = try await MCPSession.started(["--base-url", url])
      for index in 1...5 {
        let rpc: JSONValue = index == 3 ? "graph.GetFollowing" : "graph.GetFollowers"
        _ = try await session.value("call", ["rpc": rpc, "request": Self.followers], id: .number(index))
      }
      let last = try await session.value("mock_requests", ["limit": 2], id: 10)
      #expect(last["requests"]?.elements?.map { $0["number"] } == [4, 5] && last["last"] == 5, "\(last)")
      let following = try await session.value("mock_requests", ["rpc": "graph.getfollowing"], id: 11)
      #expect(following["requests"]?.elements?.map { $0["number"] } == [3], "\(following)")
      #expect(following["requests"]?.elements?.first?["response_body"] == nil)
      let whole = try await session.value("mock_requests", ["number": 3], id: 12)
      #expect(whole["response_body"]?.stringValue?.contains("user_ids") == true, "\(whole)")
      let missing = try await session.call("mock_requests", ["number": 99], id: 13, isError: true)
      #expect(missing.contains("not found"), "\(missing)")
      _ = try await session.value("mock_clear_requests", id: 14)
      #expect(try await session.value("mock_requests", id: 15)["found"] == 0)
    }
  }

  /// Only a mock on this machine has the tools, and only they show that it is none.
  @Test func otherGatewaysHaveNoMockTools() async throws {
    let remote = try await MCPSession.started(["--base-url", "https://gateway.example"])
    let tools = try await remote.result("tools/list", id: 1)["tools"]?.elements ?? []
    #expect(
      tools.compactMap { $0["name"]?.stringValue } == ["describe", "find_rpcs", "call", "contract_check", "read_rest"])
    try await withRawServer({
      try $0.respondToAll(headers: ["Content-Type: application/json"], body: Array(#"{"ok":true}"#.utf8))
    }) { server in
      let session = try await MCPSession.started(["--base-url", server.url("")])
      let text = try await session.call("mock_reset", id: 1, isError: true)
      #expect(text.contains("no mock backend at") && text.contains("nova serve"), "\(text)")
    }
    let place = try ClosedPort()
    let session = try await MCPSession.started(["--base-url", place.url])
    #expect(try await session.call("mock_state", id: 1, isError: true).contains("no mock backend at"))
    withExtendedLifetime(place) {}
  }

  @Test func theGatewayIsChecked() async throws {
    let session = try await MCPSession.started()
    try session.request(
      "tools/call",
      [
        "name": "contract_check",
        "arguments": ["rpcs": ["graph.Is*", "user.SearchUsers"], "invalid": false, "privacy": false],
        "_meta": ["progressToken": "check-1"],
      ], id: 1)
    let response = try await session.response(to: 1)
    let text = response["result"]?["content"]?.elements?.first?["text"]?.stringValue ?? ""
    let json = try JSONValue(jsonUTF8: Array(text.utf8))
    #expect(json["report"]?["passed"] == true && json["report"]?["read_only"] == true, "\(text)")
    let messages = try session.messages()
    let progress = messages.filter { $0["method"] == "notifications/progress" }
    #expect(!progress.isEmpty && progress.allSatisfy { $0["params"]?["progressToken"] == "check-1" })
    let numbers = progress.compactMap { $0["params"]?["progress"]?.integerValue }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(numbers)")
    // All before the response.
    #expect(messages.last?["id"] == 1)
    let wrong = try await session.call("contract_check", ["rpcs": ["grph.*"]], id: 2, isError: true)
    #expect(wrong.contains("no RPC matches"), "\(wrong)")
  }

  /// A gateway that repeats the token, in a response and in an error.
  @Test(arguments: [("200 OK", false), ("500 Internal Server Error", true), ("401 Unauthorized", true)])
  func tokensStayOutOfResults(
    _ status: String, _ isError: Bool
  ) async throws {
    let body =
      #"{"post":{"id":"p1","creator_id":"u1","content":"\#(Canary.secret)"},"code":13,"message":"\#(Canary.secret)"}"#
    try await withRawServer({ connection in
      while try connection.readRequest() != nil {
        try connection.respond(status, headers: ["Content-Type: application/json"], body: Array(body.utf8))
      }
    }) { server in
      let session = try await MCPSession.started(
        ["--base-url", server.url("")], environment: ["NOVA_TOKEN": Canary.secret])
      let text = try await session.call(
        "call", ["rpc": "content.GetPost", "request": ["post_id": "p1"]], id: 1, isError: isError)
      #expect(!text.contains(Canary.secret), "\(text)")
      let end = try await session.end()
      #expect(!(end.output + end.errors).contains(Canary.secret))
    }
  }

  @Test func sessionsAreMasked() async throws {
    let session = try await MCPSession.started(["--mock", "--allow-writes"])
    let text = try await session.call(
      "call",
      ["rpc": "auth.Login", "request": ["email": "bruce@nova.social", "password": "mock-password"]], id: 1)
    #expect(text.contains("****") && !text.contains("eyJ"), "\(text)")
    let requests = try await session.call("mock_requests", ["number": 1], id: 2)
    #expect(!requests.contains("mock-password"), "\(requests)")
  }

  /// Long results say what was cut, and can be read to their end.
  @Test func longResultsAreCut() async throws {
    let session = try await MCPSession.started()
    let ids = JSONValue.strings((0..<5000).map { "user-\($0 + 10_000)" })
    _ = try await session.call("mock_add_stub", ["rpc": "graph.GetFollowers", "body": ["user_ids": ids]], id: 4)
    let text = try await session.call("call", ["rpc": "graph.GetFollowers", "request": Self.followers], id: 1)
    let match = try #require(text.firstMatch(of: /read_rest {"result": (\d+), "offset": (\d+)}/), "\(text.suffix(300))")
    let rest: JSONValue = ["result": .number(String(match.1)), "offset": .number(String(match.2))]
    #expect(try await session.call("read_rest", rest, id: 2).isEmpty == false)
    let gone = try await session.call("read_rest", ["result": 99, "offset": 0], id: 3, isError: true)
    #expect(gone.contains("not found: result 99"), "\(gone)")
    #expect(try session.messages().allSatisfy { $0.jsonUTF8.count < 2 * MCPResults.limit })
  }

  @Test func streamsAreReadForAWhile() async throws {
    try await withServe { url, _ in
      let session = try await MCPSession.started(["--base-url", url])
      let none = try await session.value(
        "call", ["rpc": "event.StreamEvents", "request": ["topics": ["user:user-0001"]], "timeout_seconds": 1], id: 1)
      #expect(none["ended_by"]?.stringValue?.contains("the end of the stream, or 1 s") == true, "\(none)")
    }
  }
}
