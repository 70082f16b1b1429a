import NovaCore

/// Takes the facts from an answer of the gateway, and stores them. Call within a transaction.
///
/// A rule visits each fact of the answer, and the tables keep it unless they have a newer one.
final class FactStorer: Facts {
  private let tables: FactTables
  /// How many writes were confirmed when the answer was requested.
  private let sequence: Int64
  /// When the gateway answered, in Unix milliseconds; 0 if a write was in progress, so that facts may be from before it.
  private let storedAt: Int64
  /// Why facts could not be stored.
  private(set) var failure: (any Error)?

  init(_ tables: FactTables, sequence: Int64, storedAt: Int64) {
    self.tables = tables
    self.sequence = sequence
    self.storedAt = storedAt
  }

  private func storing(_ body: () throws -> Void) {
    guard failure == nil else { return }
    do { try body() } catch { failure = error }
  }

  // MARK: Numbers

  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) {
    let count = min(max(Int64(clamping: value), 0), Int64(PageName.longestList))
    storing { try tables.numbers.put(name, count, sequence: sequence, storedAt: storedAt) }
  }

  func relation(_ name: RelationName, _ value: inout Bool) {
    let isRelated = value
    storing { try tables.numbers.put(name, isRelated, sequence: sequence, storedAt: storedAt) }
  }

  func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) {
    // Of two ids that Swift takes for equal, the dictionary has only one entry.
    if others.twins != nil { return }
    for b in others {
      // Servers leave out what is false.
      var isRelated = values[b] ?? false
      relation(RelationName(kind, from: a, to: b), &isRelated)
    }
  }

  // MARK: Records

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) {
    if var whole = record, found { store(&whole) } else { storeGone(id, Record.self) }
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) { store(&record) }

  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) {
    var found: Set<String> = []
    for index in records.indices {
      found.insert(records[index].recordID.byteKey)
      store(&records[index])
    }
    for id in ids where found.add(id.byteKey) { storeGone(id, Record.self) }
  }

  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) {
    guard value else { return storeGone(id, type) }
    storing { try tables.records.removeGone(Record.kind, id, sequence: sequence) }
  }

  private func store<Record: StoredRecord>(_ record: inout Record) {
    guard !record.recordID.isEmpty else { return }
    let whole = record
    storing { try tables.records.put(whole, sequence: sequence, storedAt: storedAt) }
    record.visitFacts(self)
  }

  private func storeGone<Record: StoredRecord>(_ id: String, _ type: Record.Type) {
    storing { try tables.records.putGone(Record.kind, id, sequence: sequence, storedAt: storedAt) }
  }

  // MARK: Lists

  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) {
    let (ids, end) = (ids, end.bounded)
    storing { try store(ids, of: page, end: end) }
  }

  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) {
    for index in records.indices { store(&records[index]) }
    let (ids, end) = (records.map(\.recordID), end.bounded)
    storing { try store(ids, of: page, end: end) }
  }

  private func store(_ ids: [String], of page: PageName, end: PageEnd) throws {
    // A server that chooses the size of a page, and does not report more items, has sent them all.
    let isRest = page.limit == PageName.serversChoice && end.hasMore != true
    try tables.lists.storePage(
      ids, of: page.list, at: page.offset, length: length(ofListWith: ids.count, on: page, end: end), isRest: isRest,
      sequence: sequence,
      storedAt: storedAt)
    if let total = page.total, let count = end.total {
      try tables.numbers.put(total, Int64(count), sequence: sequence, storedAt: storedAt)
    }
  }

  /// How many items the list has, if the page shows it.
  private func length(ofListWith count: Int, on page: PageName, end: PageEnd) -> Int? {
    if let total = end.total { return max(total, 0) }
    let isShort = page.limit == PageName.serversChoice ? count == 0 : count < page.limit
    let isLast = end.hasMore.map { !$0 } ?? isShort
    // An empty page may be far after the end.
    return isLast && (count > 0 || page.offset == 0) ? page.offset + count : nil
  }

  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) -> Void
  ) {
    if ids.twins != nil { return }
    for id in ids {
      guard var value = values[id] else { continue }
      visit(id, &value)
    }
  }

  // MARK: Records in answers that are stored as a whole

  func share<Record: StoredRecord>(_ records: inout [Record]) {
    for index in records.indices { store(&records[index]) }
  }

  func share<Part: RecordPart>(parts: inout [Part]) {
    for index in parts.indices {
      let part = parts[index]
      guard !part.recordID.isEmpty else { continue }
      storing { try store(part) }
      parts[index].visitFacts(self)
    }
  }

  private func store<Part: RecordPart>(_ part: Part) throws {
    switch try tables.records.entry(part.recordID, Part.Whole.self) {
    case .whole(var record, let time):
      let before = record
      part.update(&record)
      // A changed record is as old as its oldest field.
      if record != before { try tables.records.put(record, sequence: sequence, storedAt: min(time, storedAt)) }
    case .part, .gone, nil:
      var record = Part.Whole()
      part.update(&record)
      try tables.records.put(record, isWhole: false, sequence: sequence, storedAt: storedAt)
    }
  }
}

extension PageEnd {
  /// With a total that cannot overflow.
  fileprivate var bounded: PageEnd {
    PageEnd(total: total.map { min(max($0, 0), PageName.longestList) }, hasMore: hasMore)
  }
}
