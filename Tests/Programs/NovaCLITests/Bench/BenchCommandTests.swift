import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

@Suite(.hangLimit) struct BenchCommandTests {
  private static let request = #"{"user_id":"mock-user-id","limit":3}"#
  private static let like = #"{"user_id":"mock-user-id","post_id":"post-1"}"#
  /// A short load.
  private static let short = ["--rate", "100", "--duration", "500ms", "--warm-up", "100ms"]

  private func bench(
    _ url: String, _ arguments: String..., rpc: String = "graph.GetFollowers", json: String = request
  ) async throws -> RunResult {
    try await ProgramRun(["bench", rpc, json, "--base-url", url] + Self.short + arguments).result()
  }

  private func report(_ run: RunResult) throws -> JSONValue { try JSONValue(jsonUTF8: Array(run.output.utf8)) }

  @Test func aServerIsMeasured() async throws {
    try await withServe { url, _ in
      let run = try await bench(url, "-o", "json")
      #expect(run.status == 0, "\(run)")
      let json = try report(run)
      #expect(json["rpc"] == "graph.GetFollowers" && json["target"] == .string(url) && json["format"] == 1)
      #expect(json["requests"]?["due"] == 50 && json["requests"]?["warm_up"] == 10, "\(run.output)")
      #expect(json["requests"]?["succeeded"] == 50 && json["errors"] == [], "\(run.output)")
      #expect(json["interrupted"] == false)
      let percentiles = json["latency_ms"]?["percentiles"]?.elements ?? []
      #expect(percentiles.compactMap { $0["percentile"]?.integerValue } == [50, 90, 95], "\(run.output)")
    }
  }

  @Test func aReportIsForPeople() async throws {
    let run = try await nova(
      "bench", "GRAPH.getfollowers", Self.request, "--mock", "--rate", "40", "--duration", "500ms", "--warm-up", "0s")
    #expect(run.status == 0, "\(run)")
    #expect(run.lines.first == "graph.GetFollowers at the mock backend")
    for part in ["  due        20 in 500 ms, 40 per second\n", "\nLATENCY\n", "  succeeded  20 (100 %)\n", "  p50 "] {
      #expect(run.output.contains(part), "\(part) is not in \(run.output)")
    }
    #expect(!run.output.contains("warm-up") && !run.output.contains("ERRORS"))
  }

  @Test func failuresAreCountedByKind() async throws {
    try await withServe("--fault", "graph.GetFollowers=503x20") { url, _ in
      let run = try await bench(url, "-o", "json", "--warm-up", "0s")
      #expect(run.status == 0, "\(run)")
      let json = try report(run)
      #expect(json["requests"]?["failed"] == 20 && json["requests"]?["succeeded"] == 30, "\(run.output)")
      let errors = json["errors"]?.elements ?? []
      #expect(errors.map { $0["kind"] } == ["HTTP 503"] && errors.first?["count"] == 20, "\(run.output)")
    }
  }

  @Test func nothingListens() async throws {
    let place = try ClosedPort()
    let run = try await bench(place.url, "-o", "json")
    #expect(run.status == 1 && run.errors.contains("nova: no request succeeded: "), "\(run)")
    let json = try report(run)
    #expect(json["errors"]?.elements?.first?["kind"] == "connectionRefused", "\(run.output)")
    #expect(json["requests"]?["failed"] == 50)
    withExtendedLifetime(place) {}
  }

  /// A timeout counts as an error, and its time as latency.
  @Test func aSilentServerTimesOut() async throws {
    try await withRawServer({ while try $0.readRequest() != nil {} }) { server in
      let run = try await ProgramRun(
        ["bench", "graph.GetFollowers", Self.request, "--base-url", server.url(""), "--timeout", "200ms", "-o", "json"]
          + ["--rate", "20", "--duration", "200ms", "--warm-up", "0s"]
      ).result()
      #expect(run.status == 1, "\(run)")
      let json = try report(run)
      let kinds = json["errors"]?.elements?.compactMap { $0["kind"]?.stringValue } ?? []
      #expect(kinds.count == 1 && kinds[0].lowercased().hasSuffix("timeout"), "\(run.output)")
      #expect((json["latency_ms"]?["min"]?.doubleValue ?? 0) >= 199, "\(run.output)")
    }
  }

  @Test func runsAreCompared() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/before.json"
    try await withServe { url, _ in
      #expect(try await bench(url, "--out", path).status == 0)
      let same = try await bench(url, "--compare", path, "-o", "json")
      #expect(same.status == 0, "\(same)")
      #expect(try report(same)["comparison"]?["percentiles"]?.elements?.count == 3, "\(same)")
      let other = try await bench(url, "--compare", path, rpc: "graph.GetFollowing")
      #expect(other.status == 65 && other.errors.contains("it measured \"graph.GetFollowers\""), "\(other)")
    }
    try await withServe("--latency", "300ms") { url, _ in
      let slower = try await bench(url, "--compare", path, "--fail-if-worse")
      #expect(slower.status == 1 && slower.output.contains("slower"), "\(slower)")
      #expect(slower.errors.contains("nova: worse than the earlier run"), "\(slower)")
      #expect(try await bench(url, "--compare", path).status == 0)
    }
  }

  @Test func severalRequestsAreSentInTurn() async throws {
    let folder = try TemporaryFolder()
    let lines = (1...3).map { #"{"user_id":"user-000\#($0)"}"# }
    let file = try folder.write(lines.joined(separator: "\n") + "\n\n", to: "requests.ndjson")
    try await withServe { url, _ in
      let run = try await bench(url, "-o", "json", json: "@\(file)")
      #expect(try run.status == 0 && report(run)["different_requests"] == 3, "\(run)")
    }
    let wrong = try folder.write("\(lines[0])\n{\"user_id\":\"x\",\"limt\":1}\n", to: "wrong.ndjson")
    let run = try await nova("bench", "graph.GetFollowers", "@\(wrong)", "--mock")
    #expect(run.status == 65 && run.errors.contains("wrong.ndjson:2:16: limt: unknown field; did you mean"), "\(run)")
  }

  /// As in `nova call`; they are added to each line.
  @Test func fieldsAreAdded() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("{\"limit\":1}\n{\"limit\":2}\n", to: "requests.ndjson")
    for (arguments, count) in [(["user_id=mock-user-id", "limit=3"], 1), (["@\(file)", "user_id=mock-user-id"], 2)] {
      try await withServe { url, _ in
        let command = ["bench", "graph.GetFollowers"] + arguments + ["--base-url", url, "-o", "json"] + Self.short
        let run = try await ProgramRun(command).result()
        #expect(try run.status == 0 && report(run)["different_requests"] == .number(count), "\(run)")
      }
    }
    let run = try await nova("bench", "graph.GetFollowers", "user_idd=x", "--mock")
    #expect(run.status != 0 && run.errors.contains("user_id"), "\(run)")
  }

  @Test func ctrlCPrintsWhatWasMeasured() async throws {
    let page = Array(#"{"user_ids":[],"total_count":0,"has_more":false}"#.utf8)
    try await withRawServer({ try $0.respondToAll(headers: ["Content-Type: application/json"], body: page) }) {
      server in
      let run = try ProgramRun(
        ["bench", "graph.GetFollowers", Self.request, "--base-url", server.url(""), "-o", "json"]
          + ["--rate", "20", "--duration", "5m", "--warm-up", "0s"])
      try await waitUntil { server.requests.count >= 5 }
      run.signal(2)
      let result = try await run.result()
      #expect(result.status == 130, "\(result)")
      let json = try report(result)
      let sent = json["requests"]?["sent"]?.integerValue ?? 0
      #expect(json["interrupted"] == true && (5..<6000).contains(sent), "\(result)")
    }
  }

  /// Nothing leaves this machine without consent, and nothing is changed.
  @Test(arguments: [
    (["graph.GetFollowers", request, "--base-url", "https://gateway.example"], "to https://gateway.example"),
    (["graph.GetFollowers", request, "--environment", "staging"], "to https://staging-api.nova.social"),
    (
      ["social.CreateLike", like, "--base-url", "http://127.0.0.1:9"],
      "each of which changes data, to http://127.0.0.1:9"
    ),
    (
      ["graph.GetFollowers", request, "--environment", "staging", "--base-url", "http://127.0.0.1:9"],
      "to http://127.0.0.1:9 (environment staging)"
    ),
  ]) func loadsThatCanDoHarmNeedConsent(_ arguments: [String], _ place: String) async throws {
    let run = try await ProgramRun(["bench"] + arguments).result()
    #expect(run.status == 64 && run.errors.contains("nova: cannot ask whether to send 550 requests of "), "\(run)")
    #expect(run.errors.contains(place) && run.errors.contains("Add --yes"), "\(run)")
  }

  @Test func consentAllowsWrites() async throws {
    try await withServe { url, _ in
      let run = try await bench(url, "--yes", "-o", "json", rpc: "social.CreateLike", json: Self.like)
      #expect(try run.status == 0 && report(run)["requests"]?["sent"] == 50, "\(run)")
    }
  }

  @Test(arguments: [
    (["--rate", "0"], "invalid --rate: must be 0.1 to 100000 per second, got 0.0"),
    (["--rate", "nan"], "invalid --rate"),
    (["--rate", "1000", "--duration", "1m"], "too many requests: 61000 would be sent, and the maximum is 10000"),
    (["--duration", "2h"], "invalid --duration: must be 100ms to 1h"), (["--duration", "1ms"], "invalid --duration"),
    (["--warm-up", "2h"], "invalid --warm-up"), (["--concurrency", "0"], "invalid --concurrency: must be 1 to 1000"),
    (["--concurrency", "100000"], "invalid --concurrency"), (["--max-requests", "0"], "invalid --max-requests"),
    (["--fail-if-worse"], "--fail-if-worse requires --compare <file>"), (["--out", ""], "invalid --out"),
    (["--verbose"], "--verbose and --explain cannot be used here"), (["-o", "ids"], "invalid value"),
  ]) func limitsAreChecked(_ arguments: [String], _ message: String) async throws {
    let run = try await ProgramRun(["bench", "graph.GetFollowers", "--mock"] + arguments).result()
    #expect(run.status == 64 && run.errors.contains(message), "\(run)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    (["event.StreamEvents"], Int32(64), "cannot measure event.StreamEvents: it streams"),
    (["graph.GetFolowers"], 64, "Did you mean graph.GetFollowers?"),
    (["grpc://localhost:1/a.B/C"], 64, "only RPCs of the contract can be measured"),
    (["graph.GetFollowers", "{"], 65, "nova: request:1:2: "),
    (["graph.GetFollowers"], 65, "nova: invalid argument: user_id must not be empty (graph.GetFollowers)"),
    (["graph.GetFollowers", request, "--compare", "/does/not/exist"], 65, "cannot read /does/not/exist"),
    (["graph.GetFollowers", request, "--template", "{{nothing}}"], 64, "nothing"),
  ]) func whatCannotBeMeasuredIsRefused(_ arguments: [String], status: Int32, message: String) async throws {
    let run = try await ProgramRun(["bench"] + arguments + ["--mock"]).result()
    #expect(run.status == status && run.errors.contains(message), "\(run)")
  }

  /// Before the load, which can take an hour.
  @Test func aReportThatCannotBeWrittenIsAFailure() async throws {
    let run = try await ProgramRun(
      ["bench", "graph.GetFollowers", Self.request, "--mock", "--out", "/does/not/exist.json"] + Self.short
    ).result()
    #expect(run.status == 1 && run.errors.contains("cannot write /does/not/exist.json"), "\(run)")
    #expect(run.output.isEmpty, "\(run)")
    // What was measured is printed, even if the file cannot be written.
    let full = try await ProgramRun(
      ["bench", "graph.GetFollowers", Self.request, "--mock", "--out", "/dev/full"] + Self.short
    ).result()
    #expect(full.status == 1 && full.errors.contains("cannot write /dev/full"), "\(full)")
    #expect(full.output.contains("LATENCY"), "\(full)")
  }
}
