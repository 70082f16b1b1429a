/// Counts how often each point of a plan was tried.
package struct CoverageRecorder: Sendable {
  package let plan: CoveragePlan
  private var counts: [CoveragePoint: Int] = [:]
  /// Points that are not in the plan, such as a status that the contract does not name.
  private var others: [CoveragePoint: Int] = [:]
  private let known: Set<CoveragePoint>
  /// Other points than this many are not counted: servers can return any status.
  private static let mostOthers = 10_000

  package init(_ plan: CoveragePlan) {
    self.plan = plan
    known = Set(plan.points)
  }

  package mutating func add(_ observation: CoverageObservation) {
    for point in observation.points {
      if known.contains(point) {
        counts[point, default: 0] += 1
      } else if others[point] != nil || others.count < Self.mostOthers {
        others[point, default: 0] += 1
      }
    }
  }

  package mutating func removeAll() { (counts, others) = ([:], [:]) }

  /// What was tried so far.
  package var coverage: ContractCoverage {
    ContractCoverage(
      entries: plan.points.map { ContractCoverage.Entry(point: $0, count: counts[$0] ?? 0) },
      unexpectedStatuses: others.compactMap { point, count in
        guard case .status = point.aspect else { return nil }
        return ContractCoverage.Entry(point: point, count: count)
      }.sorted { ($0.point.rpc, $0.point.name) < ($1.point.rpc, $1.point.name) })
  }
}
