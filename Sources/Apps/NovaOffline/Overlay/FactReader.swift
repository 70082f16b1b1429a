import NovaCore
import NovaUsers

/// Puts facts into an answer: the stored ones, with the changes of waiting writes on top.
///
/// A rule visits each fact of its answer, and the reader sets it. If a fact is unknown, the answer is missing. Inside
/// of ``tolerating(_:)``, an unknown fact keeps the value that it has: the fields of a record that are stored as facts
/// of their own, and the answers of waiting writes, are shown as far as they are known.
final class FactReader: Facts {
  let tables: FactTables
  let overlay: Overlay
  private let waiting: WaitingChanges

  /// Whether a fact of the answer is unknown, so that there is no answer.
  private(set) var isMissing = false
  /// Why facts could not be read.
  private(set) var failure: (any Error)?
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

  private func missing() { if optionalDepth == 0 { isMissing = true } }

  /// Runs `body` unless the answer has failed or lacks a fact.
  private func reading(_ body: () throws -> Void) {
    guard failure == nil, !isMissing else { return }
    do { try body() } catch { failure = error }
  }

  /// Runs `body`, in which facts may be unknown.
  func tolerating<Value>(_ body: () -> Value) -> Value {
    optionalDepth += 1
    defer { optionalDepth -= 1 }
    return body()
  }

  // MARK: Numbers

  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) {
    reading {
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
          missing()
        }
      }
    }
  }

  func relation(_ name: RelationName, _ value: inout Bool) {
    reading {
      if let isRelated = try relation(name) { value = isRelated } else { missing() }
    }
  }

  func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) {
    reading {
      // Of two ids that Swift takes for equal, the dictionary has only one entry.
      if others.twins != nil { return missing() }
      for b in others {
        guard let isRelated = try relation(RelationName(kind, from: a, to: b)) else { return missing() }
        values[b] = isRelated
      }
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

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) {
    reading {
      switch try shown(id, Record.self) {
      case .gone: (record, found) = (nil, false)
      case .whole(let shown): (record, found) = (shown, true)
      case .part, nil:
        // The answer of a waiting write shows what the write itself states about the record.
        if optionalDepth > 0, let guess = overlay.guess(id, Record.self) {
          (record, found) = (guess, true)
        } else {
          missing()
        }
      }
    }
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) {
    reading {
      if case .whole(let shown) = try shown(id, Record.self) { record = shown } else { missing() }
    }
  }

  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) {
    reading {
      for id in ids {
        switch try shown(id, Record.self) {
        case .gone: continue
        case .whole(let shown): records.append(shown)
        case .part, nil: return missing()
        }
      }
    }
  }

  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) {
    reading {
      switch try shown(id, type) {
      case .gone: value = false
      case .whole, .part: value = true
      case nil: missing()
      }
    }
  }

  private enum Shown<Record> {
    case gone, part(Record), whole(Record)
  }

  private func shown<Record: StoredRecord>(_ id: String, _ type: Record.Type) throws -> Shown<Record>? {
    let key = RecordKey(Record.kind, id)
    if try waiting.removed()[key] != nil { return .gone }
    if let waiting = overlay.created[key]?.record as? Record { return .whole(visited(waiting)) }
    switch try tables.records.entry(id, type) {
    case .gone(let time):
      note(time)
      return .gone
    case .part(let record, let time):
      note(time)
      return .part(visited(overlay.patched(record, key)))
    case .whole(let record, let time):
      note(time)
      used.records[Record.kind, default: []].insert(id)
      return .whole(visited(overlay.patched(record, key)))
    case nil: return nil
    }
  }

  /// The record with the facts that are stored separately, as far as they are known.
  private func visited<Record: StoredRecord>(_ record: Record) -> Record {
    var record = record
    tolerating { record.visitFacts(self) }
    return record
  }

  // MARK: Lists

  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) {
    reading {
      guard let window = try window(page) else { return missing() }
      ids = window.ids
      end = window.end
    }
  }

  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) {
    reading {
      guard let window = try window(page) else { return missing() }
      self.records(window.ids, &records)
      // A list with a record that is gone is not up to date.
      if records.count != window.ids.count { missing() }
      end = window.end
    }
  }

  private func window(_ page: PageName) throws -> (ids: [String], end: PageEnd)? {
    guard (0..<PageName.longestList).contains(page.offset), page.limit >= 0 else { return nil }
    switch try subject(of: page.list.kind, page.list.key.first, isRelation: false) {
    case .gone: return ([], PageEnd(total: 0, hasMore: false))
    case .new: return try ListWindow(of: nil, page, self).read(waiting)
    case .stored:
      guard let list = try tables.lists.list(page.list) else { return nil }
      used.lists.insert(list.number)
      return try ListWindow(of: list, page, self).read(waiting)
    }
  }

  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) -> Void
  ) {
    if ids.twins != nil { return missing() }
    for id in ids {
      var value = values[id] ?? new()
      visit(id, &value)
      values[id] = value
    }
  }

  // MARK: Records in answers that are stored as a whole

  func share<Record: StoredRecord>(_ records: inout [Record]) {
    reading {
      records = try records.compactMap { record in
        switch try shown(record.recordID, Record.self) {
        case .gone: return nil
        case .whole(let shown): return shown
        case .part, nil: return visited(record)
        }
      }
    }
  }

  func share<Part: RecordPart>(parts: inout [Part]) {
    reading {
      parts = try parts.compactMap { part in
        var part = part
        switch try shown(part.recordID, Part.Whole.self) {
        case .gone: return nil
        case .whole(let record), .part(let record): part.take(from: record)
        case nil: break
        }
        tolerating { part.visitFacts(self) }
        return part
      }
    }
  }
}
