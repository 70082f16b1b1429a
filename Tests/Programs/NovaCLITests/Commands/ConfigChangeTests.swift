import Foundation
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct ConfigChangeTests {
  @Test func aFileIsMadeAndChanged() async throws {
    let desk = try Desk()
    let set = try await desk.nova("config", "set", "retry.attempts", "5")
    #expect(set.status == 0 && set.errors == "retry.attempts is now 5 in APIConfig.json\n", "\(set)")
    #expect(try await desk.nova("config", "set", "flags.mock_data", "true").status == 0)
    #expect(try await desk.nova("config", "set", "no_proxy", "a.example,b.example").status == 0)
    let settings = try await desk.settings()
    #expect(settings["retry.attempts"]?.value == "5" && settings["flags.mock_data"]?.value == "true")
    #expect(settings["no_proxy"]?.value?.contains("b.example") == true)
    let file = try String(contentsOf: desk.work.appending(path: "APIConfig.json"), encoding: .utf8)
    #expect(file.hasPrefix("{\n  \"retry\": {\n    \"attempts\": 5\n  }"), "\(file)")
    #expect(try await desk.nova("config", "unset", "retry.attempts").status == 0)
    #expect(try await desk.settings()["retry.attempts"]?.value == "3")
    #expect(try await desk.nova("config", "unset", "retry.attempts").status == 5)
  }

  @Test(arguments: [
    ["retry.attempts", "0"], ["retry.atempts", "5"], ["retry", "5"], ["environment", "qa"], ["token", "secret-token"],
    ["flags.mock_data", "maybe"],
  ])
  func anInvalidValueChangesNothing(_ arguments: [String]) async throws {
    let desk = try Desk()
    let path = try desk.write("{\"retry\": {\"attempts\": 4}}", "work/APIConfig.json")
    let run = try await desk.run(["config", "set"] + arguments)
    #expect(run.status == 65 && !run.errors.contains("secret-token"), "\(run)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{\"retry\": {\"attempts\": 4}}")
  }

  @Test func aContextIsChanged() async throws {
    let desk = try Desk()
    let none = try await desk.nova("config", "set", "base_url", "http://127.0.0.1:7001")
    #expect(none.status == 64 && none.errors.contains("nova context add"), "\(none)")
    try await desk.nova("context", "add", "one", "--base-url", "http://127.0.0.1:7000", "--use")
    #expect(try await desk.nova("config", "set", "base_url", "http://127.0.0.1:7001").status == 0)
    #expect(try await desk.nova("config", "set", "timeout_seconds", "9", "--context", "one").status == 0)
    let settings = try await desk.settings()
    #expect(settings["base_url"]?.value == "http://127.0.0.1:7001" && settings["timeout_seconds"]?.value == "9")
    #expect(try await desk.nova("config", "unset", "timeout_seconds", "--context", "one").status == 0)
    #expect(try await desk.nova("config", "unset", "base_url").status == 1, "a context has at least one setting")
    #expect(try await desk.nova("config", "set", "retry.attempts", "5", "--context", "one").status == 64)
    let unknown = try await desk.nova("config", "set", "base_url", "http://127.0.0.1:7001", "--context", "two")
    #expect(unknown.status == 5, "\(unknown)")
  }

  /// What the user types is the user's decision; what was in the file before is not.
  @Test func aFileStaysApprovedAsItWas() async throws {
    let desk = try Desk()
    let url = "http://127.0.0.1:7000"
    let key = "environments.qa.base_url"
    #expect(try await desk.nova("config", "set", key, url).status == 0)
    #expect(try await desk.nova("config", "set", "environment", "qa").status == 0)
    let list = try await desk.nova("config", "trust", "--list")
    #expect(list.output.contains("APIConfig.json"), "\(list)")
    let other = try Desk()
    try other.write(
      "{\"environment\": \"qa\", \"environments\": {\"qa\": {\"base_url\": \"\(url)\"}}}", "work/APIConfig.json")
    #expect(try await other.nova("config", "set", "retry.attempts", "5").status == 0)
    #expect(try await other.nova("config", "trust", "--list").output.isEmpty)
  }

  @Test func anotherFileCanBeNamed() async throws {
    let desk = try Desk()
    #expect(try await desk.nova("config", "set", "retry.attempts", "5", "--config", "other.json").status == 0)
    #expect(try await desk.settings("--config", "other.json")["retry.attempts"]?.value == "5")
    try desk.write("[]", "work/list.json")
    #expect(try await desk.nova("config", "set", "retry.attempts", "5", "--config", "list.json").status == 65)
  }
}
