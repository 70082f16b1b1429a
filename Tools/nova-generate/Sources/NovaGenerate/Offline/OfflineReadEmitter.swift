/// Writes the rules of reads.
struct OfflineReadEmitter {
  let names: OfflineNames

  func source() throws -> String {
    let calls = try names.config.reads.map { try names.call($0.rpc, at: $0.place) }
    let modules = Set(calls.map(\.package.module.name) + ["NovaCore"])
    var source = SourceText(imports: [], internalImports: Array(modules))
    source.add("", "extension OfflineRules {", "  /// The rules of reads, in the order of `gateway.yaml`.")
    source.add("package static let reads: [ReadRule] = [", depth: 1)
    for call in calls { source.add("\(call.constant),", depth: 2) }
    source.add("]", depth: 1)
    for (read, call) in zip(names.config.reads, calls) {
      let rule = RuleWriter(names: names, read: read, call: call)
      source.add("")
      try rule.add(to: &source)
    }
    source.add("}")
    return source.text
  }

  private struct RuleWriter {
    let names: OfflineNames
    let read: OfflineConfig.Read
    let call: OfflineCall

    private var place: OfflineConfig.Place { read.place }
    private var facts: FactSource { FactSource(names: names, root: "request", message: call.request, place: place) }

    func add(to source: inout SourceText) throws {
      let seconds = read.timeToLive ?? names.config.timeToLive
      let recorded = read.isWhole ? ", isRecorded: true" : ""
      source.add("private static let \(call.constant) = ReadRule(", depth: 1)
      source.add("\(call.source), timeToLive: .seconds(\(seconds))\(recorded)", depth: 2)
      source.add(") { request, response, facts in", depth: 1)
      for line in try lines() { source.add(line, depth: 2) }
      source.add("}", depth: 1)
    }

    private func lines() throws -> [String] {
      var lines = try page()
      lines += try read.relations.map(relation)
      lines += try records()
      if read.page == nil { lines += try counts() }
      lines += try shares()
      guard read.isWhole || !lines.isEmpty else { throw place.error("names no fact of the answer") }
      return lines
    }

    private func relation(_ entry: OfflineConfig.NamedField) throws -> String {
      let field = try names.field(entry.field, of: call.response, at: place)
      let (swift, name) = (field.swiftName, SwiftNames.literal(entry.name.kind))
      guard let batch = try facts.batch(entry.name) else {
        guard field.swiftType == "Bool" else { throw place.error("has \(entry.field), which is not true or false") }
        return "try facts.relation(\(try facts.relation(entry.name)), &response.\(swift))"
      }
      guard field.swiftType == "[String: Bool]", case .field(batch.name, _)? = entry.name.keys.last else {
        throw place.error("has \(entry.field), which is not a map of each \(batch.name) to true or false")
      }
      try names.requireRelation(entry.name, at: place)
      let a = try facts.key(entry.name.keys[0])
      return "try facts.relations(\(name), from: \(a), to: request.\(batch.swiftName), &response.\(swift))"
    }

    private func counts() throws -> [String] {
      var lines: [String] = []
      var values: [(field: String, lines: [String], ids: Field)] = []
      for entry in read.counts {
        let path = entry.field.split(separator: ".").map(String.init)
        guard path.count == 2 else {
          let field = try names.number(entry.field, of: call.response, at: place)
          lines.append("try facts.count(\(try facts.count(entry.name)), &response.\(field.swiftName))")
          continue
        }
        guard let ids = try facts.batch(entry.name) else {
          throw place.error("has \(entry.field), but no field of ids in brackets")
        }
        var each = facts
        each.each = "id"
        let number = try names.number(path[1], of: try value(of: path[0]), at: place)
        let line = "try facts.count(\(try each.count(entry.name)), &value.\(number.swiftName))"
        if let index = values.firstIndex(where: { $0.field == path[0] && $0.ids.name == ids.name }) {
          values[index].lines.append(line)
        } else {
          values.append((path[0], [line], ids))
        }
      }
      for group in values {
        let (field, type) = (SwiftNames.lowerCamelCase(group.field), try value(of: group.field).name)
        lines.append(
          "try facts.values(for: request.\(group.ids.swiftName), &response.\(field), new: { \(type)() }) { id, value in"
        )
        lines += group.lines.map { "  \($0)" } + ["}"]
      }
      return lines
    }

    /// The messages in a map by id.
    private func value(of name: String) throws -> Message {
      let field = try names.field(name, of: call.response, at: place)
      guard case .map(let key) = field.cardinality, key.swift == "String", field.type.kind.hasPrefix(".message") else {
        throw place.error("has \(name), which is not a map of ids to messages")
      }
      return try names.message(field.type.swift, at: place)
    }

    private func records() throws -> [String] {
      var lines: [String] = []
      var exists = read.exists
      for entry in read.records {
        try names.requireRecord(entry.name, at: place)
        let kind = entry.name.kind
        if entry.field == "." {
          guard call.response.name == kind else { throw place.error("has ., but does not return a \(kind)") }
          lines.append("try facts.record(\(try facts.id(entry.name)), &response)")
          continue
        }
        let field = try names.field(entry.field, of: call.response, at: place)
        if let batch = try facts.batch(entry.name) {
          guard field.swiftType == "[\(kind)]" else {
            throw place.error("has \(entry.field), which is no list of \(kind)")
          }
          lines.append("try facts.records(request.\(batch.swiftName), &response.\(field.swiftName))")
          continue
        }
        guard field.swiftType == "\(kind)?" else { throw place.error("has \(entry.field), which is not a \(kind)") }
        var found = ""
        if let index = exists.firstIndex(where: { $0.name.kind == kind && $0.name.keys == entry.name.keys }) {
          found = ", found: &response.\(try flag(exists.remove(at: index).field))"
        }
        lines.append("try facts.record(\(try facts.id(entry.name)), &response.\(field.swiftName)\(found))")
      }
      return try lines
        + exists.map { entry in
          let id = try facts.id(entry.name)
          return "try facts.exists(\(id), as: \(entry.name.kind).self, &response.\(try flag(entry.field)))"
        }
    }

    private func flag(_ name: String) throws -> String {
      let field = try names.field(name, of: call.response, at: place)
      guard field.swiftType == "Bool" else { throw place.error("has \(name), which is not true or false") }
      return field.swiftName
    }

    private func shares() throws -> [String] {
      guard read.isWhole || read.shares.isEmpty else { throw place.error("shares fields, but is not whole") }
      return try read.shares.map { name in
        let field = try names.field(name, of: call.response, at: place)
        guard field.cardinality == .repeated else { throw place.error("shares \(name), which is not a list") }
        if names.record(field.type.swift) != nil { return "try facts.share(&response.\(field.swiftName))" }
        if names.part(field.type.swift) != nil { return "try facts.share(parts: &response.\(field.swiftName))" }
        throw place.error("shares \(name), which holds neither records nor parts")
      }
    }

    // MARK: Pages

    private func page() throws -> [String] {
      guard let page = read.page else { return [] }
      let items = try names.field(page.field, of: call.response, at: place)
      let isIDs = items.swiftType == "[String]"
      guard isIDs || items.cardinality == .repeated && names.record(items.type.swift) != nil else {
        throw place.error("has the page \(page.field), which holds neither ids nor records")
      }
      let (total, count) = try total()
      let end = try end(total: total)
      var lines = call.method.list == nil ? [] : ["response = response.normalized(for: request)"]
      lines.append("var end = PageEnd(\(end.map { "\($0.label): response.\($0.field)" }.joined(separator: ", ")))")
      lines.append("let page = PageName(")
      lines.append("  list: \(try facts.list(page.name)), offset: \(try number(["offset", "skip"]) ?? "0"),")
      lines.append("  limit: \(try limit()), total: \(count))")
      lines.append("try facts.page(page, \(isIDs ? "ids" : "records"): &response.\(items.swiftName), end: &end)")
      return lines + end.map { "response.\($0.field) = end.\($0.label) ?? \($0.standard)" }
    }

    private func end(total: String?) throws -> [(label: String, field: String, standard: String)] {
      var fields: [(label: String, field: String, standard: String)] = []
      if let total { fields.append(("total", total, "0")) }
      if call.response.fields.contains(where: { $0.name == "has_more" }) {
        fields.append(("hasMore", try flag("has_more"), "false"))
      }
      return fields
    }

    /// The field of the total, and its count.
    private func total() throws -> (field: String?, count: String) {
      guard read.counts.count <= 1 else { throw place.error("has a page and \(read.counts.count) counts, not one") }
      guard let entry = read.counts.first else { return (nil, "nil") }
      let field = try names.number(entry.field, of: call.response, at: place)
      guard field.type.swift == "Int" else { throw place.error("has the total \(entry.field), which is no int32") }
      return (field.swiftName, try facts.count(entry.name))
    }

    /// A field of the request with a whole number; nil without it.
    private func number(_ candidates: [String]) throws -> String? {
      guard let name = candidates.first(where: { name in call.request.fields.contains { $0.name == name } }) else {
        return nil
      }
      return "request.\(try names.number(name, of: call.request, at: place).swiftName)"
    }

    private func limit() throws -> String {
      guard let field = try number(["limit"]) else { return ".max" }
      guard let bounds = call.method.pageLimit else { return "pageLimit(\(field))" }
      let standard = bounds.default.map { ", default: \($0)" } ?? ""
      return "pageLimit(\(field)\(standard), maximum: \(bounds.maximum))"
    }
  }
}
