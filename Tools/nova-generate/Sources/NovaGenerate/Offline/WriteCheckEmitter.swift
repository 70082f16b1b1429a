/// Writes how a read tells whether a write took effect.
struct WriteCheckEmitter {
  let names: OfflineNames
  let write: OfflineConfig.Write
  let call: OfflineCall
  let change: RecordChange?

  private var place: OfflineConfig.Place { write.place }

  /// The body of the check; nil for a write without.
  func lines() throws -> [String]? {
    guard let id = write.check else {
      guard write.same.isEmpty else { throw place.error("has same without check") }
      return nil
    }
    let check = try names.call(id, at: place)
    guard let read = names.config.reads.first(where: { $0.rpc == id }) else {
      throw place.error("is checked by \(id), which is not one of the reads")
    }
    if let change, write.creates != nil { return try creation(of: change, check, read) }
    if let relation = write.relation {
      return try self.relation(relation.name, isRelated: relation.isRelated, check, in: read)
    }
    throw place.error("has a check, but neither a relation nor a new record")
  }

  private func relation(
    _ name: FactName, isRelated: Bool, _ check: OfflineCall, in read: OfflineConfig.Read
  ) throws -> [String] {
    guard let entry = read.relations.first(where: { $0.name.kind == name.kind }) else {
      throw place.error("is checked by \(check.id), which does not read \(name.kind)")
    }
    let facts = FactSource(names: names, root: "request", message: call.request, place: place)
    let arguments = try zip(entry.name.keys, name.keys).map { readKey, key in
      guard case .field(let field, nil) = readKey else {
        throw place.error("is checked by \(check.id), which has no key")
      }
      let own = try names.field(field, of: check.request, at: place)
      guard own.swiftType == "String" else { throw place.error("is checked by \(check.id), which is for many at once") }
      return (name: own.swiftName, value: try facts.key(key), number: own.number)
    }
    let sorted = arguments.sorted { $0.number < $1.number }.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    let field = try names.field(entry.field, of: check.response, at: place).swiftName
    // Where repeating the write does it twice, an earlier one may be what is seen.
    let holds = isRelated ? "response.\(field)" : "!response.\(field)"
    let isDone = call.method.effect == "notIdempotent" ? "\(holds) ? nil : false" : holds
    return [
      "WriteCheck(\(check.source), \(check.request.name)(\(sorted))) { response, _ in",
      "  .init(\(isDone))",
      "}",
    ]
  }

  /// Looks for the new record on the first page of a list that it is first in.
  private func creation(
    of change: RecordChange, _ check: OfflineCall, _ read: OfflineConfig.Read
  ) throws -> [String] {
    guard let page = read.page, let list = change.record.listedIn.first(where: { $0.kind == page.name.kind }),
      list.end == "first", list.keys.count == page.name.keys.count
    else { throw place.error("is checked by \(check.id), which lists no \(change.message.name)s with new ones first") }
    let items = try names.field(page.field, of: check.response, at: place)
    guard items.swiftType == "[\(change.message.name)]" else {
      throw place.error("is checked by \(check.id), which does not list \(change.message.name)s")
    }
    guard !write.same.isEmpty else { throw place.error("is checked by \(check.id) and needs same") }
    var lines = ["let draft = \(change.comparedDraft)", "var read = \(check.request.name)()"]
    let draft = FactSource(names: names, root: "draft", message: change.message, place: place)
    for (key, value) in zip(page.name.keys, list.keys) where value != .literal("") {
      guard case .field(let name, _) = key else { continue }
      let field = try names.field(name, of: check.request, at: place)
      lines.append("read.\(field.swiftName) = \(try draft.key(value))")
    }
    guard let limit = check.request.fields.first(where: { $0.name == "limit" }) else {
      throw place.error("is checked by \(check.id), which has no limit")
    }
    let maximum = check.method.pageLimit?.maximum ?? 100
    lines.append("read.\(limit.swiftName) = \(maximum)")
    lines.append("return WriteCheck(\(check.source), read) { response, firstAttempt in")
    lines.append("  made(")
    lines.append(
      "    among: response.\(items.swiftName), \(end(of: check.response))limit: \(maximum), since: firstAttempt,")
    lines.append("    madeAt: { \(try time(change)) },")
    lines.append("    resembling: { \(try resemblances(change.message)) }")
    lines.append("  ) {")
    lines.append("    \(try write.same.map { try comparison($0, change.message) }.joined(separator: " && "))")
    return lines + ["  }", "}"]
  }

  /// When a record was made, in Unix seconds.
  private func time(_ change: RecordChange) throws -> String {
    let field = try names.field("created_at", of: change.message, at: place)
    switch field.swiftType {
    case "Int64": return "$0.\(field.swiftName)"
    case "Timestamp?": return "$0.\(field.swiftName)?.seconds ?? 0"
    default: throw place.error("has a check, but created_at of \(change.message.name) is not a time")
    }
  }

  /// What tells whether a page is the end of its list.
  private func end(of response: Message) -> String {
    let names = Dictionary(response.fields.map { ($0.name, $0.swiftName) }, uniquingKeysWith: { first, _ in first })
    let hasMore = names["has_more"].map { "hasMore: response.\($0), " } ?? ""
    return hasMore + (names["total_count"].map { "total: Int(response.\($0)), " } ?? "")
  }

  /// The comparison for a record whose texts the server may have changed. What it belongs to stays as it was sent.
  private func resemblances(_ message: Message) throws -> String {
    let all = try write.same.map { name in
      let field = try names.field(name, of: message, at: place)
      let isText = field.swiftType.hasPrefix("String") && !name.hasSuffix("_id")
      return isText ? "resembles($0.\(field.swiftName), draft.\(field.swiftName))" : try comparison(name, message)
    }
    return all.joined(separator: " && ")
  }

  private func comparison(_ name: String, _ message: Message) throws -> String {
    let field = try names.field(name, of: message, at: place)
    let source = field.swiftName
    return field.swiftType == "String?"
      ? "isSame($0.\(source), draft.\(source))" : "$0.\(source) == draft.\(source)"
  }
}
