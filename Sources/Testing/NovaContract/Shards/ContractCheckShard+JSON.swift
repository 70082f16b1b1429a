import NovaCore
import NovaCoverage

extension ContractCheckShard {
  /// Identifies the file of a shard and its version.
  package static let kind = "nova-contract-check-shard/1"

  /// The shard as JSON, with a line for each RPC.
  public var jsonUTF8: [UInt8] {
    let head: JSONValue = [
      "kind": .string(Self.kind), "shard": .string("\(shard)"),
      "settings": .object(settings.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) }),
      "target": .string(report.target), "read_only": .bool(report.isReadOnly), "start": .number(report.start),
      "probes": .number(report.probeCount),
      "gateway_differences": .array(report.gatewayDifferences.map(\.shardJSON)),
      "skipped_probes": .array(report.skippedProbes.map(\.shardJSON)),
      "skipped_checks": .array(report.skippedChecks.map(\.shardJSON)),
      "left_behind": .strings(report.leftBehind), "not_cleaned_up": .strings(report.notCleanedUp),
      "coverage": report.coverage.map { .array($0.entries.map(\.shardJSON)) },
      "unexpected_statuses": report.coverage.map { .array($0.unexpectedStatuses.map(\.shardJSON)) },
    ]
    let lines = report.results.map { String(decoding: $0.shardJSON.jsonUTF8, as: UTF8.self) }
    let start = String(decoding: head.jsonUTF8.dropLast(), as: UTF8.self)
    return Array("\(start),\"results\":[\n\(lines.joined(separator: ",\n"))\n]}\n".utf8)
  }

  /// Whether a file is the shard of a check, of any version.
  package static func isKind(of bytes: [UInt8]) -> Bool {
    ShardReader.kind(of: bytes)?.hasPrefix("nova-contract-check-shard/") ?? false
  }

  /// Reads the file of a shard.
  ///
  /// - Throws: ``ContractShardError``.
  public init(jsonUTF8 bytes: [UInt8]) throws(ContractShardError) {
    let json = try ShardReader(bytes, kind: Self.kind)
    var report = ContractReport(
      target: try json["target"].text, isReadOnly: try json["read_only"].bool,
      results: try json["results"].list { value throws(ContractShardError) in
        try ContractReport.RPCResult(shard: value)
      })
    report.start = try json["start"].number
    report.probeCount = try json["probes"].number
    report.gatewayDifferences = try json["gateway_differences"].list { value throws(ContractShardError) in
      try ContractDifference(shard: value)
    }
    report.skippedProbes = try json["skipped_probes"].list { value throws(ContractShardError) in
      try ContractReport.SkippedProbes(shard: value)
    }
    report.skippedChecks = try json["skipped_checks"].list { value throws(ContractShardError) in
      try ContractReport.SkippedProbes(shard: value)
    }
    report.leftBehind = try json["left_behind"].texts
    report.notCleanedUp = try json["not_cleaned_up"].texts
    if !json["coverage"].isAbsent {
      report.coverage = ContractCoverage(
        entries: try json["coverage"].list { value throws(ContractShardError) in
          try ContractCoverage.Entry(shard: value)
        },
        unexpectedStatuses: try json["unexpected_statuses"].list { value throws(ContractShardError) in
          try ContractCoverage.Entry(shard: value)
        })
    }
    self.init(try json.shard, settings: try json["settings"].members, report)
  }
}

extension ContractReport.RPCResult {
  fileprivate var shardJSON: JSONValue {
    let (seconds, rest) = duration.components
    return [
      "rpc": .string(rpc), "requests": .strings(requests), "unchecked": unchecked.map { .string($0) },
      "refused": .bool(isRefused), "overloaded": .bool(isOverloaded),
      "nanoseconds": .number(Int(seconds) * 1_000_000_000 + Int(rest / 1_000_000_000)),
      "differences": .array(differences.map(\.shardJSON)),
    ]
  }

  fileprivate init(shard json: ShardReader) throws(ContractShardError) {
    self.init(rpc: try json["rpc"].text)
    requests = try json["requests"].texts
    unchecked = json["unchecked"].isAbsent ? nil : try json["unchecked"].text
    isRefused = try json["refused"].bool
    isOverloaded = try json["overloaded"].bool
    duration = .nanoseconds(try json["nanoseconds"].number)
    differences = try json["differences"].list { value throws(ContractShardError) in
      try ContractDifference(shard: value)
    }
  }
}

extension ContractDifference {
  fileprivate var shardJSON: JSONValue {
    [
      "rpc": .string(rpc), "request": .string(request), "requests": .strings(requests), "path": .string(path),
      "kind": .string(kind.rawValue), "grade": .string(grade.rawValue), "expected": .string(expected),
      "found": .string(found), "count": .number(count), "curl": evidence.map { .string($0.curl) },
      "status": evidence?.status.map { .number($0) }, "body": evidence.map { .string($0.body) },
      "bytes": evidence.map { .number($0.bodyByteCount) },
    ]
  }

  fileprivate init(shard json: ShardReader) throws(ContractShardError) {
    let evidence: ContractEvidence? =
      json["curl"].isAbsent
      ? nil
      : ContractEvidence(
        curl: try json["curl"].text, status: json["status"].isAbsent ? nil : try json["status"].number,
        body: try json["body"].text, bodyByteCount: try json["bytes"].number)
    self.init(
      rpc: try json["rpc"].text, request: try json["request"].text, requests: try json["requests"].texts,
      path: try json["path"].text, kind: try json["kind"].name(), grade: try json["grade"].name(),
      expected: try json["expected"].text, found: try json["found"].text, count: try json["count"].number,
      evidence: evidence)
  }
}

extension ContractReport.SkippedProbes {
  fileprivate var shardJSON: JSONValue { ["reason": .string(reason), "probes": .strings(probes)] }

  fileprivate init(shard json: ShardReader) throws(ContractShardError) {
    self.init(reason: try json["reason"].text, probes: try json["probes"].texts)
  }
}

extension ContractCoverage.Entry {
  fileprivate var shardJSON: JSONValue {
    let aspect: (status: Int?, field: String?, rule: String?) =
      switch point.aspect {
      case .status(let status): (status, nil, nil)
      case .field(let field): (nil, field, nil)
      case .constraint(let field, let rule): (nil, field, rule)
      }
    return [
      "rpc": .string(point.rpc), "way": .string(point.way.rawValue), "status": aspect.status.map { .number($0) },
      "field": aspect.field.map { .string($0) }, "rule": aspect.rule.map { .string($0) }, "count": .number(count),
    ]
  }

  fileprivate init(shard json: ShardReader) throws(ContractShardError) {
    let aspect: CoveragePoint.Aspect =
      if !json["status"].isAbsent { .status(try json["status"].number) } else if !json["rule"].isAbsent {
        .constraint(field: try json["field"].text, rule: try json["rule"].text)
      } else { .field(try json["field"].text) }
    self.init(
      point: CoveragePoint(aspect, of: try json["rpc"].text, over: try json["way"].name()),
      count: try json["count"].number)
  }
}
