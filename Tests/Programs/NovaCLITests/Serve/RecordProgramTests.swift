import Foundation
import NovaCore
import NovaRecording
import NovaTestSupport
import Testing

/// `nova record`, and `nova serve` with what it has recorded.
@Suite(.hangLimit) struct RecordProgramTests {
  private let folder: TemporaryFolder
  private var cassette: String { "\(folder.path)/run.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  /// Starts a program, and returns it with the first address that it prints.
  private func start(_ arguments: String...) async throws -> (program: ProgramRun, url: String) {
    let program = try ProgramRun(arguments)
    let line = try await program.waitForOutput("\n")
    let url = line.split(whereSeparator: { " ,\n".contains($0) }).first { $0.hasPrefix("http://") }
    return (program, String(try #require(url, "\(line)")))
  }

  private func isMuted(_ mutee: String, _ url: String) async throws -> Int {
    let client = CurlTransport()
    let response = try await client.send(
      HTTPRequest(
        method: .post, url: try HTTPURL(parsing: "\(url)/api/v1/graph/is-muted"),
        headers: ["Content-Type": "application/json"], body: Array(#"{"muter_id":"a","mutee_id":"\#(mutee)"}"#.utf8)))
    await client.shutdown()
    return response.status
  }

  @Test func whatIsRecordedIsReplayed() async throws {
    let gateway = try await start("serve", "--port", "0")
    defer { gateway.program.signal(SIGTERM) }
    let recorder = try await start("record", "--target", gateway.url, "--out", cassette, "--port", "0")
    for mutee in ["b", "c"] { #expect(try await isMuted(mutee, recorder.url) == 200) }
    recorder.program.signal(SIGTERM)
    let recorded = try await recorder.program.result()
    #expect(recorded.status == 0 && recorded.errors.contains("Recorded 2 requests"), "\(recorded)")
    #expect(try Cassette(path: cassette).interactions.map(\.rpc) == ["graph.IsMuted", "graph.IsMuted"])

    let replay = try await start("serve", "--port", "0", "--replay", cassette, "--fail-on-unmatched")
    #expect(try await isMuted("b", replay.url) == 200)
    #expect(try await isMuted("d", replay.url) == 501)
    replay.program.signal(SIGTERM)
    let replayed = try await replay.program.result()
    #expect(replayed.status == 1, "\(replayed)")
    #expect(replayed.errors.contains("closest recorded request: #"), "\(replayed)")
    #expect(replayed.errors.contains("1 unmatched request"), "\(replayed)")
  }

  @Test func anArchiveIsWrittenAsWell() async throws {
    let har = "\(folder.path)/run.har"
    let gateway = try await start("serve", "--port", "0")
    defer { gateway.program.signal(SIGTERM) }
    let recorder = try await start("record", "--target", gateway.url, "--out", cassette, "--har", har, "--port", "0")
    for mutee in ["b", "c"] { #expect(try await isMuted(mutee, recorder.url) == 200) }
    recorder.program.signal(SIGTERM)
    let recorded = try await recorder.program.result()
    #expect(recorded.status == 0, "\(recorded)")
    #expect(try Cassette(path: har).interactions.map(\.rpc) == Cassette(path: cassette).interactions.map(\.rpc))
    #expect(try Cassette(path: har).interactions.count == 2)

    // Nothing is recorded that could not be written.
    let other = "\(folder.path)/other.jsonl"
    for (path, reason) in [(har, "the file exists"), ("\(folder.path)/none/run.har", "cannot write")] {
      let run = try await ProgramRun(
        ["record", "--target", gateway.url, "--out", other, "--har", path, "--port", "0"]
      ).result()
      #expect(run.status != 0 && run.errors.contains(reason), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: other))
    }
  }

  /// Browsers hide refusals from pages, so that the recorder reports them, too.
  @Test(arguments: [false, true]) func pagesUseItIfTheirOriginIsAllowed(_ isAllowed: Bool) async throws {
    let (page, option) = ("http://localhost:5173", ["--allow-origin", "http://localhost:*"])
    let gateway = try await start("serve", "--port", "0", option[0], option[1])
    defer { gateway.program.signal(SIGTERM) }
    let recorder = try ProgramRun(
      ["record", "--target", gateway.url, "--out", cassette, "--port", "0"] + (isAllowed ? option : []))
    let line = try await recorder.waitForOutput("\n")
    let url = try #require(line.split(whereSeparator: { " ,\n".contains($0) }).first { $0.hasPrefix("http://") })
    let client = CurlTransport()
    let response = try await client.send(
      HTTPRequest(
        method: .get, url: try HTTPURL(parsing: "\(url)/api/v1/announcements"), headers: ["Origin": page]))
    await client.shutdown()
    #expect(response.status == (isAllowed ? 200 : 403))
    #expect(response.headers["Access-Control-Allow-Origin"] == (isAllowed ? page : nil))
    recorder.signal(SIGTERM)
    let result = try await recorder.result()
    #expect(result.errors.contains("start it with --allow-origin \(page)") == !isAllowed, "\(result)")
    #expect(result.errors.contains("Recorded \(isAllowed ? 1 : 0) request"), "\(result)")
  }

  @Test func aKilledRecorderLeavesWhatWasComplete() async throws {
    let gateway = try await start("serve", "--port", "0")
    defer { gateway.program.signal(SIGTERM) }
    let recorder = try await start("record", "--target", gateway.url, "--out", cassette, "--port", "0")
    for number in 0..<10 { _ = try await isMuted("\(number)", recorder.url) }
    recorder.program.signal(SIGKILL)
    _ = try await recorder.program.result()
    #expect(try Cassette(path: cassette).interactions.count == 10)
  }

  @Test(arguments: [
    (["record"], "--target"), (["record", "--target", "localhost", "--out", "x"], "invalid --target"),
    (["record", "--target", "http://127.0.0.1:1/?a", "--out", "x"], "without a query"),
    (["record", "--target", "http://127.0.0.1:1", "--out", "x", "--allow-origin", "*"], "invalid --allow-origin"),
    (["serve", "--replay", "a", "--proxy", "http://127.0.0.1:1"], "cannot be combined"),
    (["serve", "--replay-fallback", "mock"], "without --replay"),
    (["serve", "--proxy", "http://127.0.0.1:1", "--fail-on-unmatched"], "no effect with --proxy"),
    (["serve", "--proxy", "http://127.0.0.1:1", "--grpc-port", "0"], "--grpc-port cannot be combined"),
  ])
  func invalidOptionsAreRefused(_ arguments: [String], _ part: String) async throws {
    let result = try await ProgramRun(arguments).result()
    #expect(result.status == 64 && result.errors.contains(part), "\(result)")
  }

  @Test func aFileThatExistsIsKept() async throws {
    let path = try folder.write("mine", to: "run.jsonl")
    let result = try await ProgramRun(["record", "--target", "http://127.0.0.1:1", "--out", path, "--port", "0"])
      .result()
    #expect(result.status == 1 && result.errors.contains("exists"), "\(result)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test(arguments: [true, false]) func aPortInUseCostsNoRecording(_ isThere: Bool) async throws {
    let gateway = try await start("serve", "--port", "0")
    defer { gateway.program.signal(SIGTERM) }
    if isThere { _ = try folder.write("mine", to: "run.jsonl") }
    let port = String(try #require(gateway.url.split(separator: ":").last))
    let result = try await ProgramRun(
      ["record", "--target", gateway.url, "--out", cassette, "--port", port, "--force"]
    ).result()
    #expect(result.status == 1 && result.errors.contains("the port is in use"), "\(result)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left == (isThere ? ["run.jsonl"] : []))
    if isThere { #expect(try String(contentsOfFile: cassette, encoding: .utf8) == "mine") }
  }

  @Test func theSuiteIsReplayedWithItsSeed() async throws {
    let gateway = try await start("serve", "--port", "0")
    defer { gateway.program.signal(SIGTERM) }
    let recorder = try await start("record", "--target", gateway.url, "--out", cassette, "--port", "0")
    let suite = ["contract", "suite", "--filter", "graph.follow", "--seed", "7", "--concurrency", "1", "--base-url"]
    let recorded = try await ProgramRun(suite + [recorder.url]).result()
    #expect(recorded.status == 0, "\(recorded)")
    recorder.program.signal(SIGTERM)
    _ = try await recorder.program.result()

    let replay = try await start("serve", "--port", "0", "--replay", cassette, "--fail-on-unmatched")
    let replayed = try await ProgramRun(suite + [replay.url]).result()
    #expect(replayed.status == 0, "\(replayed)")
    replay.program.signal(SIGTERM)
    #expect(try await replay.program.result().status == 0)
  }

  @Test func aFileThatIsNoRecordingIsReported() async throws {
    let path = try folder.write("mine", to: "other.jsonl")
    let result = try await ProgramRun(["serve", "--port", "0", "--replay", path]).result()
    #expect(result.status == 1 && result.errors.contains("cannot read"), "\(result)")
  }
}
