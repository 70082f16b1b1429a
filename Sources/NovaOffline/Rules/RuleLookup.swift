import NovaCore

/// The rules by which answers become stored facts and back, and by which writes wait. Generated from `gateway.yaml`; see
/// ``ReadRule`` and ``WriteRule``.
package enum OfflineRules {
  private static let readsByID = Dictionary(uniqueKeysWithValues: reads.map { ($0.rpc.id, $0) })
  private static let writesByID = Dictionary(uniqueKeysWithValues: writes.map { ($0.rpc.id, $0) })

  /// The rule of a read, such as `graph.GetFollowers`; nil if its answers are never stored.
  package static func read(_ rpcID: String) -> ReadRule? { readsByID[rpcID] }

  /// The rule of a write, such as `social.CreateLike`; nil if it changes nothing that is stored.
  package static func write(_ rpcID: String) -> WriteRule? { writesByID[rpcID] }
}
