import NovaCore

/// The report of `nova bench` for people.
struct BenchPage {
  let report: BenchReport
  let comparison: BenchComparison?

  func write(to text: inout DescriptionText) {
    let plan = report.plan
    for line in "\(plan.rpc) at \(plan.target)".displayed.wrapped(to: text.width, after: "", indent: 2) {
      text.title(line)
    }
    text.section("REQUESTS")
    text.list(requests)
    if report.requests.due > 0 {
      text.section("LATENCY")
      text.list(latencies)
      text.paragraph(
        "Counted from the time when each request was due\(report.isMixed ? ", whatever became of it" : "").", indent: 2)
    }
    if !report.failures.isEmpty {
      text.section("ERRORS")
      text.list(report.failures.map { ($0.failure.kind, "\(CountText.full($0.count)): \($0.failure.message)") })
    }
    if let comparison { write(comparison, to: &text) }
  }

  private var requests: [(term: String, text: String)] {
    let (counts, plan) = (report.requests, report.plan)
    func count(_ number: Int) -> String { "\(CountText.full(number)) (\(LoadText.share(number, of: counts.due)))" }
    var rows = [
      ("due", "\(CountText.full(counts.due)) in \(report.duration.formatted), \(LoadText.rate(plan.schedule.rate))"),
      ("sent", "\(CountText.full(counts.sent)), \(LoadText.rate(report.achievedRate))"),
      ("succeeded", count(counts.succeeded)),
    ]
    if counts.failed > 0 { rows.append(("failed", count(counts.failed))) }
    if counts.unfinished > 0 { rows.append(("unfinished", count(counts.unfinished))) }
    if counts.unsent > 0 { rows.append(("not sent", count(counts.unsent))) }
    rows.append(("in flight", "at most \(plan.concurrency)"))
    if counts.warmUp > 0 { rows.append(("warm-up", "\(CountText.full(counts.warmUp)), not measured")) }
    return rows
  }

  private var latencies: [(term: String, text: String)] {
    let rows = report.latency.percentiles.map { ($0.name, $0.value) } + [("max", report.latency.maximum)]
    return rows.map { ($0, LoadText.latency($1)) } + [("mean", LoadText.latency(report.latency.mean))]
      + detail("only succeeded", report.isMixed ? report.succeeded : nil)
      + detail("since it was sent", report.isDelayed ? report.service : nil)
  }

  /// A line with the figures of a part of the latencies; none if there are none.
  private func detail(_ name: String, _ figures: LatencyFigures?) -> [(term: String, text: String)] {
    guard let figures, figures.maximum > .zero else { return [] }
    let parts = figures.percentiles.filter { [50, 99].contains($0.percentile) }.map {
      "\($0.name) \(LoadText.latency($0.value))"
    }
    return [(name, (parts + ["max \(LoadText.latency(figures.maximum))"]).joined(separator: ", "))]
  }

  private func write(_ comparison: BenchComparison, to text: inout DescriptionText) {
    text.section("COMPARED WITH THE EARLIER RUN")
    var rows = comparison.rows.map { row in
      let change = LoadText.change(from: row.earlier, to: row.now)
      return (row.name, "\(LoadText.latency(row.earlier)) before: \(change), \(row.verdict.words)")
    }
    let (earlier, now) = (comparison.earlier, comparison.now)
    if earlier.unsuccessful + now.unsuccessful > 0 {
      let share = LoadText.share(earlier.unsuccessful, of: earlier.due)
      rows.append(("failures", "\(share) before, \(comparison.failures.words)"))
    }
    text.list(rows)
  }
}

extension BenchReport {
  /// Whether requests that did not succeed are among the latencies.
  fileprivate var isMixed: Bool { requests.succeeded < requests.due }

  /// Whether requests were sent so late that it shows in the median or in the last percent.
  fileprivate var isDelayed: Bool {
    let pairs = [50.0, 99].compactMap { percentile in
      latency[percentile].flatMap { whole in service[percentile].map { (whole.value, $0.value) } }
    }
    return pairs.contains { $0 > $1 * 1.1 && $0 - $1 > .microseconds(100) }
  }
}
