/// Writes the rules of writes.
struct OfflineWriteEmitter {
  let names: OfflineNames

  func source() throws -> String {
    let writes = try names.config.writes.map { ($0, try names.call($0.rpc, at: $0.place)) }
    let others = try names.config.neverQueued.filter { !$0.expires.isEmpty }.map { entry in
      (entry, try names.call(entry.rpc, at: entry.place))
    }
    let calls = writes.map(\.1) + others.map(\.1)
    let checks = try writes.compactMap { write, _ in try write.check.map { try names.call($0, at: write.place) } }
    let modules = Set((calls + checks).map(\.package.module.name) + ["NovaCore"])
    var source = SourceText(imports: [], internalImports: Array(modules))
    source.add("", "extension OfflineRules {", "  /// The rules of writes, in the order of `gateway.yaml`.")
    source.add("package static let writes: [WriteRule] = [", depth: 1)
    for call in calls { source.add("\(call.constant),", depth: 2) }
    source.add("]", depth: 1)
    for (write, call) in writes {
      source.add("")
      try WriteRuleEmitter(names: names, write: write, call: call).add(to: &source)
    }
    for (entry, call) in others {
      source.add("", "  private static let \(call.constant) = WriteRule(")
      source.add("\(call.source), canWait: false,", depth: 2)
      source.add("effect: { request, response, change in", depth: 2)
      for line in try names.expiry(entry.expires, at: entry.place) { source.add(line, depth: 3) }
      source.add("})", depth: 2)
    }
    source.add("}")
    return source.text
  }
}

extension OfflineNames {
  /// Lets reads that are stored as a whole expire.
  func expiry(_ reads: [String], at place: Place) throws -> [String] {
    try reads.map { rpc in
      guard config.reads.contains(where: { $0.rpc == rpc && $0.isWhole }) else {
        throw place.error("expires \(rpc), which is not a read that is stored as a whole")
      }
      return "try change.expire(\(SwiftNames.literal(rpc)))"
    }
  }
}

/// Writes the rule of one write.
struct WriteRuleEmitter {
  let names: OfflineNames
  let write: OfflineConfig.Write
  let call: OfflineCall

  private var place: OfflineConfig.Place { write.place }
  private var facts: FactSource { FactSource(names: names, root: "request", message: call.request, place: place) }

  func add(to source: inout SourceText) throws {
    let targets = [write.creates, write.updates?.kind, write.removes?.kind].compactMap(\.self)
    guard targets.count <= 1 else { throw place.error("takes at most one of creates, updates and removes") }
    let change = try RecordChange(names: names, write: write, call: call)
    source.add("private static let \(call.constant) = WriteRule(", depth: 1)
    source.add("\(call.source)\(try arguments()),", depth: 2)
    source.add("entities: { request in entities(\(try subjects(change).joined(separator: ", "))) },", depth: 2)
    if let check = try WriteCheckEmitter(names: names, write: write, call: call, change: change).lines() {
      source.add("check: { request in", depth: 2)
      for line in check { source.add(line, depth: 3) }
      source.add("},", depth: 2)
    }
    source.add("effect: { request, response, change in", depth: 2)
    let effect = try effect(change)
    guard !effect.isEmpty else { throw place.error("changes nothing") }
    for line in effect { source.add(line, depth: 3) }
    let answer = try answer(change)
    source.add(answer.isEmpty ? "})" : "},", depth: 2)
    if !answer.isEmpty {
      source.add("answer: { request, newID, facts in", "  var response = \(call.response.name)()", depth: 2)
      for line in answer { source.add(line, depth: 3) }
      source.add("  return response", "})", depth: 2)
    }
    if let draft = change?.draft() {
      source.add("")
      for line in draft { source.add(line, depth: 1) }
    }
  }

  private func arguments() throws -> String {
    var arguments = ""
    if let record = write.creates { arguments += ", creates: \(record).self" }
    if let opposite = write.opposite, let relation = write.relation {
      let key = FactSource(names: names, root: "$0", message: call.request, place: place)
      arguments += ", undoneBy: \(SwiftNames.literal(opposite)), "
      arguments += "setting: { \(try key.relation(relation.name)) }, to: \(relation.isRelated)"
    }
    return arguments
  }

  /// What the write is about: relations with what they are to, records, the lists that new ones join.
  private func subjects(_ change: RecordChange?) throws -> [String] {
    var subjects: [String] = []
    for name in write.sets + write.clears {
      subjects.append(try facts.subject(name))
      guard let relation = names.relation(name.kind) else { continue }
      subjects.append(try #"("\#(relation.b)", [\#(facts.key(name.keys[1]))])"#)
      if let list = relation.ofA { subjects.append(try #"("\#(list)", [\#(facts.key(name.keys[0]))])"#) }
    }
    for name in [write.updates, write.removes].compactMap(\.self) { subjects.append(try facts.subject(name)) }
    if let change, write.creates != nil { subjects += try change.joinedLists() }
    subjects += try write.about.map(facts.subject)
    var seen: Set<String> = []
    return subjects.filter { seen.insert($0).inserted }
  }

  private func effect(_ change: RecordChange?) throws -> [String] {
    var lines = try write.sets.map { "try change.relate(\(try facts.relation($0)), true)" }
    lines += try write.clears.map { "try change.relate(\(try facts.relation($0)), false)" }
    if let change { lines += try change.effect() }
    if let removed = write.removes {
      lines.append("try change.remove(\(removed.kind).self, \(try facts.id(removed)))")
    }
    let counts = try write.counts.map { entry in
      let field = try names.number(entry.field, of: call.response, at: place)
      return (name: try facts.count(entry.name), field: field.swiftName)
    }
    let raises = try write.raises.map { "try change.raise(\(try facts.count($0)))" }
    if counts.isEmpty {
      lines += raises
    } else {
      lines.append("if let response {")
      lines += counts.map { "  try change.set(\($0.name), to: Int64(response.\($0.field)))" }
      lines += raises.isEmpty ? ["}"] : ["} else {"] + raises.map { "  \($0)" } + ["}"]
    }
    return try lines + names.expiry(write.expires, at: place)
  }

  /// The answer while the write waits: what of it is known already.
  private func answer(_ change: RecordChange?) throws -> [String] {
    var lines: [String] = []
    for field in call.response.fields where field.cardinality == .singular {
      if field.name == "success", field.type.swift == "Bool" {
        lines.append("response.success = true")
      } else if let own = call.request.fields.first(where: { $0.name == field.name }), own.swiftType == field.swiftType
      {
        lines.append("response.\(field.swiftName) = request.\(own.swiftName)")
      }
    }
    if let change { lines.append(try change.answer()) }
    for entry in write.counts {
      let field = try names.number(entry.field, of: call.response, at: place)
      lines.append("try facts.count(\(try facts.count(entry.name)), &response.\(field.swiftName))")
    }
    // Fields of a record that is the whole answer come from the record.
    return change?.isWholeAnswer == true ? lines.filter { $0.hasPrefix("try facts.") } : lines
  }
}
