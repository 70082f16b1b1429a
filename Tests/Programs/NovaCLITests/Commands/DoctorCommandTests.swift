import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite struct DoctorCommandTests {
  /// The results by check.
  private func results(_ run: RunResult) throws -> [String: String] {
    let checks = try JSONValue(jsonUTF8: Array(run.output.utf8)).elements ?? []
    let pairs = checks.compactMap { check in
      check["check"]?.stringValue.flatMap { name in check["result"]?.stringValue.map { (name, $0) } }
    }
    return Dictionary(pairs) { $1 }
  }

  @Test func aRunningGatewayIsFine() async throws {
    try await withServe { url, _ in
      let run = try await nova("doctor", "--base-url", url, "-o", "json")
      let results = try results(run)
      #expect(run.status == 0, "\(run)")
      for name in ["nova", "libcurl", "SQLite", "settings", "name", "connection", "TLS"] {
        #expect(results[name] == "ok", "\(name): \(run.output)")
      }
      #expect(results["token"] == "skipped", "\(run.output)")
      #expect(run.output.contains("base_url \(url) (--base-url)"), "\(run.output)")
    }
  }

  @Test func aDeadGatewayIs6() async throws {
    let run = try await nova("doctor", "--base-url", "http://127.0.0.1:9", "-o", "json")
    #expect(run.status == 6, "\(run)")
    #expect(try results(run)["connection"] == "failed", "\(run)")
    #expect(run.errors.contains("check failed: connection"), "\(run.errors)")
  }

  @Test func anInvalidTokenIs4() async throws {
    try await withServe { url, _ in
      let run = try await nova(
        "doctor", "--base-url", url, "-o", "json", environment: ["NOVA_TOKEN": "eyJ-not-a-token"])
      #expect(run.status == 4, "\(run)")
      #expect(try results(run)["token"] == "failed", "\(run)")
      #expect(!run.output.contains("eyJ-not-a-token") && !run.errors.contains("eyJ-not-a-token"), "\(run)")
    }
  }

  /// A web server, or the sign-in page of a network, accepts connections as well.
  @Test(arguments: [(200, "<html>Hi</html>"), (404, "<html>Not found</html>"), (404, #"{"error": {}}"#), (200, "")])
  func whatIsNoGatewayIsReported(_ status: Int, _ body: String) async throws {
    let server = try FaultServer { _ in
      HTTPResponse(
        status: status, headers: ["Content-Type": body.hasPrefix("{") ? "application/json" : "text/html"],
        body: Array(body.utf8))
    }
    defer { server.stop() }
    let run = try await nova("doctor", "--base-url", server.url, "-o", "json")
    let results = try results(run)
    #expect(run.status != 0 && results["connection"] == "ok" && results["gateway"] == "failed", "\(run)")
    #expect(results["token"] == "skipped", "\(run)")
  }

  @Test func aWrongPathIsReported() async throws {
    try await withServe { url, _ in
      let run = try await nova("doctor", "--base-url", "\(url)/nope", "-o", "json")
      #expect(run.status == 5, "\(run)")
      #expect(try results(run)["gateway"] == "failed", "\(run)")
    }
  }

  /// The session file alone does not show it.
  @Test func aSessionThatTheGatewayHasEndedIs4() async throws {
    try await withServe { url, _ in
      let desk = try Desk()
      let login = try await desk.run(
        ["login", "bruce@nova.social", "--password-stdin", "--base-url", url], input: "mock-password\n")
      #expect(login.status == 0, "\(login)")
      let before = try await desk.nova("doctor", "--base-url", url, "-o", "json")
      #expect(before.status == 0, "\(before)")
      #expect(try results(before)["token"] == "ok", "\(before)")
      let request = try HTTPRequest(method: .delete, url: HTTPURL(parsing: "\(url)/_nova/sessions"))
      let transport = CurlTransport()
      _ = try await transport.send(request)
      await transport.shutdown()
      let after = try await desk.nova("doctor", "--base-url", url, "-o", "json")
      #expect(after.status == 4, "\(after)")
      #expect(try results(after)["token"] == "failed", "\(after)")
    }
  }

  @Test func offlineNothingIsSent() async throws {
    let run = try await nova("doctor", "--offline", "--base-url", "http://127.0.0.1:9", "-o", "json")
    let results = try results(run)
    #expect(run.status == 0 && results["gateway"] == "skipped" && results["connection"] == nil, "\(run)")
  }

  @Test func damagedFilesOfTheUserAreReported() async throws {
    let desk = try Desk()
    try await desk.nova("alias", "set", "x", "posts")
    try desk.write("{", ".config/nova/aliases.json")
    let run = try await desk.nova("doctor", "--mock", "-o", "json")
    #expect(run.status == 0, "\(run)")
    #expect(try results(run)["aliases"] == "warning", "\(run)")
  }

  @Test func anInvalidOptionIsNamedAsTyped() async throws {
    let run = try await nova("doctor", "--base-url", "junk", "-o", "json")
    #expect(run.status == 64 && run.output.contains("invalid --base-url"), "\(run)")
  }

  @Test func invalidSettingsAre65AndNothingIsSent() async throws {
    let desk = try Desk()
    try desk.write(#"{"retry": {"attempts": 0}}"#, "work/APIConfig.json")
    let run = try await desk.nova("doctor", "-o", "json")
    #expect(run.status == 65, "\(run)")
    let results = try results(run)
    #expect(results["settings"] == "failed" && results["connection"] == nil, "\(run)")
  }

  @Test func aClockThatIsWrongIsReported() async throws {
    let server = try FaultServer { _ in
      HTTPResponse(status: 200, headers: ["Date": "Wed, 01 Jan 2020 00:00:00 GMT"], body: [])
    }
    defer { server.stop() }
    let run = try await nova("doctor", "--base-url", server.url, "-o", "json")
    #expect(try results(run)["clock"] == "warning", "\(run)")
  }

  @Test func withMockDataNothingIsSent() async throws {
    let run = try await nova("doctor", "--mock", environment: ["NOVA_MOK": "1"])
    #expect(run.status == 0 && run.output.contains("gateway\tskipped\t"), "\(run)")
    #expect(run.output.contains("NOVA_MOK is not a variable"), "\(run)")
  }

  @Test func aDirectoryThatCannotBeWrittenIsReported() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("nova-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try await nova("doctor", "--mock", "-o", "json", environment: ["XDG_STATE_HOME": file.path])
    #expect(try results(run)["state directory"] == "failed" && run.status == 1, "\(run)")
  }
}
