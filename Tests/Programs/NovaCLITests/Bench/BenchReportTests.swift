import NovaCore
import Testing

@testable import NovaCLI

@Suite struct BenchReportTests {
  private static let plan = BenchPlan(
    rpc: "graph.GetFollowers", target: "http://127.0.0.1:8080",
    schedule: LoadSchedule(rate: 100, warmUp: .seconds(1), duration: .seconds(10)), concurrency: 10, requests: 1)

  /// A measurement of 1,000 requests.
  private static func measurement(
    seed: UInt64 = 1, failing: Int = 0, _ latency: (_ random: Double) -> Duration
  ) -> LoadMeasurement {
    var random = SeededGenerator(seed: seed)
    var measurement = LoadMeasurement()
    for index in 0..<1000 {
      let time = latency(Double.random(in: 0..<1, using: &random))
      let outcome: LoadOutcome =
        index < failing ? .failure(LoadFailure(kind: "HTTP 503", message: "not available")) : .success
      measurement.add(
        .init(slice: index / 100, outcome: outcome, latency: time, service: time, lag: .zero, wait: .zero))
    }
    measurement.duration = .seconds(10)
    return measurement
  }

  private static func report(_ measurement: LoadMeasurement) -> BenchReport {
    BenchReport(plan, measurement, started: 1_764_583_200, isInterrupted: false)
  }

  @Test func theReportSurvivesItsJSON() throws {
    let report = Self.report(Self.measurement(failing: 20) { .milliseconds(5) + .milliseconds(10) * $0 })
    let run = try EarlierRun(jsonUTF8: report.json().jsonUTF8, in: "before.json")
    #expect(run.plan == report.plan && run.requests == report.requests)
    #expect(run.latency.percentiles.map(\.name) == ["p50", "p90", "p95", "p99", "p99.9"])
    for (read, written) in zip(run.latency.percentiles, report.latency.percentiles) {
      #expect(abs(read.value / .microseconds(1) - written.value / .microseconds(1)) <= 0.51, "\(written.name)")
    }
    #expect(!BenchComparison(report, with: run).isWorse)
  }

  @Test(arguments: [
    "[]", "{}", #"{"rpc":"graph.GetFollowers"}"#, #"{"passed":true}"#,
  ]) func otherFilesAreRefused(_ text: String) {
    let failure = #expect(throws: Failure.self) { try EarlierRun(jsonUTF8: Array(text.utf8), in: "x.json") }
    #expect(failure?.message == "cannot compare with x.json: not a report of nova bench")
    let newer = #expect(throws: Failure.self) { try EarlierRun(jsonUTF8: Array(#"{"format":2}"#.utf8), in: "x.json") }
    #expect(
      newer?.message == "cannot compare with x.json: it has format 2, which a newer version of nova has written")
    #expect(failure?.status == .badData)
  }

  @Test func everyDamagedNumberIsRefused() throws {
    let json = Self.report(Self.measurement { .milliseconds(5) * $0 }).json()
    let requests: [JSONValue] = ["due", [:], ["due": -1, "sent": 0], .null]
    for wrong in requests {
      let damaged = JSONValue.object(
        (json.memberList ?? []).map { $0.name == "requests" ? .init(name: $0.name, value: wrong) : $0 })
      #expect(throws: Failure.self) { try EarlierRun(jsonUTF8: damaged.jsonUTF8, in: nil) }
    }
  }

  /// With few requests, a rare percentile would be the longest latency.
  @Test(arguments: [(1, []), (2, ["p50"]), (10, ["p50", "p90"]), (100, ["p50", "p90", "p95", "p99"])])
  func percentilesNeedEnoughRequests(_ count: Int, _ names: [String]) {
    var histogram = LatencyHistogram()
    for index in 0..<count { histogram.add(.milliseconds(index)) }
    #expect(LatencyFigures(histogram).percentiles.map(\.name) == names)
  }

  /// A percentile is in its interval, and in that of most other runs of the same distribution.
  @Test func intervalsContainThePercentilesOfOtherRuns() {
    let figures = (0..<40 as Range<UInt64>).map { seed in
      Self.report(Self.measurement(seed: seed) { .milliseconds(1) * (1 / (1.02 - $0)) }).latency
    }
    for percentile in [50.0, 90, 99] {
      let all = figures.compactMap { $0[percentile] }
      #expect(all.allSatisfy { $0.interval.contains($0.value) })
      let pairs = zip(all, all.dropFirst()).filter { $0.interval.overlaps($1.interval) }
      #expect(pairs.count >= 36, "p\(percentile): \(pairs.count) of 39 pairs overlap")
    }
  }

  @Test(arguments: [
    (1.0, BenchComparison.Verdict.withinNoise), (1.01, .withinNoise), (1.5, .slower), (0.5, .faster),
  ]) func differencesLargerThanNoiseAreFound(_ factor: Double, _ verdict: BenchComparison.Verdict) {
    let earlier = EarlierRun(Self.report(Self.measurement(seed: 1) { .milliseconds(10) + .milliseconds(2) * $0 }))
    let report = Self.report(Self.measurement(seed: 2) { (.milliseconds(10) + .milliseconds(2) * $0) * factor })
    let comparison = BenchComparison(report, with: earlier)
    #expect(comparison.rows.map(\.verdict) == Array(repeating: verdict, count: 5), "\(comparison.rows)")
    #expect(comparison.isWorse == (verdict == .slower))
    #expect(comparison.failures == .withinNoise && comparison.otherSettings.isEmpty)
  }

  @Test(arguments: [
    (0, 0, BenchComparison.Verdict.withinNoise), (0, 1, .withinNoise), (0, 30, .moreFailures), (30, 0, .fewerFailures),
    (100, 110, .withinNoise), (100, 200, .moreFailures),
  ]) func moreFailuresAreFound(_ before: Int, _ now: Int, _ verdict: BenchComparison.Verdict) {
    let earlier = EarlierRun(Self.report(Self.measurement(failing: before) { _ in .milliseconds(1) }))
    let report = Self.report(Self.measurement(failing: now) { _ in .milliseconds(1) })
    #expect(BenchComparison(report, with: earlier).failures == verdict)
  }

  @Test func otherSettingsAreNamed() {
    let schedule = LoadSchedule(rate: 50, warmUp: .zero, duration: .seconds(20))
    let other = BenchPlan(rpc: Self.plan.rpc, target: "x", schedule: schedule, concurrency: 20, requests: 3)
    #expect(
      Self.plan.differences(from: other) == [
        "--rate was 50 per second, and is 100 per second", "--duration was 20 s, and is 10 s",
        "--concurrency was 20, and is 10", "number of different requests was 3, and is 1",
      ])
  }

  /// The generator's delay is part of latencies, and must not be taken for the gateway's.
  @Test(arguments: [(0.0, false), (0.5, false), (1.5, true), (20, true)])
  func aLateGeneratorIsReported(_ milliseconds: Double, _ isReported: Bool) {
    var measurement = LoadMeasurement()
    for index in 0..<200 {
      let (service, lag) = (Duration.milliseconds(3), Duration.milliseconds(1) * milliseconds)
      measurement.add(
        .init(slice: index / 20, outcome: .success, latency: service + lag, service: service, lag: lag, wait: .zero))
    }
    let problem = Self.report(measurement).generatorProblem
    #expect((problem != nil) == isReported, "\(problem ?? "")")
  }

  /// All lines fit, and nothing is cut.
  @Test(arguments: [120, 80, 40]) func thePageFitsTheTerminal(_ width: Int) {
    let earlier = EarlierRun(Self.report(Self.measurement { .milliseconds(10) * $0 }))
    let report = Self.report(Self.measurement(failing: 30) { .milliseconds(20) * $0 })
    var text = DescriptionText(styles: Styles(isTerminal: false, noColor: nil, terminal: nil), width: width)
    BenchPage(report: report, comparison: BenchComparison(report, with: earlier)).write(to: &text)
    #expect(text.lines.allSatisfy { $0.columns <= width }, "\(text.lines)")
    let page = text.lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for part in [
      "graph.GetFollowers at http://127.0.0.1:8080", "due 1,000 in 10 s, 100 per second", "failed 30 (3 %)", "p99.9",
      "HTTP 503 30: not available", "slower", "failures 0 % before, more failures",
    ] { #expect(page.contains(part), "\(part) is not in\n\(text.lines.joined(separator: "\n"))") }
  }

  @Test(arguments: [
    (0.0, "0 µs"), (83.4, "83 µs"), (999.4, "999 µs"), (1234, "1.23 ms"), (9996, "10.0 ms"), (45_600, "45.6 ms"),
    (123_456, "123 ms"), (999_600, "1.00 s"), (12_345_678, "12.3 s"), (300_000_000, "300 s"),
  ]) func latenciesHaveThreeDigits(_ microseconds: Double, _ text: String) {
    #expect(LoadText.latency(.microseconds(1) * microseconds) == text)
  }

  @Test(arguments: [
    (100, 112, "+12 %"), (100, 50, "-50 %"), (100, 100, "0 %"), (1000, 1034, "+3.4 %"), (0, 5, "from 0"),
  ])
  func changesAreShares(_ earlier: Int, _ now: Int, _ text: String) {
    #expect(LoadText.change(from: .microseconds(earlier), to: .microseconds(now)) == text)
  }

  @Test(arguments: [
    (0, 10, "0 %"), (10, 10, "100 %"), (1, 3, "33.33 %"), (1, 1_000_000, "less than 0.01 %"),
    (999_999, 1_000_000, "more than 99.99 %"), (0, 0, "0 %"),
  ]) func sharesAreNeverRoundedToAllOrNothing(_ part: Int, _ whole: Int, _ text: String) {
    #expect(LoadText.share(part, of: whole) == text)
  }
}
