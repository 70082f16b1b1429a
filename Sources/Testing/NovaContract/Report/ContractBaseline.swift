import NovaCore
import NovaRegistry

/// The known differences of a gateway, with the reasons for accepting them.
///
/// ```json
/// {"version":1,"differences":[
///   {"rpc":"graph.GetFollowers","check":"int64Form","grade":"tolerated","path":"total_count","reason":"until v2"}]}
/// ```
///
/// An entry has only what is the same in every run: no ids, values, or messages of the server.
public struct ContractBaseline: Sendable, Hashable {
  /// A known difference.
  public struct Entry: Sendable, Hashable {
    /// The RPC: `graph.GetFollowers`.
    public let rpc: String
    /// The kind of the difference.
    public let check: ContractDifference.Kind
    /// The severity. A difference that became more severe is a new one.
    public let grade: ContractDifference.Grade
    /// The place in the answer; empty for the answer as a whole.
    public let path: String
    /// The name of the request, for a difference of the answer as a whole; nil for others.
    public let request: String?
    /// Why the difference is accepted.
    public var reason: String

    /// Whether both describe the same difference, whatever the reason.
    package func matches(_ other: Entry) -> Bool { key == other.key }

    fileprivate var key: [String] { [rpc, path, check.rawValue, grade.rawValue, request ?? ""] }

    /// `graph.GetFollowers total_count: int64Form`
    public var description: String {
      "\(rpc) \(path.isEmpty ? request ?? "" : path): \(check.rawValue) (\(grade.rawValue))"
    }
  }

  /// The entries, sorted.
  public private(set) var entries: [Entry]

  /// Creates a baseline without known differences.
  public init() { entries = [] }

  init(_ entries: [Entry]) {
    var seen: Set<[String]> = []
    self.entries = entries.filter { seen.insert($0.key).inserted }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Returns the baseline after a check: what the check found, with the reasons so far, and the entries of RPCs that
  /// were not checked.
  public func updated(with report: ContractReport) -> ContractBaseline {
    let reasons = reasons
    let found = report.differences.flatMap(\.baselineEntries).map { entry in
      var entry = entry
      entry.reason = reasons[entry.key] ?? ""
      return entry
    }
    let stale = Set(stale(after: report).map(\.key))
    return ContractBaseline(found + entries.filter { !stale.contains($0.key) })
  }

  /// The reasons of the entries, by their keys.
  fileprivate var reasons: [[String]: String] {
    Dictionary(entries.map { ($0.key, $0.reason) }) { first, _ in first }
  }

  /// The entries that a check should have found again, and did not.
  fileprivate func stale(after report: ContractReport) -> [Entry] {
    guard report.stop == nil else { return [] }
    let found = Set(report.differences.flatMap(\.baselineEntries).map(\.key))
    let results = Dictionary(report.results.map { ($0.rpc, $0) }) { first, _ in first }
    return entries.filter { entry in
      guard !found.contains(entry.key) else { return false }
      guard let result = results[entry.rpc] else { return RPCRegistry.nova.rpc(named: entry.rpc) == nil }
      return result.unchecked == nil && entry.request.map(result.requests.contains) ?? true
    }
  }
}

extension ContractReport {
  /// Marks the differences that a baseline contains as known, and its entries that were not found again as stale.
  public mutating func apply(_ baseline: ContractBaseline) {
    let reasons = baseline.reasons
    for index in gatewayDifferences.indices { gatewayDifferences[index].accept(reasons) }
    for result in results.indices {
      for index in results[result].differences.indices { results[result].differences[index].accept(reasons) }
    }
    staleEntries = baseline.stale(after: self)
    hasBaseline = true
  }
}

extension ContractDifference {
  /// Marks the difference as known if there are reasons for all its entries.
  fileprivate mutating func accept(_ reasons: [[String]: String]) {
    let entries = baselineEntries.map { reasons[$0.key] }
    guard !entries.isEmpty, !entries.contains(nil) else { return }
    acceptedReason = entries.compactMap(\.self).first { !$0.isEmpty } ?? ""
  }

  /// The entries that describe the difference: one, or one for each request if it concerns answers as a whole.
  var baselineEntries: [ContractBaseline.Entry] {
    let requests: [String?] = path.isEmpty ? requests : [nil]
    return requests.map {
      ContractBaseline.Entry(rpc: rpc, check: kind, grade: grade, path: path, request: $0, reason: "")
    }
  }
}
