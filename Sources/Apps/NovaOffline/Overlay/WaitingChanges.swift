import NovaCore

/// What waiting writes change about the stored facts of an identity: by how much a count moves, and which items a list
/// gains and loses.
///
/// The overlay alone does not show this. A waiting like moves a count only if the like is not stored yet, and a removed
/// comment takes its stored replies along.
final class WaitingChanges {
  private let tables: FactTables
  private let overlay: Overlay
  private var removedRecords: [RecordKey: any StoredRecord.Type]?

  init(_ tables: FactTables, _ overlay: Overlay) { (self.tables, self.overlay) = (tables, overlay) }

  /// By how much waiting writes change a count.
  func difference(of name: CountName) throws -> Int64 {
    if overlay.isEmpty { return 0 }
    var difference = overlay.raises[name] ?? 0
    for relation in overlay.relations(movingCount: name) { difference += try move(relation) }
    difference += Int64(overlay.created(in: .count(name)).count)
    for (key, type) in try removed() where try places(key, type).before.contains(.count(name)) { difference -= 1 }
    for (key, type) in overlay.changed {
      let (before, after) = try places(key, type)
      difference += (after.contains(.count(name)) ? 1 : 0) - (before.contains(.count(name)) ? 1 : 0)
    }
    return difference
  }

  /// The items that waiting writes add to a list, at its two ends, and those that they remove.
  func changes(of list: ListName) throws -> (first: [String], last: [String], removed: [String]) {
    if overlay.isEmpty { return ([], [], []) }
    var first: [(id: String, order: Int)] = []
    var last: [String] = []
    var removed: [String] = []
    for name in overlay.relations(in: list) {
      guard let waiting = overlay.relations[name],
        let rule = OfflineRules.relation(name.kind)?.lists.first(where: { $0.kind == list.kind })
      else { continue }
      let id = name[rule.item]
      let move = try move(name)
      if move > 0 { first.append((id, waiting.order)) }
      if move < 0 { removed.append(id) }
    }
    for key in overlay.created(in: .list(list, at: nil)) {
      guard let (record, order) = overlay.created[key] else { continue }
      if record.places.end(of: list)?.isFirst == false { last.append(key.id) } else { first.append((key.id, order)) }
    }
    for (key, type) in try self.removed() where OfflineRules.listKinds(of: type).contains(list.kind) {
      removed.append(key.id)
    }
    for (key, type) in overlay.changed {
      let (before, after) = try places(key, type)
      if before.isIn(list), !after.isIn(list) { removed.append(key.id) }
      // The place of an older record in the list is unknown until the gateway states it.
      if !before.isIn(list), after.isIn(list) { first.append((key.id, 0)) }
    }
    return (first.sorted { $0.order > $1.order }.map(\.id), last, removed.withoutRepeats())
  }

  /// The records that waiting writes remove, and the stored records that are removed with them.
  func removed() throws -> [RecordKey: any StoredRecord.Type] {
    if let removedRecords { return removedRecords }
    var all = overlay.removed
    for (key, type) in overlay.removed where type.haveChildren { try addChildren(of: key, type, to: &all) }
    removedRecords = all
    return all
  }

  private func addChildren<Record: StoredRecord>(
    of key: RecordKey, _ type: Record.Type, to all: inout [RecordKey: any StoredRecord.Type]
  ) throws {
    guard case .whole(let record, _) = try tables.records.entry(key.id, type) else { return }
    for child in try tables.children(of: record).ids.map({ RecordKey(Record.kind, $0) })
    where all.updateValue(type, forKey: child) == nil {
      try addChildren(of: child, type, to: &all)
    }
  }

  /// 1 if a waiting write adds the relation, -1 if one removes it, 0 if it changes nothing.
  private func move(_ name: RelationName) throws -> Int64 {
    guard let waiting = overlay.relations[name] else { return 0 }
    // An unknown relation counts as false: of a like and its removal, only the removal may be left in the outbox.
    let isRelated = try tables.relation(name)?.isRelated ?? false
    return waiting.isRelated == isRelated ? 0 : waiting.isRelated ? 1 : -1
  }

  /// The places of a stored record without and with the waiting writes.
  private func places<Record: StoredRecord>(
    _ key: RecordKey, _ type: Record.Type
  ) throws -> (before: [RecordPlace], after: [RecordPlace]) {
    guard case .whole(let record, _) = try tables.records.entry(key.id, type) else { return ([], []) }
    return (record.places, overlay.patched(record, key).places)
  }
}

extension [RecordPlace] {
  func isIn(_ list: ListName) -> Bool {
    contains { if case .list(list, _) = $0 { true } else { false } }
  }

  func end(of list: ListName) -> ListEnd? {
    for case .list(list, let end) in self { return end }
    return nil
  }
}
