import Foundation
import NovaSDK
import NovaTestSupport
import Testing

@Suite struct CallCommandTests {
  @Test(arguments: ["graph.GetFollowers", "GRAPH.getfollowers", "nova.graph_service.v1.GraphService.GetFollowers"])
  func anRPCIsFoundByName(_ name: String) async throws {
    let run = try await nova("call", name, #"{"userId": "mock-user-id", "limit": 1}"#, "--mock", "-o", "ndjson")
    #expect(run.output == #"{"user_ids":["user-1492"],"total_count":3021,"has_more":true}"# + "\n")
  }

  @Test func theRequestComesFromStandardInputOrAFile() async throws {
    let json = #"{"user_id": "mock-user-id", "limit": 1}"#
    let direct = try await nova("call", "graph.GetFollowers", json, "--mock")
    #expect(direct.status == 0)
    #expect(try await nova("call", "graph.GetFollowers", "-", "--mock", input: json).output == direct.output)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    try Data(json.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try await nova("call", "graph.GetFollowers", "@\(file.path)", "--mock").output == direct.output)
    let empty = try await nova("call", "graph.GetFollowers", #"{"user_id":""}"#, "--mock")
    #expect(empty.status == 65 && empty.errors.contains("invalid argument: user_id must not be empty"), "\(empty)")
    #expect(try await nova("call", "graph.GetFollowers", "@/does/not/exist", "--mock").status == 65)
  }

  @Test func anUnknownRPCIsWrongUsage() async throws {
    let run = try await nova("call", "graph.GetFolowers", "--mock")
    #expect(run.status == 64)
    #expect(run.errors.contains("Did you mean graph.GetFollowers?"))
    #expect(try await nova("call").status == 64)
    #expect(try await nova("call", "zzzzzz", "--mock").errors.contains("nova call --list"))
  }

  @Test func aWrongRequestIsBadData() async throws {
    let run = try await nova("call", "graph.GetFollowers", #"{"limit": "many"}"#, "--mock")
    #expect(run.status == 65)
    #expect(run.errors.hasPrefix("nova: request:1:11: limit: expected an integer"))
    let stdin = try await nova("call", "graph.GetFollowers", "-", "--mock", input: "{\n x")
    #expect(stdin.status == 65)
    #expect(stdin.errors.hasPrefix("nova: 2:2: expected"))
  }

  @Test(arguments: [
    ("graph.GetFollowers", #"{"user_id": "x", "limt": 3}"#, "request:1:18: limt: unknown field; did you mean limit?"),
    (
      "feed.RankPosts", #"{"user_id": "x", "posts": [{"id": "a"}, {"auther_id": "b"}]}"#,
      "request:1:42: posts[1].auther_id: unknown field; did you mean author_id?"
    ),
    ("graph.GetFollowers", #"{"zebra": 3}"#, "request:1:2: zebra: unknown field\n"),
    ("graph.GetFollowers", #"{"li\u202emt": 3}"#, #"request:1:2: ["li\u202emt"]: unknown field"#),
    ("feed.RankPosts", #"{"posts": [{"like_count": "many"}]}"#, "request:1:27: posts[0].like_count: expected an"),
  ])
  func wrongFieldsAreNamedWithTheirPath(rpc: String, json: String, message: String) async throws {
    let run = try await nova("call", rpc, json, "--mock")
    #expect(run.status == 65)
    #expect(run.errors.hasPrefix("nova: \(message)"), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func unknownFieldsCanBeAllowed() async throws {
    let json = #"{"user_id": "mock-user-id", "limit": 1, "limt": 3}"#
    let run = try await nova("call", "graph.GetFollowers", json, "--mock", "--allow-unknown-fields", "-o", "ndjson")
    #expect(run.output == #"{"user_ids":["user-1492"],"total_count":3021,"has_more":true}"# + "\n")
  }

  @Test(arguments: [["call", "graph.GetFollowers", "--help"], ["help", "call", "graph.getfollowers"]])
  func helpForAnRPCShowsItsFields(_ arguments: [String]) async throws {
    let run = try await ProgramRun(arguments).result()
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("user_id  string; not empty."), "\(run.output)")
  }

  @Test func theListHasEveryRPC() async throws {
    let names = try await nova("call", "--list", "-o", "ids")
    #expect(names.lines == RPCRegistry.nova.rpcs.map(\.id))
    let table = try await nova("call", "--list")
    #expect(table.lines.map { String($0.prefix { $0 != "\t" }) } == names.lines)
    #expect(table.output.contains("Lists who follows a user"))
    let some = try await nova("call", "--list", "mute", "-o", "ids")
    #expect(some.lines == ["graph.CreateMute", "graph.DeleteMute", "graph.IsMuted"])
    let json = try await nova("call", "--list", "-o", "json")
    let value = try JSONValue(jsonUTF8: Array(json.output.utf8))
    #expect(value.kindDescription == "a list")
    let followers = value.elements?.first { $0["rpc"]?.stringValue == "graph.GetFollowers" }
    #expect(followers?["fields"]?.elements?.compactMap { $0["name"]?.stringValue } == ["user_id", "limit", "offset"])
  }

  @Test func anythingButJSONIsRefused() async throws {
    #expect(try await nova("call", "graph.GetFollowers", "--mock", "-o", "ids").status == 64)
  }
}
