import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct ContractSuiteCommandTests {
  @Test func theServerPassesTheChosenScenarios() async throws {
    try await withServe { url, _ in
      let run = try await nova(
        "contract", "suite", "--base-url", url, "--filter", "graph.*", "--filter", "capture.life")
      #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
      #expect(
        run.lines.contains("passed  capture.life") && run.lines.contains { $0.hasPrefix("passed  graph.") }, "\(run)")
      #expect(run.lines.last?.hasPrefix("\(url): ") == true, "\(run)")
    }
  }

  @Test func reportsHaveATestForEachScenario() async throws {
    let json = try await nova("contract", "suite", "--mock", "--filter", "reads.*", "-o", "json")
    #expect(json.status == 0, "\(json)")
    let document = try JSONValue(jsonUTF8: json.output.utf8Bytes)
    #expect(document["passed"] == .bool(true) && document["scenarios"]?.elements?.isEmpty == false)
    let junit = try await nova("contract", "suite", "--mock", "--filter", "reads.*", "--report", "junit")
    #expect(junit.output.contains(#"<testsuites name="nova contract suite""#), "\(junit)")
    let ctrf = try await nova("contract", "suite", "--mock", "--filter", "reads.*", "--report", "ctrf")
    #expect(try JSONValue(jsonUTF8: ctrf.output.utf8Bytes)["results"]?["summary"]?["failed"] == 0)
  }

  @Test func aWrongGatewayFails() async throws {
    try await withRawServer({
      try $0.respondToAll(headers: ["Content-Type: application/json"], body: Array(#"{"data":[]}"#.utf8))
    }) {
      let run = try await nova("contract", "suite", "--base-url", $0.url(""), "--filter", "graph.follow")
      #expect(run.status == 1, "\(run)")
      #expect(
        run.output.contains("failed  graph.follow: ") && run.errors.hasPrefix("nova: 1 scenario failed, in "), "\(run)")
    }
  }

  @Test func scenariosAreListed() async throws {
    let run = try await nova("contract", "suite", "--list", "--filter", "social.like")
    #expect(run.status == 0 && run.lines.count == 1 && run.output.hasPrefix("social.like\twrites\t"), "\(run)")
  }

  @Test(arguments: [
    (["--filter", "nothing"], "no scenario matches"), (["--report", "sarif"], "has no sarif report"),
    (["--concurrency", "0"], "invalid --concurrency"), (["--coverage"], "--coverage"),
    (["--list", "--report", "junit"], "--list"),
  ]) func invalidUsageIsExplained(arguments: [String], problem: String) async throws {
    let run = try await ProgramRun(["contract", "suite", "--mock"] + arguments).result()
    #expect(run.status == 64 && run.errors.contains(problem), "\(run)")
  }

  @Test func nothingThatListensIsNoConnection() async throws {
    let run = try await nova("contract", "suite", "--base-url", "http://127.0.0.1:1", "--filter", "graph.follow")
    #expect(run.status == 6 && run.errors.hasPrefix("nova: suite failed: "), "\(run)")
  }
}
