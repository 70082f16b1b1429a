public import NovaCore
import NovaRegistry

extension ContractCheck {
  /// Checks a part of the RPCs, so that several processes share a check. ``ContractCheckShard/merged(_:)`` makes the report
  /// of all parts.
  ///
  /// A shard has whole services. Each one prepares the check as a whole does: it registers its own accounts, creates what
  /// the RPCs need, and deletes it. Only the requests that try out an RPC are divided. ``Options/requestsPerSecond``,
  /// ``Options/maximumRequests``, and ``Options/maximumTime`` apply to each shard.
  ///
  /// - Parameters:
  ///   - shard: the part. One that has no service has an empty report, without any request.
  ///   - progress: called after each request.
  public func run(
    shard: WorkShard, progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async -> ContractCheckShard {
    var check = self
    check.options.shard = shard
    guard check.reportedRPCs?.isEmpty != true else {
      return ContractCheckShard(
        shard, of: self, ContractReport(target: target, isReadOnly: options.isReadOnly, results: []))
    }
    return ContractCheckShard(shard, of: self, await check.run(progress: progress))
  }

  /// The RPCs that are checked and reported, not only called to prepare others; nil for all.
  var reportedRPCs: Set<String>? {
    guard let shard = options.shard else { return options.rpcs }
    let rpcs = registry.rpcs.filter { options.rpcs?.contains($0.id) ?? true }
    let services = Self.services(of: shard, rpcs)
    return Set(rpcs.filter { services.contains($0.service) }.map(\.id))
  }

  /// The services of a shard: the largest ones first, each to the shard with the fewest RPCs.
  private static func services(of shard: WorkShard, _ rpcs: [RPCDescriptor]) -> Set<String> {
    let sizes = Dictionary(grouping: rpcs, by: \.service).mapValues(\.count)
    // More shards than services have nothing.
    var loads = Array(repeating: 0, count: min(shard.count, max(1, sizes.count)))
    var own: Set<String> = []
    for (service, size) in sizes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      let place = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[place] += size
      if place == shard.index - 1 { own.insert(service) }
    }
    return own
  }
}
