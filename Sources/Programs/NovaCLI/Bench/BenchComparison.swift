import NovaCore

/// How a run differs from an earlier one, and whether that is more than chance.
struct BenchComparison: Sendable {
  enum Verdict: String, Sendable {
    case faster, slower
    case fewerFailures = "fewer_failures"
    case moreFailures = "more_failures"
    /// The difference can be chance.
    case withinNoise = "within_noise"

    /// `slower`, `within noise`
    var words: String { rawValue.split(separator: "_").joined(separator: " ") }
    var isWorse: Bool { self == .slower || self == .moreFailures }
  }

  struct Row: Sendable {
    let name: String
    let earlier, now: Duration
    let verdict: Verdict
  }

  /// The percentiles that both runs have.
  let rows: [Row]
  let earlier, now: BenchReport.Requests
  /// Whether more or fewer requests failed.
  let failures: Verdict
  /// What differs in how the runs were made. If there is anything, the results may differ for this reason.
  let otherSettings: [String]

  init(_ report: BenchReport, with earlier: EarlierRun) {
    rows = report.latency.percentiles.compactMap { percentile in
      earlier.latency[percentile.percentile].map { Self.row(percentile, since: $0) }
    }
    (self.earlier, now) = (earlier.requests, report.requests)
    failures = Self.failures(earlier.requests, report.requests)
    otherSettings = report.plan.differences(from: earlier.plan)
  }

  /// Whether anything is worse than in the earlier run, by more than chance.
  var isWorse: Bool { failures.isWorse || rows.contains { $0.verdict.isWorse } }

  /// Smaller differences do not matter, even if they are not chance.
  private static let smallestChange = 0.02

  private static func row(_ now: LatencyFigures.Percentile, since earlier: LatencyFigures.Percentile) -> Row {
    let change = abs(now.value / .nanoseconds(1) - earlier.value / .nanoseconds(1))
    let isChance = now.interval.overlaps(earlier.interval) || change < earlier.value / .nanoseconds(1) * smallestChange
    let verdict: Verdict = isChance ? .withinNoise : now.value > earlier.value ? .slower : .faster
    return Row(name: now.name, earlier: earlier.value, now: now.value, verdict: verdict)
  }

  private static func failures(_ earlier: BenchReport.Requests, _ now: BenchReport.Requests) -> Verdict {
    let before = ShareInterval(earlier.unsuccessful, of: earlier.due)
    let after = ShareInterval(now.unsuccessful, of: now.due)
    if after.range.lowerBound > before.range.upperBound { return .moreFailures }
    return after.range.upperBound < before.range.lowerBound ? .fewerFailures : .withinNoise
  }

  var json: JSONValue {
    [
      "worse": .bool(isWorse), "failures": .string(failures.rawValue), "other_settings": .strings(otherSettings),
      "percentiles": .array(
        rows.map { row in
          [
            "percentile": .number(String(row.name.dropFirst())), "earlier": row.earlier.jsonMilliseconds,
            "now": row.now.jsonMilliseconds, "verdict": .string(row.verdict.rawValue),
          ]
        }),
    ]
  }
}

/// Where the true share of something is, in 95 of 100 samples like this one: Wilson's interval.
struct ShareInterval {
  let range: ClosedRange<Double>

  init(_ part: Int, of whole: Int) {
    guard whole > 0 else {
      range = 0...1
      return
    }
    let (z, count) = (1.96, Double(whole))
    let share = Double(part) / count
    let middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    let half = z / (1 + z * z / count) * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
    range = max(0, middle - half)...min(1, middle + half)
  }
}
