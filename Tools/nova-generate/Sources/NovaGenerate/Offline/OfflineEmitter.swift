/// Writes the rules by which clients store answers and keep writes.
struct OfflineEmitter {
  let contract: Contract
  let names: OfflineNames

  init(contract: Contract, config: OfflineConfig) throws {
    self.contract = contract
    names = try OfflineNames(contract: contract, config: config)
    try OfflineCheck(contract: contract, names: names).run()
  }

  /// File name to content.
  func files() throws -> [String: String] {
    [
      "StoredRecords.swift": try OfflineRecordEmitter(names: names).source(),
      "ReadRules.swift": try OfflineReadEmitter(names: names).source(),
      "WriteRules.swift": try OfflineWriteEmitter(names: names).source(),
      "EventRules.swift": try OfflineEventEmitter(names: names).source(),
      "OfflineRules.swift": tables(),
    ]
  }

  private func tables() -> String {
    let config = names.config
    var source = SourceText(
      imports: [], internalImports: Array(Set(config.records.compactMap { names.module(of: $0.message) })))
    source.add("", "extension OfflineRules {", "  /// The relations between records.")
    source.add("package static let relations: [RelationRule] = [", depth: 1)
    for relation in config.relations { source.add("\(rule(relation)),", depth: 2) }
    source.add("]", "", depth: 1)
    source.add(
      "/// What lists and counts are about: the kind of the record whose id is their first key, or `b` of a relation.",
      "/// Without that record, lists are empty, counts zero, and relations false.",
      "package static let subjects: [String: String] = [", depth: 1)
    for (name, kind) in names.subjects.sorted(by: { $0.key < $1.key }) {
      source.add("\(SwiftNames.literal(name)): \(SwiftNames.literal(kind)),", depth: 2)
    }
    source.add(names.subjects.isEmpty ? "  :]" : "]", "", depth: 1)
    source.add("/// The records, by kind.", "package static let records: [String: any StoredRecord.Type] = [", depth: 1)
    for record in config.records.map(\.message).sorted() {
      source.add("\(SwiftNames.literal(record)): \(record).self,", depth: 2)
    }
    source.add(config.records.isEmpty ? "  :]" : "]", "", depth: 1)
    add("neverStored", of: config.neverStored, "Reads whose answers are not stored.", to: &source)
    source.add("")
    add("neverQueued", of: config.neverQueued, "Writes that are sent at once or not at all.", to: &source)
    source.add("}")
    return source.text
  }

  private func rule(_ relation: OfflineConfig.Relation) -> String {
    var lists: [String] = []
    var counts: [String] = []
    for (name, item, key) in [(relation.ofB, "a", "b"), (relation.ofA, "b", "a")] {
      guard let name = name.map(SwiftNames.literal) else { continue }
      lists.append("(kind: \(name), item: .\(item), key: .\(key))")
      counts.append("(kind: \(name), key: .\(key))")
    }
    let changes = OfflineConfig.RelationChange.allCases.filter(relation.visibility.contains).map { ".\($0)" }
    let visibility = changes.isEmpty ? "" : ", visibility: [\(changes.joined(separator: ", "))]"
    return "RelationRule(kind: \(SwiftNames.literal(relation.name)), lists: [\(lists.joined(separator: ", "))], "
      + "counts: [\(counts.joined(separator: ", "))]\(visibility))"
  }

  private func add(
    _ name: String, of entries: [OfflineConfig.Exception], _ text: String, to source: inout SourceText
  ) {
    source.add("/// \(text)", "package static let \(name): Set<String> = [", depth: 1)
    for rpc in entries.map(\.rpc).sorted() { source.add("\(SwiftNames.literal(rpc)),", depth: 2) }
    source.add("]", depth: 1)
  }
}
