import NovaCore

/// Takes the facts from an answer of the gateway, and stores them. Call within a transaction.
///
/// A rule visits each fact of the answer, and the tables keep it unless they have a newer one.
struct FactStorer: Facts {
  /// The tables. Their sequence is how many writes were confirmed when the answer was requested.
  let tables: FactTables
  /// When the gateway answered, in Unix milliseconds; 0 if a write was in progress, so that facts may be from before it.
  let storedAt: Int64

  // MARK: Numbers

  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) throws {
    try tables.numbers.put(name, Int64(clamping: value), storedAt: storedAt)
  }

  func relation(_ name: RelationName, _ value: inout Bool) throws {
    try tables.numbers.put(name, value, storedAt: storedAt)
  }

  func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) throws {
    // Of two ids that Swift takes for equal, the dictionary has only one entry.
    if others.twins != nil { return }
    for b in others {
      // Servers leave out what is false.
      try tables.numbers.put(RelationName(kind, from: a, to: b), values[b] ?? false, storedAt: storedAt)
    }
  }

  // MARK: Records

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) throws {
    if var whole = record, found { try store(&whole) } else { try storeGone(id, Record.self) }
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) throws { try store(&record) }

  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) throws {
    var found: Set<String> = []
    for index in records.indices {
      found.insert(records[index].recordID.byteKey)
      try store(&records[index])
    }
    for id in ids where found.add(id.byteKey) { try storeGone(id, Record.self) }
  }

  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) throws {
    if value { try tables.records.removeGone(Record.kind, id) } else { try storeGone(id, type) }
  }

  private func store<Record: StoredRecord>(_ record: inout Record) throws {
    guard !record.recordID.isEmpty else { return }
    try tables.records.put(record, storedAt: storedAt)
    try record.visitFacts(self)
  }

  private func storeGone<Record: StoredRecord>(_ id: String, _ type: Record.Type) throws {
    try tables.records.putGone(Record.kind, id, storedAt: storedAt)
  }

  // MARK: Lists

  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) throws { try store(ids, of: page, end: end) }

  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) throws {
    try share(&records)
    try store(records.map(\.recordID), of: page, end: end)
  }

  private func store(_ ids: [String], of page: PageName, end: PageEnd) throws {
    // A server that chooses the size of a page, and does not report more items, has sent them all.
    let isRest = page.limit == PageName.serversChoice && end.hasMore != true
    try tables.lists.storePage(
      ids, of: page.list, at: page.offset, length: length(ofListWith: ids.count, on: page, end: end), isRest: isRest,
      storedAt: storedAt)
    if let total = page.total, let count = end.total {
      try tables.numbers.put(total, Int64(count), storedAt: storedAt)
    }
  }

  /// How many items the list has, if the page shows it.
  private func length(ofListWith count: Int, on page: PageName, end: PageEnd) -> Int? {
    // A larger total could overflow.
    if let total = end.total { return min(max(total, 0), PageName.longestList) }
    let isShort = page.limit == PageName.serversChoice ? count == 0 : count < page.limit
    let isLast = end.hasMore.map { !$0 } ?? isShort
    // An empty page may be far after the end.
    return isLast && (count > 0 || page.offset == 0) ? page.offset + count : nil
  }

  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) throws -> Void
  ) throws {
    if ids.twins != nil { return }
    for id in ids {
      guard var value = values[id] else { continue }
      try visit(id, &value)
    }
  }

  // MARK: Records in answers that are stored as a whole

  func share<Record: StoredRecord>(_ records: inout [Record]) throws {
    for index in records.indices { try store(&records[index]) }
  }

  func share<Part: RecordPart>(parts: inout [Part]) throws {
    for index in parts.indices where !parts[index].recordID.isEmpty {
      try store(parts[index])
      try parts[index].visitFacts(self)
    }
  }

  private func store<Part: RecordPart>(_ part: Part) throws {
    switch try tables.records.entry(part.recordID, Part.Whole.self) {
    case .whole(var record, let time):
      let before = record
      part.update(&record)
      // A changed record is as old as its oldest field.
      if record != before { try tables.records.put(record, storedAt: min(time, storedAt)) }
    case .part, .gone, nil:
      var record = Part.Whole()
      part.update(&record)
      try tables.records.put(record, isWhole: false, storedAt: storedAt)
    }
  }
}
