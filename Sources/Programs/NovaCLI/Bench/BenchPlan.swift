import NovaCore

/// What a run of `nova bench` does.
struct BenchPlan: Sendable, Equatable {
  /// `graph.GetFollowers`
  let rpc: String
  /// The gateway: `http://127.0.0.1:8080`.
  let target: String
  let schedule: LoadSchedule
  /// The maximum number of requests in flight.
  let concurrency: Int
  /// The number of different requests, which are sent in turn.
  let requests: Int

  var json: [JSONValue.Member] {
    [
      .init(name: "rpc", value: .string(rpc)), .init(name: "target", value: .string(target)),
      .init(name: "rate", value: .decimal(schedule.rate)),
      .init(name: "duration_seconds", value: .decimal(schedule.duration / .seconds(1))),
      .init(name: "warm_up_seconds", value: .decimal(schedule.warmUp / .seconds(1))),
      .init(name: "concurrency", value: .number(concurrency)),
      .init(name: "different_requests", value: .number(requests)),
    ]
  }

  /// Nil if the JSON is not that of a run.
  init?(json: JSONValue) {
    guard let rpc = json["rpc"]?.stringValue, let target = json["target"]?.stringValue,
      let rate = json["rate"]?.doubleValue, rate > 0, let duration = json["duration_seconds"]?.doubleValue,
      let warmUp = json["warm_up_seconds"]?.doubleValue, let concurrency = json["concurrency"]?.integerValue,
      let requests = json["different_requests"]?.integerValue
    else { return nil }
    self.init(
      rpc: rpc, target: target,
      schedule: LoadSchedule(rate: rate, warmUp: .seconds(1) * warmUp, duration: .seconds(1) * duration),
      concurrency: concurrency, requests: requests)
  }

  init(rpc: String, target: String, schedule: LoadSchedule, concurrency: Int, requests: Int) {
    (self.rpc, self.target, self.schedule) = (rpc, target, schedule)
    (self.concurrency, self.requests) = (concurrency, requests)
  }

  /// What differs from another plan, in words, apart from the gateway. Results of different plans cannot be compared well.
  func differences(from other: BenchPlan) -> [String] {
    let settings: [(name: String, mine: String, others: String)] = [
      ("--rate", LoadText.rate(schedule.rate), LoadText.rate(other.schedule.rate)),
      ("--duration", schedule.duration.formatted, other.schedule.duration.formatted),
      ("--concurrency", "\(concurrency)", "\(other.concurrency)"),
      ("number of different requests", "\(requests)", "\(other.requests)"),
    ]
    return settings.filter { $0.mine != $0.others }.map { "\($0.name) was \($0.others), and is \($0.mine)" }
  }
}
