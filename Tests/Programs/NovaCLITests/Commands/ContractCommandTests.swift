import Foundation
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite struct ContractCommandTests {
  @Test func theMockPasses() async throws {
    let run = try await nova("contract", "check", "--mock")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.errors.isEmpty)
    let count = RPCRegistry.nova.rpcs.count
    let end = "the mock backend: 0 breaking, 0 tolerated, 0 additive; \(count) of \(count) RPCs"
    #expect(run.lines.last?.hasPrefix(end) == true, "\(run.output)")
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
      let unchecked = "not checked, because the check is read-only: analytics.RecordEvents, auth.Register, "
      #expect(run.output.contains(unchecked))
      #expect(run.lines.last?.contains(", read-only") == true)
      let loud = try await nova(
        "contract", "check", "--base-url", url, "--environment", "staging", "--writes", "--no-invalid")
      #expect(loud.status == 0)
      #expect(loud.errors.hasPrefix("nova: warning: this writes to \(url)"))
    }
  }

  @Test func aWrongGatewayFails() async throws {
    try await withRawServer({
      try $0.respondToAll(headers: ["Content-Type: application/json"], body: Array(#"{"data":[]}"#.utf8))
    }) {
      let run = try await nova("contract", "check", "--base-url", $0.url(""), "--read-only", "--report", "markdown")
      #expect(run.status == 1)
      #expect(run.output.contains("## Breaking"))
      #expect(run.errors.contains("breaking difference"))
    }
  }

  /// JSON under another content type is tolerated.
  @Test func toleratedDifferencesFailOnRequest() async throws {
    let page = Array(#"{"data":[]}"#.utf8)
    try await withRawServer({ try $0.respondToAll(headers: ["Content-Type: text/plain"], body: page) }) {
      let arguments = ["contract", "check", "--base-url", $0.url(""), "--read-only", "--no-invalid", "--no-privacy"]
      let options = ["--rpc", "announcements.ListAnnouncements"]
      for (grade, status) in [("breaking", Int32(0)), ("tolerated", 1)] {
        let run = try await ProgramRun(arguments + options + ["--fail-on", grade]).result()
        #expect(run.status == status, "\(grade): \(run)")
      }
    }
    let wrong = try await nova("contract", "check", "--mock", "--fail-on", "additive")
    #expect(wrong.status == 64 && wrong.errors.contains("--fail-on"), "\(wrong)")
  }

  @Test func aServerThatIsNoGatewayIsOneMessage() async throws {
    try await withRawServer({
      try $0.respondToAll(headers: ["Content-Type: text/html"], body: Array("<html></html>".utf8))
    }) {
      let run = try await nova("contract", "check", "--base-url", $0.url(""))
      #expect(run.status == 65)
      #expect(
        run.errors.hasPrefix(
          "nova: check failed: \($0.url("")) is not a Nova gateway: all 10 requested paths return status 200 with text/html\n"
        ))
      #expect(run.lines.count == 2 && run.lines[0] == "not checked, because the server is not a Nova gateway: all RPCs")
    }
  }

  /// Something answers, so it is no lack of a connection.
  @Test func aServerThatRedirectsInALoopIsNoGateway() async throws {
    let server = try FaultServer([.fault(.redirectLoop)], then: .lastRepeats)
    defer { server.stop() }
    let run = try await nova("contract", "check", "--base-url", server.url)
    #expect(run.status == 65 && run.errors.contains(" is not a Nova gateway: "), "\(run)")
    #expect(run.lines.first == "not checked, because the server is not a Nova gateway: all RPCs", "\(run)")
  }

  @Test func aReportDoesNotReplaceTheBaseline() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, same) = (folder.appending(path: "a.json"), folder.path + "/./a.json")
    try Data("{}".utf8).write(to: file)
    for options in [
      ["--baseline", file.path, "--report", "json=\(same)"],
      ["--baseline", file.path, "--update-baseline", "--report", "json", "--out", same],
      ["--report", "json=\(file.path)", "--report", "sarif=\(same)"],
    ] {
      let run = try await ProgramRun(["contract", "check", "--mock"] + options).result()
      #expect(run.status == 64 && run.errors.contains("the same file"), "\(options): \(run)")
      #expect(try String(contentsOf: file, encoding: .utf8) == "{}")
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

  @Test func onlyChosenRPCsAreChecked() async throws {
    let run = try await nova(
      "contract", "check", "--mock", "--rpc", "GRAPH.Is*", "--rpc", "user.getuserprofile", "--report", "json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""rpcs_checked": 4"#), "\(run.output)")
    let misspelled = try await nova("contract", "check", "--mock", "--rpc", "graph.GetFolowers")
    #expect(misspelled.status == 64 && misspelled.errors.contains("Did you mean graph.GetFollowers?"))
    let nothing = try await nova("contract", "check", "--mock", "--rpc", "graph.CreateFollow", "--read-only")
    #expect(nothing.status == 1)
    #expect(nothing.errors.hasPrefix("nova: nothing was checked: the check is read-only"))
  }

  /// A gateway with faults fails, then passes with its baseline, and the fixed one reports what is stale.
  @Test func aBaselineKnowsDifferences() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "baseline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "known.json")
    try await withServe("--fault", "social.GetLikeCount=500") { url, _ in
      let check = ["contract", "check", "--base-url", url, "--rpc", "social.*", "--read-only", "--baseline", file.path]
      let missing = try await ProgramRun(check).result()
      #expect(missing.status == 65)
      #expect(missing.errors.contains("cannot read the baseline \(file.path): there is no such file"))
      let created = try await ProgramRun(check + ["--update-baseline"]).result()
      #expect(created.status == 0, "\(created.output)\(created.errors)")
      #expect(created.errors.contains(" added, 0 removed"))
      let text = try String(contentsOf: file, encoding: .utf8).replacing(#""reason":"""#, with: #""reason":"later""#)
      #expect(text.contains(#""rpc":"social.GetLikeCount","check":"status","grade":"breaking""#), "\(text)")
      try Data(text.utf8).write(to: file)
      let known = try await ProgramRun(check).result()
      #expect(known.status == 0 && known.output.contains("known, breaking: social.GetLikeCount, "))
      #expect(known.output.contains("reason    later"))
      let again = try await ProgramRun(check + ["--update-baseline"]).result()
      #expect(again.status == 0)
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
    let stale = try await nova("contract", "check", "--mock", "--rpc", "social.*", "--baseline", file.path)
    #expect(stale.status == 0 && stale.errors.contains("not found again; remove them with --update-baseline"))
    try Data("{".utf8).write(to: file)
    let damaged = try await nova("contract", "check", "--mock", "--baseline", file.path, "--update-baseline")
    #expect(damaged.status == 65 && damaged.errors.contains("invalid baseline \(file.path): invalid JSON"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "{")
  }

  @Test func severalReportsAreWritten() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    let run = try await nova(
      "contract", "check", "--mock", "--rpc", "graph.*", "--report", "github", "--report",
      "junit=\(folder.path)/a=b.xml",
      "--report", "sarif=\(folder.path)/c.sarif", "--report", "json=\(folder.path)/e"
    )
    #expect(run.status == 0, "\(run)")
    #expect(run.output.hasPrefix("::notice title=Contract check::the mock backend: 0 breaking"))
    #expect(try text("a=b.xml").hasPrefix("<?xml"))
    #expect(try text("c.sarif").contains(#""version": "2.1.0""#))
    #expect(try text("e").contains(#""passed": true"#))
    // A check can take minutes, so files are checked before it.
    for path in ["/nowhere/d", folder.path, "\(folder.path)/e/f"] {
      let unwritable = try await nova(
        "contract", "check", "--mock", "--report", "github", "--report", "markdown=\(path)")
      #expect(unwritable.status == 1 && unwritable.output.isEmpty, "\(unwritable)")
      #expect(unwritable.errors.hasPrefix("nova: cannot write \(path): "), "\(unwritable)")
    }
  }

  /// Nothing is cut on a narrow terminal.
  @Test(arguments: [120, 80, 40, 10]) func textsAreWrapped(_ width: Int) {
    let words = "expected 404, 405 or 501, found 状態 200 and averyveryverylongwordwithoutanyspaceinit 👩‍💻"
    let lines = words.wrapped(to: width, splittingWords: true)
    #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
    #expect(lines.joined().filter { $0 != " " } == words.filter { $0 != " " })
  }

  @Test(arguments: [
    ["--rpc", "x.*"], ["--update-baseline"], ["--baseline", ""], ["--report", "table", "--report", "json"],
    ["--report", "json=a", "--out", "b"], ["--report", "json=a", "--report", "junit=a"], ["--report", "json="],
    ["--rate", "0"], ["--max-requests", "0"], ["--read-only", "--writes"], ["--report", "pdf"], ["--max-time", "0s"],
  ])
  func wrongOptionsAreWrongUsage(_ options: [String]) async throws {
    #expect(try await ProgramRun(["contract", "check", "--mock"] + options).result().status == 64)
  }
}
