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

extension OfflineRules {
  private static let relationsByKind = Dictionary(uniqueKeysWithValues: relations.map { ($0.kind, $0) })

  /// The rule of a kind of relation.
  static func relation(_ kind: String) -> RelationRule? { relationsByKind[kind] }

  /// The kinds of lists that records of a kind can be in.
  static func listKinds(of record: any StoredRecord.Type) -> Set<String> {
    // The places of a record are of the same kinds, whatever its fields say.
    var kinds = Set(
      record.init().places.compactMap { place in if case .list(let name, _) = place { name.kind } else { nil } })
    for rule in relations where subjects[rule.kind] == record.kind {
      for list in rule.lists where list.item == .b { kinds.insert(list.kind) }
    }
    return kinds
  }
}
