import NovaCore

/// The result of `nova bench`, in figures. Reports of earlier runs are read for comparisons.
struct BenchReport: Sendable {
  /// How many requests there were, and what became of them.
  struct Requests: Sendable, Equatable {
    var due = 0
    var sent = 0
    var succeeded = 0
    var failed = 0
    var unfinished = 0
    var unsent = 0
    var warmUp = 0
  }

  let plan: BenchPlan
  /// When the run began, in Unix seconds.
  let started: Int64
  /// Whether the run was stopped before its end.
  let isInterrupted: Bool
  /// How long measured requests were sent.
  let duration: Duration
  let requests: Requests
  /// From the time when each request was due; of all requests, whatever became of them.
  let latency: LatencyFigures
  /// The same of the requests that succeeded.
  let succeeded: LatencyFigures
  /// From the time when each request was sent.
  let service: LatencyFigures
  /// How late the generator was.
  let lag: LatencyFigures
  /// How long requests waited because as many as allowed were in flight.
  let wait: LatencyFigures
  let failures: [(failure: LoadFailure, count: Int)]
  /// Why the latencies are not those of the gateway alone; nil if they are.
  let generatorProblem: String?

  init(_ plan: BenchPlan, _ measurement: LoadMeasurement, started: Int64, isInterrupted: Bool) {
    (self.plan, self.started, self.isInterrupted) = (plan, started, isInterrupted)
    duration = measurement.duration
    requests = Requests(
      due: measurement.due, sent: measurement.sent, succeeded: measurement.succeeded, failed: measurement.failed,
      unfinished: measurement.unfinished, unsent: measurement.unsent, warmUp: measurement.warmUp)
    latency = LatencyFigures(measurement.latencies, slices: measurement.slices)
    succeeded = LatencyFigures(measurement.successes)
    service = LatencyFigures(measurement.services)
    lag = LatencyFigures(measurement.lags)
    wait = LatencyFigures(measurement.waits)
    failures = measurement.failures
    generatorProblem = Self.problem(of: measurement)
  }

  /// The number of requests per second that were sent.
  var achievedRate: Double { duration > .zero ? Double(requests.sent) / (duration / .seconds(1)) : 0 }

  /// The part of latencies that may be the generator's.
  private static let tolerableLag = 0.1

  private static func problem(of measurement: LoadMeasurement) -> String? {
    if measurement.isGeneratorTooSlow {
      return "the generator could not keep up: \(CountText.full(measurement.unsent)) requests were not sent"
    }
    let (lag, latency) = (measurement.lags.value(at: 0.99), measurement.latencies.value(at: 0.99))
    guard lag > max(.milliseconds(1), latency * tolerableLag) else { return nil }
    return """
      the generator could not keep up: 1 % of the requests were sent at least \(LoadText.latency(lag)) late, which is part \
      of their latency
      """
  }
}

extension BenchReport {
  /// The version of the format of JSON reports.
  fileprivate static let format = 1

  /// - Parameter comparison: the comparison with an earlier run, if there is one.
  func json(_ comparison: BenchComparison? = nil) -> JSONValue {
    let errors = failures.map { failure, count -> JSONValue in
      ["kind": .string(failure.kind), "count": .number(count), "message": .string(failure.message)]
    }
    let results: [(String, JSONValue?)] = [
      ("started", .number(String(started))), ("interrupted", .bool(isInterrupted)),
      ("measured_seconds", .decimal(duration / .seconds(1))), ("achieved_rate", .decimal(achievedRate)),
      ("requests", requests.json), ("errors", .array(errors)), ("latency_ms", latency.json),
      ("succeeded_latency_ms", succeeded.json), ("service_ms", service.json),
      ("generator", ["kept_up": .bool(generatorProblem == nil), "lag_ms": lag.json]),
      ("concurrency_wait_ms", wait.json), ("comparison", comparison?.json),
    ]
    let head: [JSONValue.Member] = [
      .init(name: "format", value: .number(Self.format)),
      .init(name: "nova_version", value: .string(NovaSDKVersion.current)),
    ]
    return .object(
      head + plan.json + results.compactMap { name, value in value.map { .init(name: name, value: $0) } })
  }
}

extension BenchReport.Requests {
  var json: JSONValue {
    [
      "due": .number(due), "sent": .number(sent), "succeeded": .number(succeeded), "failed": .number(failed),
      "unfinished": .number(unfinished), "unsent": .number(unsent), "warm_up": .number(warmUp),
    ]
  }
}

/// What is read of the report of an earlier run.
struct EarlierRun: Sendable {
  let plan: BenchPlan
  let requests: BenchReport.Requests
  let latency: LatencyFigures

  init(_ report: BenchReport) { (plan, requests, latency) = (report.plan, report.requests, report.latency) }

  /// - Parameter name: the name of the file in messages; nil for standard input.
  /// - Throws: ``Failure`` if this is not a report of `nova bench`.
  init(jsonUTF8 bytes: [UInt8], in name: String?) throws {
    let json: JSONValue
    do throws(ProtoJSONError) { json = try JSONValue(jsonUTF8: bytes) } catch { throw Failure(error, in: name) }
    if let format = json["format"]?.integerValue, format > BenchReport.format {
      throw Failure(
        "cannot compare with \(name ?? "standard input"): it has format \(format), which a newer version of nova has written",
        hint: "Update nova, or write the report again with this one.", .badData)
    }
    guard let plan = BenchPlan(json: json), let latency = LatencyFigures(json: json["latency_ms"]),
      let requests = BenchReport.Requests(json: json["requests"])
    else {
      throw Failure(
        "cannot compare with \(name ?? "standard input"): not a report of nova bench",
        hint: "Write one with `nova bench <rpc> --out <file>`.", .badData)
    }
    (self.plan, self.requests, self.latency) = (plan, requests, latency)
  }
}

extension BenchReport.Requests {
  fileprivate init?(json: JSONValue?) {
    let names = ["due", "sent", "succeeded", "failed", "unfinished", "unsent", "warm_up"]
    let counts = names.compactMap { json?[$0]?.integerValue }
    guard counts.count == names.count, counts.allSatisfy({ $0 >= 0 }) else { return nil }
    (due, sent, succeeded, failed) = (counts[0], counts[1], counts[2], counts[3])
    (unfinished, unsent, warmUp) = (counts[4], counts[5], counts[6])
    guard failed + unfinished + unsent <= due else { return nil }
  }

  /// The number of requests without a successful response, whatever the reason.
  var unsuccessful: Int { failed + unfinished + unsent }
}
