/// How a write creates or updates a record.
struct RecordChange {
  let names: OfflineNames
  let write: OfflineConfig.Write
  let call: OfflineCall
  let record: OfflineConfig.Record
  let message: Message
  /// What the record's fields become, but for its id.
  private let values: [(field: Field, source: Source)]
  /// The field of the answer with the record; nil where the record is the answer.
  private let answerField: Field?

  /// Where a field's value comes from.
  private enum Source {
    /// The field of the request with the same name.
    case copy(Field)
    /// An expression; whether it is the time of the write.
    case value(String, isTime: Bool)
  }

  private var place: OfflineConfig.Place { write.place }
  private var facts: FactSource { FactSource(names: names, root: "request", message: call.request, place: place) }
  private var draftName: String { "\(call.constant)Draft" }

  /// Creates the change of a write; nil for a write without.
  init?(names: OfflineNames, write: OfflineConfig.Write, call: OfflineCall) throws {
    guard let kind = write.creates ?? write.updates?.kind else {
      guard write.with.isEmpty else { throw write.place.error("has values, but neither creates nor updates a record") }
      return nil
    }
    guard let record = names.record(kind) else {
      throw write.place.error("has \(kind), which is not one of the records")
    }
    self.names = names
    self.write = write
    self.call = call
    self.record = record
    message = try names.message(kind, at: write.place)
    if call.response.name == kind {
      answerField = nil
    } else if let field = call.response.fields.first(where: { $0.swiftType == "\(kind)?" }) {
      answerField = field
    } else {
      throw write.place.error("does not answer with the \(kind)")
    }
    values = try Self.values(names, of: write, in: call, for: record, message)
  }

  var isWholeAnswer: Bool { answerField == nil }

  private static func values(
    _ names: OfflineNames, of write: OfflineConfig.Write, in call: OfflineCall, for record: OfflineConfig.Record,
    _ message: Message
  ) throws -> [(Field, Source)] {
    for name in write.with.map(\.field) { _ = try names.field(name, of: message, at: write.place) }
    let literals = ValueSource(names: names, request: call.request, place: write.place)
    return try message.fields.compactMap { field in
      guard field.name != record.id else { return nil }
      if let value = write.with.first(where: { $0.field == field.name })?.value {
        return (field, .value(try literals.source(value, for: field), isTime: value == .now))
      }
      guard let own = call.request.fields.first(where: { $0.name == field.name }) else { return nil }
      let isList = field.cardinality != .singular && field.cardinality != .optional
      guard own.type == field.type, !isList || own.cardinality == field.cardinality else {
        throw write.place.error("has \(field.name), which is of another type in \(message.name)")
      }
      return (field, .copy(own))
    }
  }

  // MARK: Effect and answer

  func effect() throws -> [String] { write.creates == nil ? try update() : create() }

  /// A new record from the answer or, while the write waits, from the request.
  private func create() -> [String] {
    ["if let response {", answerField == nil ? "  let record = response" : nil].compactMap(\.self)
      + ["  \(answered(in: "response")) { try change.create(record) }", "} else {"]
      + ["  try change.create(\(draftName)(of: request, id: change.newID, at: change.time))", "}"]
  }

  private func update() throws -> [String] {
    guard let name = write.updates else { return [] }
    var lines = ["\(answered(in: "response?")) {", "  try change.update(to: record)", "} else {"]
    let hasTime = values.contains { if case .value(_, isTime: true) = $0.source { true } else { false } }
    if hasTime { lines.append("  let time = change.time") }
    lines.append("  try change.update(\(name.kind).self, \(try facts.id(name))) { record in")
    if hasTime { lines.append("    let before = record") }
    var times: [String] = []
    for (field, source) in values {
      switch source {
      case .copy(let own): lines += patch(field, own).map { "    \($0)" }
      case .value(let text, isTime: false): lines.append("    record.\(field.swiftName) = \(text)")
      case .value(let text, isTime: true): times.append("record.\(field.swiftName) = \(text)")
      }
    }
    if hasTime { lines.append("    if record != before { \(times.joined(separator: "; ")) }") }
    return lines + ["  }", "}"]
  }

  /// Takes a field of the request into the record, if the request has it. An optional text is removed by an empty one.
  private func patch(_ field: Field, _ own: Field) -> [String] {
    guard own.cardinality == .optional else { return ["record.\(field.swiftName) = request.\(own.swiftName)"] }
    let isRemovable = field.cardinality == .optional && field.type.swift == "String"
    let value = isRemovable ? "value.isEmpty ? nil : value" : "value"
    return ["if let value = request.\(own.swiftName) { record.\(field.swiftName) = \(value) }"]
  }

  /// A condition that holds if there is a record with an id in an answer, and binds it to `record`.
  private func answered(in response: String) -> String {
    let id = message.fields.first { $0.name == record.id }
    let hasID = "record.\(id?.swiftName ?? "") != \(id?.type.swift == "String" ? "\"\"" : "0")"
    if let answerField { return "if let record = \(response).\(answerField.swiftName), \(hasID)" }
    return response.hasSuffix("?") ? "if let record = response, \(hasID)" : "if \(hasID)"
  }

  /// Puts the record into the answer.
  func answer() throws -> String {
    let id = try write.updates.map { try facts.id($0) } ?? "newID"
    return "try facts.record(\(id), &response\(answerField.map { ".\($0.swiftName)" } ?? ""))"
  }

  // MARK: Drafts

  /// A function that makes the record of a request; nil for updates.
  func draft() -> [String]? {
    guard write.creates != nil, let id = message.fields.first(where: { $0.name == record.id }) else { return nil }
    var lines = [
      "private static func \(draftName)(of request: \(call.request.name), id: String, at time: Int64) -> \(message.name) {",
      "  var record = \(message.name)()",
      "  record.\(id.swiftName) = \(id.type.swift == "String" ? "id" : "\(id.type.swift)(id) ?? 0")",
    ]
    for (field, source) in values {
      switch source {
      case .copy(let own) where own.cardinality == .optional && field.cardinality == .singular:
        lines.append("  if let value = request.\(own.swiftName) { record.\(field.swiftName) = value }")
      case .copy(let own): lines.append("  record.\(field.swiftName) = request.\(own.swiftName)")
      case .value(let text, _): lines.append("  record.\(field.swiftName) = \(text)")
      }
    }
    return lines + ["  return record", "}"]
  }

  /// The draft without id and time, to compare with.
  var comparedDraft: String { "\(draftName)(of: request, id: \"\", at: 0)" }

  /// The lists that a new record joins, each with its first key: `("comments", [request.postId])`.
  func joinedLists() throws -> [String] {
    try record.listedIn.map { list in
      guard let key = list.keys.first else { return "(\(SwiftNames.literal(list.kind)), [])" }
      guard case .field(let name, nil) = key, let value = values.first(where: { $0.field.name == name }) else {
        throw place.error("does not give the \(message.name) its \(list.kind)")
      }
      let source =
        switch value.source {
        case .copy(let own): "request.\(own.swiftName)"
        case .value(let text, _): text
        }
      return "(\(SwiftNames.literal(list.kind)), [\(source)])"
    }
  }
}

/// Writes values of `with` as Swift.
private struct ValueSource {
  let names: OfflineNames
  let request: Message
  let place: OfflineConfig.Place

  func source(_ value: FactValue, for field: Field) throws -> String {
    guard field.cardinality == .singular || field.cardinality == .optional else {
      throw place.error("sets \(field.name), which is a list or a map")
    }
    switch value {
    case .now:
      if field.type.swift == "Int64" { return "time" }
      if field.type.swift == "Timestamp" { return "Timestamp(seconds: time)" }
      throw place.error("sets \(field.name) to now, but it is not a time")
    case .literal(let text):
      switch field.type.swift {
      case _ where field.type.isText: return SwiftNames.literal(text)
      case "Bool" where ["true", "false"].contains(text): return text
      case "Int" where Int32(text) != nil, "Int64" where Int64(text) != nil: return text
      default: throw place.error("sets \(field.name) to \"\(text)\", which is no value of its type")
      }
    case .field(let name, let standard):
      let own = try names.field(name, of: request, at: place)
      guard own.type == field.type, own.cardinality == .singular, standard == nil || own.type.isText else {
        throw place.error("sets \(field.name) to \(name), which is of another type or may be absent")
      }
      let source = "request.\(own.swiftName)"
      return standard.map { "\(source).isEmpty ? \(SwiftNames.literal($0)) : \(source)" } ?? source
    }
  }
}
