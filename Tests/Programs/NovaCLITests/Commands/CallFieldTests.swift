import ArgumentParser
import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import Testing

@testable import NovaCLI

/// Fields on the command line of `nova call`, and requests that are printed and not sent.
@Suite struct CallFieldTests {
  @Test(arguments: [
    ("a=b", true), ("post.title=x", true), ("ids:=[1]", true), ("a=", true), ("_x=1", true), (#"{"a":"b=c"}"#, false),
    ("@a=b", false), ("-", false), ("=b", false), ("a.=b", false), ("plain", false), ("[1]", false), ("a b=c", false),
  ])
  func fieldsAreRecognized(_ text: String, _ isField: Bool) { #expect((FieldArgument(text) != nil) == isField) }

  private func request(_ rpc: String, _ arguments: [String]) throws -> String {
    let rpc = try #require(RPCRegistry.nova.rpc(named: rpc))
    let options = try UnknownFieldOptions.parse([])
    return String(decoding: try CallRequest(arguments).message(of: rpc, options).jsonUTF8(.request), as: UTF8.self)
  }

  @Test(arguments: [
    ("graph.GetFollowers", ["user_id=x", "limit=3"], #"{"user_id":"x","limit":3}"#),
    ("graph.GetFollowers", ["userId=x"], #"{"user_id":"x"}"#),
    ("graph.GetFollowers", [#"{"user_id":"x","limit":1}"#, "limit=3"], #"{"user_id":"x","limit":3}"#),
    (
      "user.UpdateUserProfile", ["user_id=7", "is_private=true", "bio="], #"{"user_id":"7","bio":"","is_private":true}"#
    ),
    ("content.GetPostsByIds", ["post_ids=a", "post_ids=b"], #"{"post_ids":["a","b"]}"#),
    ("content.GetPostsByIds", [#"post_ids:=["a","b"]"#], #"{"post_ids":["a","b"]}"#),
    ("content.CreatePost", ["creator_id=a", "content=x=y"], #"{"creator_id":"a","content":"x=y"}"#),
  ])
  func fieldsHaveTheTypesOfTheContract(_ rpc: String, _ arguments: [String], _ expected: String) throws {
    #expect(try request(rpc, arguments) == expected)
  }

  @Test(arguments: [
    (["limit=many"], "expected a whole number"), (["limt=3"], "unknown field \"limt\"; did you mean limit?"),
    (["user_id.x=3"], "user_id has no fields"), (["limit:={"], "expected JSON after :="), (["x"], "expected a field"),
  ])
  func wrongFieldsAreWrongUsage(_ arguments: [String], _ message: String) async throws {
    let words = ["call", "graph.GetFollowers", "user_id=x"] + arguments + ["--mock"]
    let run = try await ProgramRun(words).result()
    #expect(run.status == 64 && run.errors.contains(message) && run.output.isEmpty, "\(run)")
  }

  /// A name whose value was forgotten is no JSON either.
  @Test(arguments: ["user_id", "post.title"]) func aFieldWithoutAValueIsWrongUsage(_ name: String) async throws {
    let run = try await nova("call", "graph.GetFollowers", name, "--mock")
    #expect(run.status == 64, "\(run)")
    #expect(run.errors.contains("invalid argument \"\(name)\": expected a field as name=value"), "\(run)")
  }

  @Test func fieldsAreSent() async throws {
    let run = try await nova(
      "call", "graph.GetFollowers", "user_id=@bruce_li", "limit=1", "--mock", "-o", "ndjson")
    #expect(run.output == #"{"user_ids":["user-1492"],"total_count":3021,"has_more":true}"# + "\n", "\(run)")
    let input = try await nova(
      "call", "graph.GetFollowers", "-", "limit=1", "--mock", "--jq", ".total_count",
      input: #"{"user_id": "mock-user-id"}"#)
    #expect(input.output == "3021\n", "\(input)")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
    try Data("From a file\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let post = try await nova(
      "call", "content.CreatePost", "creator_id=ada", "content=@\(file.path)", "--mock", "--template",
      "{{post.content}}")
    #expect(post.output == "From a file\n", "\(post)")
  }

  private static let token = "eyJ-secret-token"

  /// Nothing listens at the gateway: a request that is sent fails.
  @Test(arguments: ["--curl", "--dry-run"])
  func theRequestIsPrintedAndNotSent(_ option: String) async throws {
    let run = try await nova(
      "call", "content.CreatePost", "creator_id=ada", "content=it's me", option, "--base-url", "http://127.0.0.1:9",
      environment: ["NOVA_TOKEN": Self.token])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(!run.output.contains(Self.token) && run.output.contains("http://127.0.0.1:9/api/v1/content/post/create"))
    if option == "--curl" {
      #expect(run.output.hasPrefix("curl "), "\(run.output)")
      #expect(run.output.contains(#"-H "Authorization: Bearer $NOVA_TOKEN""#), "\(run.output)")
      #expect(run.output.contains(#"it'\''s me"#), "\(run.output)")
    } else {
      #expect(run.output.hasPrefix("POST http://127.0.0.1:9/"), "\(run.output)")
      #expect(run.output.contains("Authorization: ****\n"), "\(run.output)")
      #expect(run.output.contains(#""content": "it's me""#), "\(run.output)")
    }
  }

  @Test func secretsOfTheRequestAreMasked() async throws {
    for option in ["--curl", "--dry-run"] {
      let run = try await nova(
        "call", "auth.Login", "email=ada@example.com", "password=correct-horse", option, "--base-url",
        "http://127.0.0.1:9")
      #expect(run.status == 0 && !run.output.contains("correct-horse") && run.output.contains("****"), "\(run)")
    }
  }

  @Test func theRequestCanBeJSON() async throws {
    let run = try await nova(
      "call", "graph.GetFollowers", "user_id=x", "--dry-run", "-o", "json", "--base-url", "http://127.0.0.1:9")
    let json = try JSONValue(jsonUTF8: Array(run.output.utf8))
    #expect(json["method"] == .string("POST") && json["body"]?["user_id"] == .string("x"), "\(run)")
    let invalid = try await nova("call", "graph.GetFollowers", "limit=-1", "user_id=x", "--dry-run", "--mock")
    #expect(invalid.status == 65, "what cannot be sent is not printed: \(invalid)")
    #expect(try await nova("call", "graph.GetFollowers", "--dry-run", "--curl").status == 64)
  }
}
