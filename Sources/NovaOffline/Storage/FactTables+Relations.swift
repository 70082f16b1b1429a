import NovaCore

extension FactTables {
  /// A relation, as itself or as the lists show it that it appears in; nil if that is not known.
  func relation(_ name: RelationName) throws -> (isRelated: Bool, storedAt: Int64)? {
    if let relation = try numbers.relation(name) { return (relation.isRelated, relation.storedAt) }
    for list in OfflineRules.relation(name.kind)?.lists ?? [] {
      guard let known = try lists.list(ListName(list.kind, [name[list.key]])) else { continue }
      if let index = try lists.index(of: name[list.item], in: known) {
        return (true, try lists.items(of: known, in: index..<index + 1).first?.storedAt ?? 0)
      }
      // A list that is known as a whole also tells who is not in it.
      if let time = try lists.knownWholeSince(known) { return (false, time) }
    }
    return nil
  }
}

extension FactTables {
  /// A count, as itself or as the length of the list with the same name; nil if it is not known.
  func count(_ name: CountName) throws -> NumberTable.Entry? {
    if let count = try numbers.count(name) { return count }
    guard let list = try lists.list(ListName(name.kind, name.key)), let length = list.length else { return nil }
    return NumberTable.Entry(value: Int64(length), storedAt: list.storedAt, sequence: list.sequence)
  }
}

extension RelationName {
  subscript(side: RelationRule.Side) -> String { side == .a ? a : b }
}

/// A record's kind and id.
struct RecordKey: Hashable, Sendable {
  let kind: String
  @ExactText var id: String

  init(_ kind: String, _ id: String) {
    self.kind = kind
    self.id = id
  }
}
