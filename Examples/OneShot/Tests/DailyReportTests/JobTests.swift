import DailyReport
import Logging
import NovaSDK
import NovaTesting
import Testing

/// Whole runs, in this process: against the mock, and against servers that fail.
@Suite struct Jobs {
  @Test func printsOneLine() async throws {
    let result = await job(["JOB_USER": "mock-user-id", "NOVA_MOCK": "1"]).run()
    #expect(result.status == 0)
    let line = try JSONValue(jsonUTF8: Array((result.output ?? "").utf8))
    #expect(line["username"] == "bruce_li" && line["followers"] == 3_021)
  }

  @Test(arguments: [
    [:], ["JOB_USER": "ann", "JOB_TIMEOUT": "soon"], ["JOB_USER": "ann", "NOVA_ENVIRONMENT": "prod"],
    ["JOB_USER": "ann", "JOB_SESSION_FILE": "/tmp/x", "JOB_SESSION_KEY": "short"],
  ])
  func invalidSettingsHaveTheirStatus(_ environment: [String: String]) async {
    #expect(await job(environment).run() == Job.Result(output: nil, status: 78))
  }

  @Test(arguments: [(401, 77), (403, 77), (404, 65), (429, 75), (500, 75), (503, 75)] as [(Int, Int32)])
  func aSchedulerCanTellFailuresApart(_ status: Int, _ exit: Int32) async throws {
    let server = try FaultServer([.answer(status: status)], then: .lastRepeats)
    defer { server.stop() }
    let result = await run(against: server.url, ["NOVA_RETRY_ATTEMPTS": "1"])
    #expect(result == Job.Result(output: nil, status: exit))
  }

  @Test func callsEndBeforeThePlatformEndsTheProcess() async throws {
    let server = try FaultServer([.fault(.hangBeforeHeaders)], then: .lastRepeats)
    defer { server.stop() }
    let duration = await ContinuousClock().measure {
      let result = await run(against: server.url, ["JOB_TIMEOUT": "1"])
      #expect(result.status == 75)
    }
    #expect(duration >= .milliseconds(900) && duration < .seconds(20))
  }

  @Test func aSessionIsReadFromItsFile() async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let folder = "/tmp/nova-one-shot-\(UInt32.random(in: 0 ... .max))"
    let key = String(repeating: "ab", count: 32)
    let result = await run(
      against: server.url, ["JOB_SESSION_FILE": "\(folder)/session", "JOB_SESSION_KEY": key])
    // Nobody has signed in yet, so the calls have no token to send.
    #expect(result.status == 77)
    #expect(server.requestCount == 0)
  }

  private func run(against url: String, _ others: [String: String]) async -> Job.Result {
    await job(others.merging(["JOB_USER": "ann", "NOVA_BASE_URL": url]) { $1 }).run()
  }

  /// A job that logs nothing.
  private func job(_ environment: [String: String]) -> Job {
    Job(environment: environment, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }
}
