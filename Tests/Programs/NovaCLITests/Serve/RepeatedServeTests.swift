import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// `nova serve --now` and `--freeze`: runs that repeat each other.
@Suite struct RepeatedServeTests {
  private static let start = "2025-01-01T00:00:00Z"

  @Test func twoRunsGiveTheSameBytes() async throws {
    var runs: [[(step: String, bytes: String)]] = []
    for _ in 1...2 {
      try await withServe(
        "--seed", "7", "--now", Self.start, "--freeze", "--require-tokens", "--meanings", "created",
        "--fault", "social.GetLikeCount=throttle 2/s", "--fault", "user=503@0.3"
      ) { url, _ in
        var walk = try RepeatedWalk(url: url)
        runs.append(try await walk.responses(to: RepeatedWalk.Step.all))
      }
    }
    #expect(runs[0].count == RepeatedWalk.Step.all.count && runs[0].count == runs[1].count)
    for (first, second) in zip(runs[0], runs[1]) {
      #expect(first.bytes == second.bytes, "\(first.step)")
      #expect(first.bytes.hasPrefix("HTTP/1.1 "), "\(first.step): \(first.bytes)")
    }
    // Rate limits are frozen, too.
    let limited = runs[0].filter { $0.step.hasSuffix("likes/count") }.map { $0.bytes.contains(" 429 ") }
    #expect(limited == [false, false, true])
    let stream = try #require(runs[0].first { $0.step.contains("events/stream") })
    #expect(stream.bytes.contains("data:"), "\(stream.bytes)")
  }

  /// The walk without a frozen clock differs, so that the test above proves something.
  @Test func withoutThemRunsDiffer() async throws {
    var runs: [[String]] = []
    for _ in 1...2 {
      try await withServe("--seed", "7") { url, _ in
        var walk = try RepeatedWalk(url: url)
        runs.append(try await walk.responses(to: Array(RepeatedWalk.Step.all.prefix(7))).map(\.bytes))
      }
    }
    // The epoch of events is another one in each process.
    #expect(runs[0] != runs[1])
  }

  @Test func theClockIsAnnouncedAndStandsStill() async throws {
    try await withServe("--now", Self.start, "--freeze") { url, run in
      #expect(run.output == "nova serve: listening on \(url) (seed 1, clock frozen at \(Self.start))\n")
      for _ in 1...2 {
        let clock = try await clock(url)
        #expect(clock["time"] == .string(Self.start) && clock["frozen"] == .bool(true))
      }
    }
    try await withServe("--now", "1735689600") { url, _ in
      let clock = try await clock(url)
      #expect(try #require(clock["now"]?.integerValue) >= 1_735_689_600 && clock["frozen"] == .bool(false))
    }
  }

  @Test func aStateFileKeepsTheClockUnlessAnOptionSetsIt() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "clock-\(UUID().uuidString)").path
    defer { for path in [path, "\(path).media"] { try? FileManager.default.removeItem(atPath: path) } }
    let serve = try await Serve(["--state", path])
    var walk = try RepeatedWalk(url: serve.url)
    let set = RepeatedWalk.Step(path: "/_nova/clock", body: #"{"now":"\#(Self.start)","frozen":true}"#)
    let answer = try await walk.responses(to: [set])[0].bytes
    #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    serve.run.signal(SIGTERM)
    _ = try await serve.run.result()

    let second = try await serve.startAgain("--state", path)
    #expect(try await clock(serve.url)["time"] == .string(Self.start))
    second.signal(SIGTERM)
    _ = try await second.result()

    let third = try await serve.startAgain("--state", path, "--now", "2030-01-01T00:00:00Z")
    let clock = try await clock(serve.url)
    #expect(clock["time"]?.stringValue?.hasPrefix("2030-01-01T00:") == true && clock["frozen"] == .bool(false))
    third.signal(SIGTERM)
    _ = try await third.result()
  }

  private func clock(_ url: String) async throws -> JSONValue {
    var walk = try RepeatedWalk(url: url)
    let answer = try await walk.responses(to: [.init(method: "GET", path: "/_nova/clock")])[0].bytes
    let body = try #require(answer.firstRange(of: "\r\n\r\n").map { answer[$0.upperBound...] }, "\(answer)")
    return try JSONValue(jsonUTF8: Array(body.utf8))
  }

  @Test(arguments: ["tomorrow", "2025-13-01", "1969-12-31T23:59:59Z", "3000-01-01", "2025-01-01T00:00:00.5Z", "-1"])
  func invalidTimesAreRefused(_ time: String) async throws {
    let run = try await nova("serve", "--port", "0", "--now=\(time)")
    #expect(run.status == 64 && run.errors.contains("invalid --now"), "\(run)")
  }
}
