import NovaCore
import NovaOffline

/// Writes down the facts that a rule names, and fills in values that are not the default.
final class RecordingFacts: Facts {
  private(set) var names: [String] = []

  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) {
    names.append("count \(name.text)")
    value = 42
  }

  func relation(_ name: RelationName, _ value: inout Bool) {
    names.append("relation \(name.text)")
    value = true
  }

  func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) {
    names.append("relations \(kind)(\(a), \(others.joined(separator: " ")))")
    for other in others { values[other] = true }
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) {
    names.append("record \(Record.kind)/\(id)")
    record = Record()
    found = true
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) {
    names.append("record \(Record.kind)/\(id)")
    if let known = try? filled(Record.self) { record = known }
  }

  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) {
    names.append("records \(Record.kind)/\(ids.joined(separator: " "))")
    records = ids.map { _ in Record() }
  }

  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) {
    names.append("exists \(Record.kind)/\(id)")
    value = true
  }

  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) {
    names.append("ids \(page.text)\(end.text)")
    ids = ["1", "2"]
    fill(&end)
  }

  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) {
    names.append("\(Record.kind)s \(page.text)\(end.text)")
    records = [Record(), Record()]
    fill(&end)
  }

  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) throws -> Void
  ) throws {
    for id in ids {
      var value = values[id] ?? new()
      try visit(id, &value)
      values[id] = value
    }
  }

  func share<Record: StoredRecord>(_ records: inout [Record]) { names.append("share \(Record.kind)s") }

  func share<Part: RecordPart>(parts: inout [Part]) { names.append("share parts of \(Part.Whole.kind)s") }

  private func fill(_ end: inout PageEnd) {
    if end.total != nil { end.total = 42 }
    if end.hasMore != nil { end.hasMore = true }
  }
}

extension CountName {
  var text: String { "\(kind)[\(key.joined(separator: ", "))]" }
}

extension ListName {
  var text: String { "\(kind)[\(key.joined(separator: ", "))]" }
}

extension RelationName {
  var text: String { "\(kind)(\(a), \(b))" }
}

extension PageName {
  fileprivate var text: String {
    let limit = limit == .max ? "server's" : "\(limit)"
    return "\(list.text) from \(offset) limit \(limit)\(total.map { " of \($0.text)" } ?? "")"
  }
}

extension PageEnd {
  fileprivate var text: String { (total == nil ? "" : " with total") + (hasMore == nil ? "" : " with hasMore") }
}
