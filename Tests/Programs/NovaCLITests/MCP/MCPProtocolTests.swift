import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// The protocol of `nova mcp`, over the pipes of the real program.
@Suite(.hangLimit) struct MCPProtocolTests {
  @Test(arguments: MCPVersion.allCases) func aSessionBegins(_ version: MCPVersion) async throws {
    let session = try MCPSession()
    let result = try await session.result(
      "initialize", ["protocolVersion": .string(version.rawValue), "capabilities": [:]], id: 1)
    #expect(result["protocolVersion"] == .string(version.rawValue))
    #expect(result["serverInfo"]?["name"] == "nova" && result["serverInfo"]?["version"] != nil)
    #expect(result["capabilities"]?["tools"] != nil && result["capabilities"]?["resources"] != nil)
    try session.notify("notifications/initialized")
    #expect(try await session.result("ping", id: 2) == [:])
    let end = try await session.end()
    #expect(end.status == 0 && end.errors.isEmpty && end.lines.count == 2, "\(end)")
  }

  @Test func anUnknownVersionGetsTheLatest() async throws {
    let session = try MCPSession()
    let result = try await session.result("initialize", ["protocolVersion": "2099-01-01"], id: "a")
    #expect(result["protocolVersion"] == "2025-06-18")
  }

  /// Each line with the code and the ID of its response.
  @Test(arguments: [
    ("{", -32700, "null"), ("nonsense", -32700, "null"),
    (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32700, "null"),
    ("7", -32600, "null"), ("{}", -32600, "null"), (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32600, "null"),
    (#"{"id":5,"method":"ping"}"#, -32600, "5"), (#"{"jsonrpc":"2.0","id":6,"method":"ping","params":7}"#, -32602, "6"),
    (#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#, -32601, "7"),
    (#"{"jsonrpc":"2.0","id":"x","method":"server/discover"}"#, -32601, #""x""#),
    (#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{}}"#, -32602, "8"),
    (#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"no_such"}}"#, -32602, "9"),
    (#"{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"describe","arguments":[]}}"#, -32602, "10"),
    (#"{"jsonrpc":"2.0","id":11,"method":"tools/list","params":{"cursor":"x"}}"#, -32602, "11"),
    (#"{"jsonrpc":"2.0","id":12,"method":"resources/read","params":{"uri":"nova://contract/nothing"}}"#, -32002, "12"),
    (#"{"jsonrpc":"2.0","id":13,"method":"resources/read","params":{}}"#, -32602, "13"),
    (#"{"jsonrpc":"2.0","id":14,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#, -32600, "14"),
    ("[]", -32600, "null"), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, "null"),
  ]) func errorsOfTheProtocol(_ line: String, code: Int, id: String) async throws {
    let session = try await MCPSession.started()
    try session.send(line)
    try await waitUntil { try session.messages().count == 2 }
    let response = try #require(try session.messages().last)
    #expect(response["error"]?["code"] == .number(code), "\(response)")
    #expect(MCPRequest.key(response["id"] ?? "missing") == id, "\(response)")
    // The connection is unharmed.
    #expect(try await session.result("ping", id: "after") == [:])
  }

  @Test func nothingWorksBeforeInitialize() async throws {
    let session = try MCPSession()
    #expect(try await session.result("ping", id: 1) == [:])
    try session.request("tools/list", id: 2)
    #expect(try await session.response(to: 2)["error"]?["code"] == -32600)
    try session.request("initialize", id: 3)
    #expect(try await session.response(to: 3)["error"]?["code"] == -32602)
    #expect(try await session.result("initialize", ["protocolVersion": "2025-06-18"], id: 4)["serverInfo"] != nil)
  }

  /// Notifications and responses have no response, not even wrong ones.
  @Test func notificationsAreNotAnswered() async throws {
    let session = try await MCPSession.started()
    for method in ["notifications/initialized", "notifications/no-such", "tools/list", "notifications/cancelled"] {
      try session.notify(method)
    }
    try session.notify("notifications/cancelled", ["requestId": 99, "reason": "unknown"])
    try session.send(#"{"jsonrpc":"2.0","id":3,"result":{}}"#)
    try session.send("")
    try session.send("   \r")
    #expect(try await session.result("ping", id: 1) == [:])
    #expect(try session.messages().count == 2, "\(session.output)")
  }

  @Test func aHugeLineIsRefused() async throws {
    let session = try await MCPSession.started()
    let text = String(repeating: "x", count: MCPConnection.messageLimit)
    try session.send(#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\#(text)"}}"#)
    #expect(try await session.result("ping", id: 2) == [:])
    let refusal = try session.messages().first { $0["error"] != nil }
    #expect(refusal?["error"]?["code"] == -32600 && refusal?["id"] == .null, "\(session.output.prefix(500))")
    // As large as allowed.
    let rest = text.dropLast(100)
    try session.send(#"{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"\#(rest)"}}"#)
    #expect(try await session.response(to: 3)["result"] == [:])
  }

  @Test func deepNestingIsRefused() async throws {
    let session = try await MCPSession.started()
    try session.send(String(repeating: "[", count: 200_000))
    try session.send(#"{"a":"# + String(repeating: #"{"a":"#, count: 100_000))
    #expect(try await session.result("ping", id: 1) == [:])
    #expect(try session.messages().filter { $0["error"]?["code"] == -32700 }.count == 2, "\(session.output)")
  }

  @Test(arguments: ["2024-11-05", "2025-03-26"]) func batchesHaveOneLine(_ version: String) async throws {
    let session = try await MCPSession.started(version: version)
    try session.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7,"#
        + #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe","arguments":{"name":"Post"}}},"#
        + #"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{}}]"#)
    try await waitUntil { try session.messages().count == 2 }
    let responses = try #require(try session.messages().last?.elements, "\(session.output)")
    #expect(responses.map { $0["id"] ?? "none" } == [1, .null, 2, 3])
    #expect(responses.map { $0["error"]?["code"] } == [nil, -32600, nil, -32600])
    // Only notifications: no response at all.
    try session.send(#"[{"jsonrpc":"2.0","method":"notifications/x"}]"#)
    try session.send("[" + Array(repeating: "7", count: 101).joined(separator: ",") + "]")
    #expect(try await session.result("ping", id: 9) == [:])
    #expect(try session.messages().count == 4, "\(session.output)")
  }

  @Test func manyRequestsAtOnce() async throws {
    let session = try await MCPSession.started()
    let count = 600
    for id in 0..<count {
      try session.request("tools/call", ["name": "describe", "arguments": ["name": "graph"]], id: .number(id))
    }
    let end = try await session.end()
    #expect(end.status == 0, "\(end.errors)")
    let ids = try session.messages().compactMap { $0["id"]?.integerValue }
    #expect(ids.sorted() == Array(0..<count))
    #expect(try session.messages().dropFirst().allSatisfy { $0["result"]?["isError"] == false })
  }

  /// All input at once, from a file: everything is answered before the end.
  @Test func theEndOfTheInputIsTheEndAfterAllResponses() async throws {
    let run = try await nova(
      "mcp", "--mock",
      input: #"""
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"contract_check","arguments":{"rpcs":["graph.IsMuted"]}}}
        {"jsonrpc":"2.0","id":3,"method":"ping"}
        """#)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(run.lines.count == 3, "\(run)")
  }

  /// A response to a cancelled request would end the connection of some clients.
  @Test func aCancelledRequestHasNoResponse() async throws {
    try await withRawServer({ while try $0.readRequest() != nil {} }) { server in
      let session = try await MCPSession.started(["--base-url", server.url(""), "--timeout", "60s"])
      let call: JSONValue = [
        "name": "call", "arguments": ["rpc": "graph.GetFollowers", "request": ["user_id": "mock-user-id"]],
      ]
      try session.request("tools/call", call, id: "slow")
      try await waitUntil { !server.requests.isEmpty }
      // Its ID is in use.
      try session.request("tools/call", call, id: "slow")
      #expect(try await session.response(to: "slow")["error"]?["code"] == -32600)
      let before = try session.messages().count
      try session.notify("notifications/cancelled", ["requestId": "slow", "reason": "changed my mind"])
      #expect(try await session.result("ping", id: "after") == [:])
      let end = try await session.end()
      #expect(end.status == 0, "\(end)")
      #expect(try session.messages().count == before + 1, "\(end.output)")
    }
  }

  @Test(arguments: [(2, Int32(130)), (15, 143)] as [(Int32, Int32)]) func signalsEndTheServer(
    _ signal: Int32, _ status: Int32
  ) async throws {
    let session = try await MCPSession.started()
    session.signal(signal)
    #expect(try await session.result().status == status)
  }

  /// Nobody reads the responses, although the input goes on.
  @Test func aClosedOutputEndsTheServer() async throws {
    let script = #"""
      ping='{"jsonrpc":"2.0","id":1,"method":"ping"}'
      { while echo "$ping"; do sleep 0.01; done; } 2>/dev/null | { "$NOVA" mcp --mock; echo "status $?" >&2; } | head -c 1
      """#
    let run = try await ProgramRun(
      ["-c", script], executable: .init(filePath: "/bin/sh"), environment: ["NOVA": try ProgramRun.program().path]
    ).result()
    #expect(run.output == "{" && run.errors == "status 0\n", "\(run)")
  }

  @Test func aMissingOutputIsAFailure() async throws {
    let run = try await ProgramRun(
      ["-c", #""$NOVA" mcp --mock < /dev/null >&-"#], executable: .init(filePath: "/bin/sh"),
      environment: ["NOVA": try ProgramRun.program().path]
    ).result()
    #expect(run.status == 1 && run.errors.contains("standard output is closed"), "\(run)")
  }
}
