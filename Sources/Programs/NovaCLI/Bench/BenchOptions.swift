import ArgumentParser
import NovaCore

/// The load of `nova bench`. Everything is bounded by default.
struct BenchOptions: ParsableArguments {
  @Option(help: .value("count", "Requests per second. Default: 50."))
  var rate = 50.0

  @Option(help: .value("time", "How long requests are sent and measured, such as 30s or 2m. Default: 10s."))
  var duration: Seconds?

  @Option(
    help: .value("time", "How long requests are sent before that, which are not measured. Default: 1s; 0s for none."))
  var warmUp: Seconds?

  @Option(help: .value("count", "Maximum number of requests in flight. Further ones wait, which is measured."))
  var concurrency = 50

  @Option(help: .value("count", "Maximum number of requests in all."))
  var maxRequests = 10_000

  @Option(
    help: .value("file", "Compare with the JSON report of an earlier run, which --out has written."),
    completion: .file(extensions: ["json"]))
  var compare: String?

  @Flag(help: "With --compare, exit with 1 if something is worse by more than chance.")
  var failIfWorse = false

  @Option(help: .value("file", "Also write the report as JSON to a file."), completion: .file(extensions: ["json"]))
  var out: String?

  var schedule: LoadSchedule {
    LoadSchedule(
      rate: rate, warmUp: warmUp?.duration ?? .seconds(1), duration: duration?.duration ?? .seconds(10))
  }

  private static let longestDuration = Duration.seconds(3600)
  private static let mostRequests = 10_000_000

  func validate() throws {
    guard rate >= 0.1, rate <= 100_000 else {
      throw ValidationError("invalid --rate: must be 0.1 to 100000 per second, got \(rate)")
    }
    guard schedule.duration >= .milliseconds(100), schedule.duration <= Self.longestDuration else {
      throw ValidationError("invalid --duration: must be 100ms to 1h")
    }
    guard schedule.warmUp <= Self.longestDuration else {
      throw ValidationError("invalid --warm-up: must be at most 1h")
    }
    guard (1...1000).contains(concurrency) else {
      throw ValidationError("invalid --concurrency: must be 1 to 1000, got \(concurrency)")
    }
    guard (1...Self.mostRequests).contains(maxRequests) else {
      throw ValidationError("invalid --max-requests: must be 1 to \(Self.mostRequests), got \(maxRequests)")
    }
    guard schedule.total <= maxRequests else {
      throw ValidationError(
        """
        too many requests: \(schedule.total) would be sent, and the maximum is \(maxRequests); lower --rate or --duration, or \
        allow them with --max-requests \(schedule.total)
        """)
    }
    if failIfWorse, compare == nil { throw ValidationError("--fail-if-worse requires --compare <file>") }
    if out == "" { throw ValidationError("invalid --out: expected the path of a file") }
  }

  /// The report to compare with; nil for none.
  func earlierRun(of rpc: String) throws -> EarlierRun? {
    guard let compare else { return nil }
    let input = try Input.read(compare)
    let run = try EarlierRun(jsonUTF8: input.bytes, in: input.name)
    guard run.plan.rpc == rpc else {
      throw Failure(
        "cannot compare with \(input.name ?? "standard input"): it measured \(run.plan.rpc.quoted)", .badData)
    }
    return run
  }
}

/// The formats of the report of a load.
enum BenchFormat: String, OutputFormats {
  case table, json, ndjson

  static let help: ArgumentHelp = "The format of the report. Default: table."
}
