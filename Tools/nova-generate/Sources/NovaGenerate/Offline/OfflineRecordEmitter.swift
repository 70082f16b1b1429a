/// Writes what makes messages records, and parts of records.
struct OfflineRecordEmitter {
  let names: OfflineNames

  func source() throws -> String {
    let modules = Set(
      (names.config.records.map(\.message) + names.config.parts.map(\.message)).compactMap(names.module))
    var source = SourceText(imports: [], packageImports: Array(modules))
    for record in names.config.records { try add(record, to: &source) }
    for part in names.config.parts { try add(part, to: &source) }
    return source.text
  }

  private func add(_ record: OfflineConfig.Record, to source: inout SourceText) throws {
    let message = try names.message(record.message, at: record.place)
    let facts = FactSource(names: names, root: "self", message: message, place: record.place)
    let id = try names.field(record.id, of: message, at: record.place)
    source.add("", "extension \(message.name): StoredRecord {")
    source.add("package static let kind = \(SwiftNames.literal(message.name))", depth: 1)
    if id.type.swift != "String" { source.add("package static let hasNumericID = true", depth: 1) }
    source.add("package var recordID: String { \(try facts.key(.field(id.name, default: nil))) }", depth: 1)
    if let parent = record.parent {
      source.add("package static let haveChildren = true", depth: 1)
      let key = try facts.key(.field(parent, default: nil))
      source.add("package var parentID: String? { \(key).isEmpty ? nil : \(key) }", depth: 1)
    }
    if !record.listedIn.isEmpty || !record.countedBy.isEmpty {
      source.add("package var places: [RecordPlace] {", "  [", depth: 1)
      for list in record.listedIn {
        source.add(".list(\(try facts.list(list)), at: \(list.end.map { ".\($0)" } ?? "nil")),", depth: 3)
      }
      for count in record.countedBy { source.add(".count(\(try facts.count(count))),", depth: 3) }
      source.add("  ]", "}", depth: 1)
    }
    try addVisit(record.counts, facts, to: &source)
    source.add("}")
  }

  private func add(_ part: OfflineConfig.Part, to source: inout SourceText) throws {
    guard let whole = names.record(part.whole) else {
      throw part.place.error("is a part of \(part.whole), which is not one of the records")
    }
    let message = try names.message(part.message, at: part.place)
    let record = try names.message(whole.message, at: part.place)
    let facts = FactSource(names: names, root: "self", message: message, place: part.place)
    let fields = try part.fields.map { pair in
      let own = try names.field(pair.own, of: message, at: part.place)
      let other = try names.field(pair.whole, of: record, at: part.place)
      guard own.swiftType == other.swiftType else {
        throw part.place.error("has \(pair.own), which is of another type than \(pair.whole) of \(record.name)")
      }
      return (own: own.swiftName, whole: other.swiftName)
    }
    source.add("", "extension \(message.name): RecordPart {")
    source.add("package typealias Whole = \(record.name)", depth: 1)
    source.add("package var recordID: String { \(try facts.key(.field("id", default: nil))) }", depth: 1)
    source.add("package func update(_ record: inout \(record.name)) {", depth: 1)
    let id = try names.field(whole.id, of: record, at: part.place)
    source.add("record.\(id.swiftName) = self.id", depth: 2)
    for field in fields { source.add("record.\(field.whole) = self.\(field.own)", depth: 2) }
    source.add("}", depth: 1)
    source.add("package mutating func take(from record: \(record.name)) {", depth: 1)
    for field in fields { source.add("self.\(field.own) = record.\(field.whole)", depth: 2) }
    source.add("}", depth: 1)
    try addVisit(part.counts, facts, to: &source)
    source.add("}")
  }

  private func addVisit(
    _ counts: [OfflineConfig.NamedField], _ facts: FactSource, to source: inout SourceText
  ) throws {
    guard !counts.isEmpty else { return }
    source.add("package mutating func visitFacts(_ facts: any Facts) throws {", depth: 1)
    for count in counts {
      let field = try names.number(count.field, of: facts.message, at: facts.place)
      source.add("try facts.count(\(try facts.count(count.name)), &self.\(field.swiftName))", depth: 2)
    }
    source.add("}", depth: 1)
  }
}

extension OfflineNames {
  /// A field with a whole number.
  func number(_ name: String, of message: Message, at place: Place) throws -> Field {
    let field = try field(name, of: message, at: place)
    guard field.cardinality == .singular, ["Int", "Int64", "UInt64"].contains(field.type.swift) else {
      throw place.error("has \(name), which is no whole number in \(message.name)")
    }
    return field
  }
}
