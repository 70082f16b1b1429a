import NovaSDK

/// How a type of record is written: the fields and the format.
struct RecordShape {
  /// All fields.
  let descriptor: MessageDescriptor
  /// The fields in tables, in order.
  private(set) var shown: [FieldDescriptor]
  /// Whether the user selected these fields.
  let isPicked: Bool
  /// The field that `--output ids` writes.
  let id: String
  let format: OutputFormat
  let cells: CellText

  /// - Parameters:
  ///   - columns: the fields in tables. Default: all.
  ///   - picked: the fields that the user selected, separated by commas.
  /// - Throws: ``Failure`` for a field that does not exist.
  init(
    _ descriptor: MessageDescriptor, columns: [String]? = nil, picked: String? = nil, id: String = "id",
    format: OutputFormat = .table, cells: CellText = CellText(isTerminal: System.isTerminal(System.standardOutput))
  ) throws {
    (self.descriptor, self.id, self.format, self.cells) = (descriptor, id, format, cells)
    isPicked = picked != nil
    if let picked {
      shown = try Self.pick(picked, descriptor)
    } else {
      shown = columns?.compactMap { descriptor.field(named: $0) } ?? descriptor.fields
    }
  }

  /// The same with one more column, `name`, after the field `field`; nil for none.
  func adding(column name: String?, after field: String) -> RecordShape {
    guard let name, let index = shown.firstIndex(where: { $0.name == field }) else { return self }
    var shape = self
    shape.shown.insert(FieldDescriptor(name, number: 0, kind: .string), at: index + 1)
    return shape
  }

  private static func pick(_ list: String, _ descriptor: MessageDescriptor) throws -> [FieldDescriptor] {
    var fields: [FieldDescriptor] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(part.filter { $0 != " " })
      // Also as the table's heading writes it.
      guard
        let field = descriptor.field(named: name) ?? descriptor.fields.first(where: { $0.name.asPickedHeading == name })
      else {
        let names = descriptor.fields.map(\.name)
        let all = "Fields: \(names.joined(separator: ", "))."
        throw Failure(
          "not found: field \"\(name.printable(to: 60))\"",
          hint: Suggestions.sentence(for: name, among: names, otherwise: all), .usage)
      }
      if !fields.contains(field) { fields.append(field) }
    }
    return fields
  }

  var headings: [String] { shown.map { $0.name.asHeading } }

  /// How a table of these records fits a narrow terminal: columns that the user selected are never left out.
  var fit: TableFit {
    let texts = shown.indices.filter { shown[$0].kind == .string && !isID(shown[$0]) && !isIndivisible(shown[$0]) }
    let main = Self.mainTexts.lazy.compactMap { name in texts.first { shown[$0].name == name } }.first
    guard !isPicked else { return TableFit(texts: texts, main: main) }
    let others = shown.indices.filter { shown[$0].name != id && $0 != main }
    // The name of a user says more than the ID, and both say more than what comes after them. So does a state.
    let isKept = { isName(at: $0) || shown[$0].name == "state" }
    let (names, rest) = (others.filter(isKept), others.filter { !isKept($0) })
    return TableFit(texts: texts, main: main, dispensable: rest.reversed() + names.reversed())
  }

  private func isName(at column: Int) -> Bool { column > 0 && shown[column - 1].name == "\(shown[column].name)_id" }

  private func isID(_ field: FieldDescriptor) -> Bool { field.name == id || field.name.hasSuffix("_id") }

  /// Whether it is a text that is wrong when it is cut: of digits, a URL, or the name of an RPC.
  private func isIndivisible(_ field: FieldDescriptor) -> Bool {
    ["_date", "_phone", "_url"].contains { field.name.hasSuffix($0) } || ["url", "rpc"].contains(field.name)
  }

  /// The texts that people look for in a table, the most important first.
  private static let mainTexts = [
    "content", "caption", "title", "username", "name", "display_name", "file_name", "error",
  ]

  /// A table's row.
  func row(_ record: JSONValue) -> [TableCell] {
    shown.map {
      let cell = cells.cell(masked(record[$0.name], $0), $0)
      // In an ID, a space in the place of a line break would mislead.
      return TableCell(isID($0) ? cell.text : cell.text.oneLine, short: cell.short)
    }
  }

  /// A row for scripts: cells with tabs between them.
  func tabbedLine(_ record: JSONValue) -> String {
    shown.map { cells.text(masked(record[$0.name], $0), $0) }.asTabbedLine
  }

  /// The selected fields as JSON, with secrets masked.
  func json(_ record: JSONValue) -> JSONValue {
    guard isPicked else { return Secrets.masked(record, descriptor) }
    return .object(
      shown.compactMap { field in
        masked(record[field.name], field).map { JSONValue.Member(name: field.name, value: $0) }
      })
  }

  /// The record's id.
  func id(_ record: JSONValue) -> String {
    record[id]?.stringValue ?? record[id]?.integerValue.map { String($0) } ?? ""
  }

  /// A field's value, masked if it is a secret.
  func masked(_ value: JSONValue?, _ field: FieldDescriptor) -> JSONValue? { value.map { Secrets.masked($0, field) } }
}

/// Masks passwords and tokens.
enum Secrets {
  static let mask = SecretText.mask

  /// Returns a message with its secrets masked.
  static func masked(_ record: JSONValue, _ descriptor: MessageDescriptor) -> JSONValue {
    guard case .object(let members) = record else { return record }
    return .object(
      members.map { member in
        guard let field = descriptor.field(named: member.name) else { return member }
        return JSONValue.Member(name: member.name, value: masked(member.value, field))
      })
  }

  static func masked(_ value: JSONValue, _ field: FieldDescriptor) -> JSONValue {
    // An empty text means that there is no secret.
    if field.isSecret { return value == .string("") ? value : .string(mask) }
    guard case .message(let name) = field.kind, let type = RPCRegistry.nova.message(named: name) else { return value }
    if case .array(let elements) = value { return .array(elements.map { masked($0, type.descriptor) }) }
    guard case .map = field.cardinality, case .object(let entries) = value else {
      return masked(value, type.descriptor)
    }
    return .object(entries.map { .init(name: $0.name, value: masked($0.value, type.descriptor)) })
  }
}

extension String {
  /// The heading of a field as `--fields` reads it, without spaces.
  fileprivate var asPickedHeading: String { asHeading.filter { $0 != " " } }
}
