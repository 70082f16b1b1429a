import NovaCore

/// The rules of all RPCs, generated from `gateway.yaml`. See ``ReadRule``, ``WriteRule``, and ``EventRule``.
package enum OfflineRules {
  private static let readsByID = Dictionary(uniqueKeysWithValues: reads.map { ($0.rpc.id, $0) })
  private static let writesByID = Dictionary(uniqueKeysWithValues: writes.map { ($0.rpc.id, $0) })
  private static let eventsByType = Dictionary(uniqueKeysWithValues: events.map { ($0.type, $0) })

  /// The rule of a read, such as `graph.GetFollowers`; nil if its answers are never stored.
  package static func read(_ rpcID: String) -> ReadRule? { readsByID[rpcID] }

  /// The rule of a write, such as `social.CreateLike`; nil if it changes nothing that is stored.
  package static func write(_ rpcID: String) -> WriteRule? { writesByID[rpcID] }

  /// The rule of an event, such as `like.created`; nil if it is about no relations, counts, or lists.
  package static func event(_ type: String) -> EventRule? { eventsByType[type] }
}

extension OfflineRules {
  private static let relationsByKind = Dictionary(uniqueKeysWithValues: relations.map { ($0.kind, $0) })

  /// The rule of a kind of relation.
  static func relation(_ kind: String) -> RelationRule? { relationsByKind[kind] }

  /// The kinds of lists that records of a kind can be in.
  static func listKinds(of record: any StoredRecord.Type) -> Set<String> {
    // The kinds of a record's places do not depend on its fields.
    var kinds = Set(
      record.init().places.compactMap { $0.list?.kind })
    for rule in relations where subjects[rule.kind] == record.kind {
      for list in rule.lists where list.item == .b { kinds.insert(list.kind) }
    }
    return kinds
  }
}
