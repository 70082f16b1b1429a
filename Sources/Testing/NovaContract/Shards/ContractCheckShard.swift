public import NovaCore
import NovaCoverage
import NovaRegistry

/// What one shard of a contract check found.
///
/// ```swift
/// let shards = await [1, 2].concurrentMap { await check.run(shard: try WorkShard(index: $0, count: 2)) }
/// let report = try ContractCheckShard.merged(shards.map { (shard: $0, place: "shard \($0.shard)") })
/// ```
public struct ContractCheckShard: Sendable, Hashable {
  /// The part.
  public let shard: WorkShard
  /// The report of the part alone. Forms that a gateway uses throughout, such as 64-bit integers as strings, are reported
  /// for each RPC, because only all shards together show them.
  public let report: ContractReport
  /// What was checked, and how: the same in all shards of a check.
  let settings: [String: String]

  init(_ shard: WorkShard, of check: ContractCheck, _ report: ContractReport) {
    self.init(shard, settings: check.settings, report)
  }

  init(_ shard: WorkShard, settings: [String: String], _ report: ContractReport) {
    (self.shard, self.settings, self.report) = (shard, settings, report)
  }

  /// Merges all shards of a check into its report: the same findings, counts, and coverage as of a check without shards, in
  /// the same order.
  ///
  /// Different from one check are only what differs between any two checks (IDs, names of accounts, times, durations), and
  /// `leftBehind` and `notCleanedUp`, which list what each shard left.
  ///
  /// - Parameter shards: the shards in any order, each with the name of where it comes from, for the error.
  /// - Throws: ``ContractShardError`` for shards of different checks, and for a missing or repeated shard.
  public static func merged(
    _ shards: [(shard: ContractCheckShard, place: String)]
  ) throws(ContractShardError) -> ContractReport {
    guard let first = shards.first else { throw ContractShardError("no shards; expected the files of all of them") }
    for other in shards {
      try ContractShardError.requireSame(
        (first.place, first.shard.settings), (other.place, other.shard.settings), of: "checks")
    }
    if let problem = WorkShard.problem(merging: shards.map { ($0.shard.shard, $0.place) }) {
      throw ContractShardError(problem)
    }
    return merged(shards.map(\.shard).sorted { $0.shard.index < $1.shard.index }.map(\.report))
  }

  private static func merged(_ parts: [ContractReport]) -> ContractReport {
    let order = Dictionary(RPCRegistry.nova.rpcs.enumerated().map { ($1.id, $0) }) { first, _ in first }
    func place(_ rpc: String) -> Int { order[rpc] ?? .max }
    var results = parts.flatMap(\.results).sorted { place($0.rpc) < place($1.rpc) }
    let forms = GatewayForms.collect(from: &results)
    var report = ContractReport(target: parts[0].target, isReadOnly: parts[0].isReadOnly, results: results)
    report.gatewayDifferences = forms + parts.flatMap(\.gatewayDifferences)
    // A shard without services sent nothing.
    report.start = parts.map(\.start).filter { $0 > 0 }.min() ?? 0
    report.stop = parts.lazy.compactMap(\.stop).first
    report.probeCount = parts.reduce(0) { $0 + $1.probeCount }
    report.skippedProbes = united(parts.flatMap(\.skippedProbes))
    report.skippedChecks = united(parts.flatMap(\.skippedChecks))
    report.leftBehind = parts.flatMap(\.leftBehind)
    report.notCleanedUp = parts.flatMap(\.notCleanedUp)
    let coverages = parts.compactMap(\.coverage)
    if !coverages.isEmpty {
      // Stable: the points of an RPC are in one shard.
      let entries = coverages.flatMap(\.entries).enumerated().sorted {
        (place($0.element.point.rpc), $0.offset) < (place($1.element.point.rpc), $1.offset)
      }.map(\.element)
      report.coverage = ContractCoverage(
        entries: entries,
        unexpectedStatuses: coverages.flatMap(\.unexpectedStatuses).sorted {
          ($0.point.rpc, $0.point.name) < ($1.point.rpc, $1.point.name)
        })
    }
    return report
  }

  /// Each reason once, with all that it applies to.
  private static func united(_ all: [ContractReport.SkippedProbes]) -> [ContractReport.SkippedProbes] {
    var united: [ContractReport.SkippedProbes] = []
    for skipped in all {
      guard let known = united.firstIndex(where: { $0.reason == skipped.reason }) else {
        united.append(skipped)
        continue
      }
      united[known].probes += skipped.probes.filter { !united[known].probes.contains($0) }
    }
    return united
  }
}

/// Why shards of a check or of a suite cannot be read or merged.
public struct ContractShardError: NovaError, Hashable {
  /// The problem, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }

  /// Refuses shards that were not run with the same settings.
  ///
  /// - Parameter kind: what the shards are of: `checks`.
  static func requireSame(
    _ one: (place: String, settings: [String: String]), _ other: (place: String, settings: [String: String]),
    of kind: String
  ) throws(ContractShardError) {
    let names = Set(one.settings.keys).union(other.settings.keys).sorted()
    let differences = names.compactMap { name -> String? in
      let (left, right) = (one.settings[name] ?? "none", other.settings[name] ?? "none")
      return left == right ? nil : "\(name): \(left.printable(to: 60)) | \(right.printable(to: 60))"
    }
    guard !differences.isEmpty else { return }
    throw ContractShardError(
      "\(one.place) and \(other.place) are shards of different \(kind): \(differences.joined(separator: "; ")); run all "
        + "shards with the same options")
  }
}

extension ContractCheck {
  /// What all shards of a check must have in common.
  fileprivate var settings: [String: String] {
    var settings = [
      "target": target, "version": NovaSDKVersion.current, "read_only": "\(options.isReadOnly)",
      "invalid": "\(options.sendsInvalidRequests)", "privacy": "\(options.checksPrivacy)",
      "rpcs": options.rpcs.map { $0.sorted().joined(separator: ",") } ?? "all",
    ]
    if let user = options.user { settings["user"] = user }
    if let url = options.gatewayURL { settings["gateway"] = "\(url.origin)" }
    for (service, style) in options.requestNames { settings["request_names.\(service)"] = "\(style)" }
    return settings
  }
}
