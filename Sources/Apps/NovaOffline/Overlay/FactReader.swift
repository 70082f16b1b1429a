import NovaCore
import NovaUsers

/// Puts facts into an answer: the stored ones, with the changes of waiting writes on top.
///
/// A rule visits each fact of its answer, and the reader sets it. An unknown fact throws ``MissingFact``, so that there
/// is no answer. Inside of ``tolerating(_:)``, it keeps its value instead: the fields of a record that are facts of
/// their own may be unknown, and so may those of a waiting write's answer.
final class FactReader: Facts {
  let tables: FactTables
  let overlay: Overlay
  private let waiting: WaitingChanges

  /// When the gateway stated the oldest fact, in Unix milliseconds; 0 if that is not sure; nil without stored facts.
  private(set) var storedAt: Int64?
  private(set) var used = FactUse()
  /// How many calls of ``tolerating(_:)`` are in progress.
  private var optionalDepth = 0

  init(_ tables: FactTables, _ overlay: Overlay) {
    self.tables = tables
    self.overlay = overlay
    waiting = WaitingChanges(tables, overlay)
  }

  /// Notes the age of a fact in the answer.
  func note(_ time: Int64) { storedAt = min(storedAt ?? .max, time) }

  /// The stored answer of a read that is stored as a whole; nil without one.
  func response(of rule: ReadRule, to request: any ProtoMessage) throws -> (any ProtoMessage)? {
    guard let stored = try tables.responses.entry(rule.rpc.id, request: request.canonicalText()),
      let response = try? rule.rpc.responseType.init(jsonUTF8: stored.body)
    else { return nil }
    used.responses.insert(stored.number)
    note(overlay.expired.contains(rule.rpc.id) ? 0 : stored.storedAt)
    return response
  }

  /// A fact of the answer is unknown.
  private func missing() throws(MissingFact) { if optionalDepth == 0 { throw MissingFact() } }

  /// Runs `body`, in which facts may be unknown.
  func tolerating<Value>(_ body: () throws -> Value) rethrows -> Value {
    optionalDepth += 1
    defer { optionalDepth -= 1 }
    return try body()
  }

  // MARK: Numbers

  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) throws {
    switch try subject(of: name.kind, name.key.first, isRelation: false) {
    case .gone: value = 0
    case .new: value = Number(clamping: max(0, try waiting.difference(of: name)))
    case .stored:
      if let stored = try tables.count(name) {
        note(stored.storedAt)
        value = Number(clamping: max(0, stored.value + (try waiting.difference(of: name))))
      } else if optionalDepth > 0 {
        // The field of the record may be older than a write.
        note(0)
        value = Number(clamping: max(0, Int64(clamping: value) + (try waiting.difference(of: name))))
      } else {
        try missing()
      }
    }
  }

  func relation(_ name: RelationName, _ value: inout Bool) throws {
    if let isRelated = try relation(name) { value = isRelated } else { try missing() }
  }

  func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) throws {
    // Of two ids that Swift takes for equal, the dictionary has only one entry.
    if others.twins != nil { return try missing() }
    for b in others {
      guard let isRelated = try relation(RelationName(kind, from: a, to: b)) else { return try missing() }
      values[b] = isRelated
    }
  }

  private func relation(_ name: RelationName) throws -> Bool? {
    switch try subject(of: name.kind, name.b, isRelation: true) {
    case .gone: return false
    case .new: return overlay.relations[name]?.isRelated ?? false
    case .stored:
      if let waiting = overlay.relations[name] { return waiting.isRelated }
      guard let stored = try tables.relation(name) else { return nil }
      note(stored.storedAt)
      return stored.isRelated
    }
  }

  // MARK: Subjects

  private enum Subject { case stored, gone, new }

  /// The state of the record that a count, list or relation is about: stored or unknown, gone, or created by a waiting
  /// write.
  private func subject(of kind: String, _ id: String?, isRelation: Bool) throws -> Subject {
    // A list with the name of its relation has `a` as its key.
    if !isRelation, OfflineRules.relation(kind) != nil { return .stored }
    // No call creates or removes profiles, and users without a profile can follow and like.
    guard let recordKind = OfflineRules.subjects[kind], recordKind != UserProfile.kind, let id else {
      return .stored
    }
    let record = RecordKey(recordKind, id)
    if overlay.created[record] != nil { return .new }
    if overlay.removed[record] != nil { return .gone }
    guard let goneSince = try tables.records.goneSince(recordKind, id) else { return .stored }
    note(goneSince)
    return .gone
  }

  // MARK: Records

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) throws {
    switch try shown(id, Record.self) {
    case .gone: (record, found) = (nil, false)
    case .whole(let shown): (record, found) = (shown, true)
    case .part, nil:
      // The answer of a waiting write shows what the write itself states about the record.
      if optionalDepth > 0, let guess = overlay.guess(id, Record.self) {
        (record, found) = (guess, true)
      } else {
        try missing()
      }
    }
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) throws {
    if case .whole(let shown) = try shown(id, Record.self) { record = shown } else { try missing() }
  }

  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) throws {
    for id in ids {
      switch try shown(id, Record.self) {
      case .gone: continue
      case .whole(let shown): records.append(shown)
      case .part, nil: return try missing()
      }
    }
  }

  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) throws {
    switch try shown(id, type) {
    case .gone: value = false
    case .whole, .part: value = true
    case nil: try missing()
    }
  }

  private enum Shown<Record> {
    case gone, part(Record), whole(Record)
  }

  private func shown<Record: StoredRecord>(_ id: String, _ type: Record.Type) throws -> Shown<Record>? {
    let key = RecordKey(Record.kind, id)
    if try waiting.removed()[key] != nil { return .gone }
    if let waiting = overlay.created[key]?.record as? Record { return .whole(try visited(waiting)) }
    switch try tables.records.entry(id, type) {
    case .gone(let time):
      note(time)
      return .gone
    case .part(let record, let time):
      note(time)
      return .part(try visited(overlay.patched(record, key)))
    case .whole(let record, let time):
      note(time)
      used.records[Record.kind, default: []].insert(id)
      return .whole(try visited(overlay.patched(record, key)))
    case nil: return nil
    }
  }

  /// The record with the known ones of its facts that are stored separately.
  private func visited<Record: StoredRecord>(_ record: Record) throws -> Record {
    var record = record
    try tolerating { try record.visitFacts(self) }
    return record
  }

  // MARK: Lists

  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) throws {
    guard let window = try window(page) else { return try missing() }
    ids = window.ids
    end = window.end
  }

  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) throws {
    guard let window = try window(page) else { return try missing() }
    try self.records(window.ids, &records)
    // A list with a record that is gone is not up to date.
    if records.count != window.ids.count { try missing() }
    end = window.end
  }

  private func window(_ page: PageName) throws -> (ids: [String], end: PageEnd)? {
    guard (0..<PageName.longestList).contains(page.offset), page.limit >= 0 else { return nil }
    switch try subject(of: page.list.kind, page.list.key.first, isRelation: false) {
    case .gone: return ([], PageEnd(total: 0, hasMore: false))
    case .new: return try ListWindow(list: nil, page: page, reader: self).read(waiting)
    case .stored:
      guard let list = try tables.lists.list(page.list) else { return nil }
      used.lists.insert(list.number)
      return try ListWindow(list: list, page: page, reader: self).read(waiting)
    }
  }

  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) throws -> Void
  ) throws {
    if ids.twins != nil { return try missing() }
    for id in ids {
      var value = values[id] ?? new()
      try visit(id, &value)
      values[id] = value
    }
  }

  // MARK: Records in answers that are stored as a whole

  func share<Record: StoredRecord>(_ records: inout [Record]) throws {
    records = try records.compactMap { record in
      switch try shown(record.recordID, Record.self) {
      case .gone: return nil
      case .whole(let shown): return shown
      case .part, nil: return try visited(record)
      }
    }
  }

  func share<Part: RecordPart>(parts: inout [Part]) throws {
    parts = try parts.compactMap { part in
      var part = part
      switch try shown(part.recordID, Part.Whole.self) {
      case .gone: return nil
      case .whole(let record), .part(let record): part.take(from: record)
      case nil: break
      }
      try tolerating { try part.visitFacts(self) }
      return part
    }
  }
}

/// A fact of an answer is unknown, so that there is no answer from the store.
struct MissingFact: Error {}
