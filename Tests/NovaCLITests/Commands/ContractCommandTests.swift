import Foundation
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite struct ContractCommandTests {
  @Test func theMockPasses() async throws {
    let run = try await nova("contract", "check", "--mock")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(run.lines.last?.hasPrefix("the mock backend: 0 breaking, 0 tolerated, 0 additive; 73 of 73 RPCs") == true)
  }

  @Test func theServerPasses() async throws {
    try await withServe { url, _ in
      let run = try await nova("contract", "check", "--base-url", url, "--report", "json")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.hasPrefix("{\n  \"passed\": true,"))
      #expect(run.output.contains(#""breaking": 0"#))
      #expect(run.output.contains(#""tolerated": 0"#))
      #expect(run.output.contains(#""read_only": false"#))
    }
  }

  @Test func aNamedEnvironmentIsNotWrittenTo() async throws {
    try await withServe { url, _ in
      let run = try await nova("contract", "check", "--base-url", url, "--environment", "staging", "--no-invalid")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.output.contains("not checked, it has side effects, and the check is read-only: auth.Register, "))
      #expect(run.lines.last?.contains(", read-only") == true)
      let loud = try await nova(
        "contract", "check", "--base-url", url, "--environment", "staging", "--writes", "--no-invalid")
      #expect(loud.status == 0)
      #expect(loud.errors.hasPrefix("nova: warning: this writes to \(url)"))
    }
  }

  @Test func aWrongGatewayFails() async throws {
    try await withRawServer({
      try $0.respondToAll(headers: ["Content-Type: text/html"], body: Array("<html></html>".utf8))
    }) {
      let run = try await nova("contract", "check", "--base-url", $0.url(""), "--read-only", "--report", "markdown")
      #expect(run.status == 1)
      #expect(run.output.contains("## Breaking"))
      #expect(run.errors.contains("breaking difference"))
    }
  }

  @Test func nothingThatListensIsNoConnection() async throws {
    let closed = try ClosedPort()
    let run = try await nova("contract", "check", "--base-url", closed.url)
    withExtendedLifetime(closed) {}
    #expect(run.status == 6)
    #expect(run.errors.contains("nova serve"))
  }

  @Test func eachRequestIsLoggedOnRequest() async throws {
    let run = try await nova("contract", "check", "--mock", "--max-requests", "30", "--verbose")
    let lines = run.errors.split(separator: "\n").filter { $0.hasSuffix(" ms") }
    #expect(lines.count >= 30, "\(run.errors)")
    #expect(lines.allSatisfy { $0.contains(" bytes, ") && !$0.contains("?") }, "\(run.errors)")
  }

  @Test func limitsEndItEarly() async throws {
    let run = try await nova("contract", "check", "--mock", "--max-requests", "30")
    #expect(run.status == 1)
    #expect(run.errors.contains("the maximum number of requests was sent (30)"))
    #expect(run.lines.last?.contains("with 30 requests") == true)
    #expect(!run.output.contains("not cleaned up"))
  }

  @Test func controlCWritesTheReportSoFar() async throws {
    try await withRawServer({ $0.hang() }) { server in
      // On a busy machine the signal may come late; no request may be given up before it.
      let run = try ProgramRun(
        ["contract", "check", "--base-url", server.url(""), "--report", "json", "--timeout", "300s"])
      await server.waitForConnections(1)
      run.signal(SIGINT)
      let result = try await run.result()
      #expect(result.status == 130)
      #expect(result.output.contains(#""stopped": "interrupted""#))
    }
  }

  @Test func theReportGoesIntoAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "contract-\(UUID().uuidString).xml")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try await nova("contract", "check", "--mock", "--report", "junit", "--out", file.path, "--read-only")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("the mock backend: 0 breaking"))
    let xml = try String(contentsOf: file, encoding: .utf8)
    #expect(xml.hasPrefix(#"<?xml version="1.0" encoding="UTF-8"?>"#))
    #expect(xml.contains(#"<testcase classname="nova.graph" name="GetFollowers""#))
    let nowhere = try await nova("contract", "check", "--mock", "--read-only", "--no-invalid", "--out", "/nowhere/x")
    #expect(nowhere.status == 1)
    #expect(nowhere.errors.hasPrefix("nova: cannot write /nowhere/x: "))
  }

  @Test(arguments: [
    ["--rate", "0"], ["--max-requests", "0"], ["--read-only", "--writes"], ["--report", "pdf"], ["--max-time", "0s"],
  ])
  func wrongOptionsAreWrongUsage(_ options: [String]) async throws {
    #expect(try await ProgramRun(["contract", "check", "--mock"] + options).result().status == 64)
  }
}
