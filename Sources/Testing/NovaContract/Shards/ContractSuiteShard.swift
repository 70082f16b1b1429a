package import NovaCore

/// What one shard of a suite's scenarios returned.
package struct ContractSuiteShard: Sendable {
  /// Identifies the file of a shard and its version.
  package static let kind = "nova-contract-suite-shard/1"

  package let shard: WorkShard
  package let report: ContractSuiteReport
  /// What was run, and how: the same in all shards of a run.
  private let settings: [String: String]

  /// - Parameters:
  ///   - scenarios: all chosen scenarios, of which the report has a part.
  ///   - isReadOnly: whether scenarios that write were left out.
  ///   - seed: the seed of names; nil if they were random.
  package init(
    _ shard: WorkShard, of scenarios: [ContractScenario], isReadOnly: Bool, seed: UInt64?,
    _ report: ContractSuiteReport
  ) {
    (self.shard, self.report) = (shard, report)
    settings = [
      "target": report.target, "version": NovaSDKVersion.current, "read_only": "\(isReadOnly)",
      "seed": seed.map { "\($0)" } ?? "none", "scenarios": scenarios.map(\.name).joined(separator: ","),
    ]
  }

  /// Merges all shards of a suite: the scenarios and their results in the catalog's order.
  package static func merged(
    _ shards: [(shard: ContractSuiteShard, place: String)]
  ) throws(ContractShardError) -> ContractSuiteReport {
    guard let first = shards.first else { throw ContractShardError("no shards; expected the files of all of them") }
    for other in shards {
      try ContractShardError.requireSame(
        (first.place, first.shard.settings), (other.place, other.shard.settings), of: "runs")
    }
    if let problem = WorkShard.problem(merging: shards.map { ($0.shard.shard, $0.place) }) {
      throw ContractShardError(problem)
    }
    let parts = shards.map(\.shard).sorted { $0.shard.index < $1.shard.index }.map(\.report)
    return ContractSuiteReport(
      target: parts[0].target, start: parts.map(\.start).min() ?? 0, scenarios: parts.flatMap(\.scenarios),
      skipped: parts.flatMap(\.skipped))
  }

  /// The shard as JSON.
  package var jsonUTF8: [UInt8] {
    let json: JSONValue = [
      "kind": .string(Self.kind), "shard": .string("\(shard)"),
      "settings": .object(settings.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) }),
      "target": .string(report.target), "start": .number(report.start), "skipped": .strings(report.skipped),
      "scenarios": .array(report.scenarios.map(\.shardJSON)),
    ]
    return json.jsonUTF8 + [UInt8(ascii: "\n")]
  }

  package init(jsonUTF8 bytes: [UInt8]) throws(ContractShardError) {
    let json = try ShardReader(bytes, kind: Self.kind)
    shard = try json.shard
    settings = try json["settings"].members
    report = ContractSuiteReport(
      target: try json["target"].text, start: try json["start"].number,
      scenarios: try json["scenarios"].list { value throws(ContractShardError) in
        try ContractSuiteReport.Scenario(shard: value)
      }, skipped: try json["skipped"].texts)
  }

  /// Whether a file is the shard of a suite, rather than of a check.
  package static func isKind(of bytes: [UInt8]) -> Bool {
    ShardReader.kind(of: bytes)?.hasPrefix("nova-contract-suite-shard/") ?? false
  }
}

extension ContractSuiteReport.Scenario {
  /// The steps without their values, which no report has.
  fileprivate var shardJSON: JSONValue {
    let (seconds, rest) = duration.components
    return [
      "name": .string(name), "summary": .string(summary),
      "nanoseconds": .number(Int(seconds) * 1_000_000_000 + Int(rest / 1_000_000_000)),
      "steps": .array(
        result.observations.map { ["name": .string($0.name), "problem": $0.problem.map { .string($0) }] }),
    ]
  }

  fileprivate init(shard json: ShardReader) throws(ContractShardError) {
    let name = try json["name"].text
    let steps = try json["steps"].list { step throws(ContractShardError) in
      ContractObservation(
        name: try step["name"].text, value: .null, isServerSpecific: false,
        problem: step["problem"].isAbsent ? nil : try step["problem"].text)
    }
    self.init(
      name: name, summary: try json["summary"].text, result: ScenarioResult(scenario: name, observations: steps),
      duration: .nanoseconds(try json["nanoseconds"].number))
  }
}
