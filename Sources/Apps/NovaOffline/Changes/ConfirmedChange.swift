import NovaCore

/// Applies the effect of a confirmed write to the stored facts. Call within a transaction. Applying it twice changes
/// nothing more.
///
/// Unknown facts stay unknown. If it is uncertain how the write has changed a fact, the fact loses its age, so that it
/// is read again; a list whose order is uncertain is forgotten. Three things make facts uncertain:
///
/// - Another write was confirmed since this one was sent: the gateway may have carried them out in either order.
/// - The write was repeated: a fact that was read between the attempts may already contain it.
/// - A fact was read after the write was sent: it may already contain the write.
struct ConfirmedChange: Change {
  /// The tables. Their sequence is the number of this write.
  let tables: FactTables
  /// How many writes were confirmed when this one was sent. Later ones may have reached the gateway earlier or later.
  let began: Int64
  /// When this write was sent, in Unix milliseconds. Facts that were read later may contain it.
  let startedAt: Int64
  let newID: String
  let time: Int64
  /// Whether the gateway may have carried out the write at an earlier attempt, so that facts can be from before or
  /// after it.
  var isRepeated = false
  /// Whether another write was in progress, so that the response can be from before or after it.
  var overlapsWrite = false

  /// When the gateway stated the response; 0 for a repeated write, because the gateway may repeat its first response.
  private var answeredAt: Int64 { isRepeated ? 0 : tables.now }

  /// The same for facts that other writes change, too.
  private var countedAt: Int64 { overlapsWrite ? 0 : answeredAt }

  /// Whether no other write has changed a fact with this sequence since this one was sent.
  private func isUnchanged(_ sequence: Int64) -> Bool { sequence <= began || sequence == tables.sequence }

  // MARK: Numbers

  func relate(_ name: RelationName, _ isRelated: Bool) throws {
    let known = try tables.certainRelation(name)
    // If the write was repeated, the stored relation may be from before or after it took effect.
    let before = isRepeated && known?.isRelated == isRelated ? nil : known
    // A later change may be from before or after this write.
    let isSure = try tables.numbers.relation(name).map { isUnchanged($0.sequence) } ?? true
    try tables.numbers.put(name, isRelated, storedAt: isSure ? answeredAt : 0)
    try tables.doubtVisibility(after: name, isRelated)
    guard before?.isRelated != isRelated, let rule = OfflineRules.relation(name.kind) else { return }
    for list in rule.lists {
      guard let stored = try tables.lists.list(ListName(list.kind, [name[list.key]])) else { continue }
      try move(name[list.item], in: stored, isItem: isRelated, before)
    }
    for count in rule.counts {
      try tables.numbers.move(
        CountName(count.kind, [name[count.key]]), by: isRepeated ? 0 : isRelated ? 1 : -1,
        notCountedAt: min(before?.storedAt ?? 0, startedAt))
    }
  }

  /// Adds a related item to a list, or removes it.
  ///
  /// - Parameter before: the relation as it was known; nil if it was unknown.
  private func move(
    _ id: String, in list: ListTable.List, isItem: Bool, _ before: (isRelated: Bool, storedAt: Int64)?
  ) throws {
    let isShown = try tables.lists.index(of: id, in: list) != nil
    // The list was read after the write had taken effect.
    if isShown == isItem, try isShown || tables.lists.knownWholeSince(list) != nil {
      return try tables.lists.keep(list)
    }
    guard let before, isUnchanged(list.sequence) else { return try tables.lists.forgetItems(of: list) }
    if !isItem {
      try tables.lists.remove(id, from: list)
    } else if try before.storedAt >= list.storedAt || tables.lists.knownWholeSince(list) != nil {
      try tables.lists.insertFirst(id, into: list, storedAt: answeredAt)
    } else {
      // It may have become an item since, at an unknown place.
      try tables.lists.forgetItems(of: list)
    }
  }

  func set(_ name: CountName, to value: Int64) throws { try tables.numbers.put(name, value, storedAt: countedAt) }

  func raise(_ name: CountName) throws { try move(name, by: 1) }

  func expire(_ rpc: String) throws { try tables.responses.expire(rpc) }

  // MARK: Records

  func create<Record: StoredRecord>(_ record: Record) throws {
    guard !record.recordID.isEmpty else { return }
    // If only a read has shown that the write took effect, the id from the gateway may be unknown.
    let isNamed = !record.recordID.hasSameBytes(as: newID)
    var isNew = isNamed && !isRepeated
    // A read may have stored the record already, with some of its places.
    if case .whole = try tables.records.entry(record.recordID, Record.self) { isNew = false }
    if let parent = record.parentID, case .gone = try tables.records.entry(parent, Record.self) { isNew = false }
    if isNamed { try put(record, storedAt: isNew ? answeredAt : countedAt) }
    for place in record.places {
      if isNew { try enter(place, record.recordID) } else { try doubt(place, record.recordID) }
    }
  }

  func update<Record: StoredRecord>(to record: Record) throws {
    guard !record.recordID.isEmpty else { return }
    let before = try tables.records.entry(record.recordID, Record.self)
    try put(record, storedAt: countedAt)
    guard case .whole(let old, _) = before else { return try place(record) }
    if old != record { try move(old, record) }
  }

  func update<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, by change: @escaping @Sendable (inout Record) -> Void
  ) throws {
    guard case .whole(let old, _) = try tables.records.entry(id, type) else { return }
    var record = old
    change(&record)
    // The gateway has not stated the changed record.
    try tables.records.put(record, storedAt: 0)
    if old != record { try move(old, record) }
  }

  func remove<Record: StoredRecord>(_ type: Record.Type, _ id: String) throws {
    let entry = try tables.records.entry(id, type)
    try tables.records.putGone(Record.kind, id, storedAt: tables.now)
    if case .gone = entry { return }
    let record: Record? = if case .whole(let record, _) = entry { record } else { nil }
    let children = try record.map { try tables.children(of: $0) }
    if let record, children?.isComplete == false {
      // The number of removed children is unknown.
      for count in record.places.compactMap(\.count) { try tables.numbers.doubt(count) }
    }
    for place in record?.places ?? [] { try leave(place, id) }
    try leaveOtherLists(id, type, than: record?.places.compactMap(\.list) ?? [])
    for (kind, subject) in OfflineRules.subjects where subject == Record.kind && OfflineRules.relation(kind) == nil {
      try tables.lists.removeLists(kind, of: id)
    }
    for child in children?.ids ?? [] { try remove(type, child) }
  }

  /// Removes a record from lists that are not among its places, such as bookmarks.
  ///
  /// - Parameter left: the lists among its places, which are all of their kinds; empty if they are unknown.
  private func leaveOtherLists<Record: StoredRecord>(
    _ id: String, _ type: Record.Type, than left: [ListName]
  ) throws {
    for kind in OfflineRules.listKinds(of: type).subtracting(left.map(\.kind)) {
      for (list, key) in try tables.lists.all(kind) {
        let count = CountName(kind, [key])
        if try tables.lists.index(of: id, in: list) != nil {
          try tables.lists.remove(id, from: list)
          try move(count, by: -1)
        } else if try list.length == nil || tables.lists.knownCount(of: list) != list.length {
          // It may have been in the unknown part.
          try tables.lists.forgetItems(of: list)
          try tables.numbers.doubt(count)
        }
      }
      if left.isEmpty { try tables.numbers.doubt(kind) }
    }
  }

  private func put<Record: StoredRecord>(_ record: Record, storedAt: Int64) throws {
    try tables.records.put(record, storedAt: storedAt)
    var record = record
    try record.visitFacts(FactStorer(tables: tables, storedAt: countedAt))
  }

  // MARK: Places

  private func move<Record: StoredRecord>(_ old: Record, _ new: Record) throws {
    let (before, after) = (old.places, new.places)
    for place in before where !after.contains(place) { try leave(place, new.recordID) }
    for place in after where !before.contains(place) {
      if case .list(let name, _) = place {
        // The place of an older record in the list is unknown.
        if let list = try tables.lists.list(name) { try tables.lists.forgetItems(of: list) }
      } else {
        try enter(place, new.recordID)
      }
    }
    for place in after where before.contains(place) { try reorder(place, new.recordID) }
  }

  /// Puts a changed record in its places if its earlier places are unknown.
  private func place<Record: StoredRecord>(_ record: Record) throws {
    let places = record.places
    for name in Set(places.compactMap { $0.count?.ofSubject }) {
      try tables.numbers.doubt(name.kind, of: name.key.first)
    }
    let lists = places.compactMap(\.list)
    // It may have been in any list about the same subject.
    for name in Set(lists.compactMap(\.ofSubject)) {
      for (list, key) in try tables.lists.all(name.kind) where JoinedKey.begins(key, with: name.key[0]) {
        let isIn = lists.contains { $0.kind == name.kind && JoinedKey.text($0.key).hasSameBytes(as: key) }
        let isShown = try tables.lists.index(of: record.recordID, in: list) != nil
        if isShown ? isIn : try !isIn && tables.lists.knownCount(of: list) == list.length { continue }
        try tables.lists.forgetItems(of: list)
      }
    }
  }

  /// Moves a changed record to the front or the end of lists in the order of changes.
  private func reorder(_ place: RecordPlace, _ id: String) throws {
    guard case .list(let name, let end?) = place, end.isInOrderOfChanges, let list = try tables.lists.list(name) else {
      return
    }
    guard !isRepeated, isUnchanged(list.sequence), try tables.lists.index(of: id, in: list) != nil else {
      return try tables.lists.forgetItems(of: list)
    }
    try tables.lists.remove(id, from: list)
    try enter(place, id)
  }

  private func enter(_ place: RecordPlace, _ id: String) throws {
    switch place {
    case .count(let name): try move(name, by: 1)
    case .list(let name, let end):
      guard let list = try tables.lists.list(name) else { return }
      if end?.isFirst == true, isUnchanged(list.sequence) {
        try tables.lists.insertFirst(id, into: list, storedAt: tables.now)
      } else if end?.isFirst == false, isUnchanged(list.sequence), let length = list.length {
        try tables.lists.insertLast(id, into: list, length: length, storedAt: tables.now)
      } else {
        try tables.lists.forgetItems(of: list)
      }
    }
  }

  /// Moves a count, unless an earlier attempt may have done so. A count that was read since the write was sent may
  /// contain it.
  private func move(_ name: CountName, by difference: Int64) throws {
    try tables.numbers.move(name, by: isRepeated ? 0 : difference, notCountedAt: isRepeated ? 0 : startedAt)
  }

  /// Takes the age from a place, unless it is a list that shows the record.
  private func doubt(_ place: RecordPlace, _ id: String) throws {
    switch place {
    case .count(let name): try tables.numbers.doubt(name)
    case .list(let name, _):
      guard let list = try tables.lists.list(name), try tables.lists.index(of: id, in: list) == nil else { return }
      try tables.lists.forgetItems(of: list)
    }
  }

  private func leave(_ place: RecordPlace, _ id: String) throws {
    switch place {
    case .count(let name): try move(name, by: -1)
    case .list(let name, _):
      if let list = try tables.lists.list(name) { try tables.lists.remove(id, from: list) }
    }
  }
}
