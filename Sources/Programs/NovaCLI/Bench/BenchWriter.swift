import NovaCore

/// Writes the report of a load.
struct BenchWriter {
  private let output: StandardOutput
  private let format: OutputFormat
  private let path: String?

  /// Prepares the output, before anything is sent.
  ///
  /// - Throws: ``Failure`` for a filter that cannot be used.
  init(_ command: Bench, _ plan: BenchPlan, comparingWith earlier: EarlierRun?) throws {
    let example = BenchReport(plan, LoadMeasurement(), started: 0, isInterrupted: false)
    try command.filter.template?.check(example.json(earlier.map { BenchComparison(example, with: $0) }))
    output = try command.filter.standardOutput()
    (format, path) = (command.format, command.load.out)
    if let path { try Failure.writing(path) { try System.checkWritable(path) } }
  }

  func write(_ report: BenchReport, _ comparison: BenchComparison?) throws {
    let json = report.json(comparison)
    // What was measured is printed, even if the disk is full.
    let saved = Result {
      guard let path else { return }
      try Failure.writing(path) { try System.replaceFile(path, with: PrettyJSON.spread(json) + [UInt8(ascii: "\n")]) }
    }
    if format == .table {
      try output.write { text in BenchPage(report: report, comparison: comparison).write(to: &text) }
    } else {
      try output.writeLine(json, as: format)
    }
    try output.finish()
    warn(about: report, comparison)
    try saved.get()
  }

  private func warn(about report: BenchReport, _ comparison: BenchComparison?) {
    if let problem = report.generatorProblem {
      Diagnostics.warning("\(problem); lower --rate, or measure from a machine that has less to do")
    }
    if report.wait.maximum > .zero {
      Diagnostics.warning(
        """
        \(report.plan.concurrency) requests were in flight, so that others waited for up to \
        \(LoadText.latency(report.wait.maximum)), which is part of their latency; allow more with --concurrency, or lower \
        --rate
        """)
    }
    if let settings = comparison?.otherSettings, !settings.isEmpty {
      Diagnostics.warning("the runs are not alike: \(settings.joined(separator: "; "))")
    }
    if comparison != nil, report.latency[99] == nil {
      Diagnostics.note("too few requests to compare p99: at least 100 are required")
    }
  }
}
