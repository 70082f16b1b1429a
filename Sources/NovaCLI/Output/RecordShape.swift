import NovaCore
import NovaSDK

/// How a type of record is written: the fields and the format.
struct RecordShape {
  /// All fields.
  let descriptor: MessageDescriptor
  /// The fields in tables, in order.
  let shown: [FieldDescriptor]
  /// Whether the user selected these fields.
  let isPicked: Bool
  /// The field that `--output ids` writes.
  let id: String
  let format: OutputFormat

  /// - Parameters:
  ///   - columns: the fields in tables. Default: all.
  ///   - picked: the fields that the user selected, separated by commas.
  /// - Throws: ``Failure`` for a field that does not exist.
  init(
    _ descriptor: MessageDescriptor, columns: [String]? = nil, picked: String? = nil, id: String = "id",
    format: OutputFormat = .table
  ) throws {
    (self.descriptor, self.id, self.format) = (descriptor, id, format)
    isPicked = picked != nil
    if let picked {
      shown = try Self.pick(picked, descriptor)
    } else {
      shown = columns?.compactMap { descriptor.field(named: $0) } ?? descriptor.fields
    }
  }

  private static func pick(_ list: String, _ descriptor: MessageDescriptor) throws -> [FieldDescriptor] {
    var fields: [FieldDescriptor] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(part.filter { $0 != " " })
      guard let field = descriptor.field(named: name) else {
        let names = descriptor.fields.map(\.name)
        throw Failure(
          "not found: field \"\(name.printable(to: 60))\"", hint: "Fields: \(names.joined(separator: ", ")).", .usage
        )
      }
      if !fields.contains(field) { fields.append(field) }
    }
    return fields
  }

  var headings: [String] { shown.map { $0.name.asHeading } }

  /// The columns whose texts can be truncated.
  var texts: [Int] {
    shown.indices.filter { shown[$0].kind == .string && shown[$0].name != id && !shown[$0].name.hasSuffix("_id") }
  }

  /// A table's row.
  func row(_ record: JSONValue) -> [String] {
    shown.map { CellText.text(masked(record[$0.name], $0), $0).oneLine }
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
