import NovaCore

/// The facts that waiting writes themselves tell, for their answers when nothing stored can be read.
final class WaitingFacts: Facts {
  private let overlay: Overlay

  init(_ overlay: Overlay) { self.overlay = overlay }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) {
    record = overlay.guess(id, Record.self)
    found = record != nil
  }

  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) {
    if let guess = overlay.guess(id, Record.self) { record = guess }
  }

  func relation(_ name: RelationName, _ value: inout Bool) {
    if let waiting = overlay.relations[name] { value = waiting.isRelated }
  }

  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) {}
  func relations(_ kind: String, _ a: String, to others: [String], _ values: inout [String: Bool]) {}
  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) {}
  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) {}
  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) {}
  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) {}
  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) -> Void
  ) {}
  func share<Record: StoredRecord>(_ records: inout [Record]) {}
  func share<Part: RecordPart>(parts: inout [Part]) {}
}
