import NovaCore

extension OfflineRules {
  private static let relationsByKind = Dictionary(uniqueKeysWithValues: relations.map { ($0.kind, $0) })

  /// The rule of a kind of relation.
  static func relation(_ kind: String) -> RelationRule? { relationsByKind[kind] }

  /// Whether a list is in the order in which its items were changed.
  static func isInOrderOfChanges(_ name: ListName) -> Bool {
    name.kind == "comments" && name.key.dropFirst().first == "updated_at"
  }

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
