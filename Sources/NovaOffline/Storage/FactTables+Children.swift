import NovaCore

extension FactTables {
  /// The records that go away with a record, as far as the lists that it is in show them.
  ///
  /// - Returns: their ids, and whether these are all.
  func children<Record: StoredRecord>(of record: Record) throws -> (ids: [String], isComplete: Bool) {
    guard Record.haveChildren else { return ([], true) }
    guard let name = record.places.compactMap(\.list).first, let list = try lists.list(name) else { return ([], false) }
    let known = try lists.items(of: list, in: 0..<PageName.longestList)
    let children = try known.filter { item in
      guard case .whole(let other, _) = try records.entry(item.id, Record.self) else { return false }
      return other.parentID.hasSameBytes(as: record.recordID)
    }
    return (children.map(\.id), list.length == known.count)
  }
}
