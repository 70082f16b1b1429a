import NovaSDK

/// A field of a request as it is typed: `limit=3`, `post.title=Walk`, `post_ids=a post_ids=b`, or `flags:=["a"]` for JSON.
struct FieldArgument {
  /// The names of fields, from the outermost message.
  private let path: [String]
  var text: String
  private let isJSON: Bool
  private let argument: String

  /// - Returns: nil for anything else, such as JSON or the name of a file.
  init?(_ argument: String) {
    guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    var name = argument[..<equals]
    isJSON = name.utf8.last == UInt8(ascii: ":")
    if isJSON { name = name.dropLast() }
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let first = name.utf8.first, Self.isLetter(first), path.allSatisfy({ !$0.isEmpty }),
      !name.utf8.contains(where: { $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "{") })
    else { return nil }
    (self.path, self.argument) = (path, argument)
    text = String(Substring(argument.utf8[argument.utf8.index(after: equals)...]))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  /// The user that the value names by `@me` or a name, in a field with an ID.
  var userReference: String? {
    guard !isJSON, let name = path.last, name.hasSuffix("_id") || name.hasSuffix("Id") || name.hasSuffix("_ids"),
      UserReference(text).isExplicit
    else { return nil }
    return text
  }

  /// A request with the field. A repeated field is added to what is there.
  ///
  /// - Parameter type: the message; nil if it is not known.
  /// - Throws: ``Failure`` for a field that the message does not have, or a value of another type.
  func added(to json: JSONValue, of type: MessageDescriptor?) throws -> JSONValue {
    try added(to: json, path[...], of: type)
  }

  private func added(to json: JSONValue, _ path: ArraySlice<String>, of type: MessageDescriptor?) throws -> JSONValue {
    guard let name = path.first else { return json }
    let field = try type.map { try find(name, in: $0) }
    var members = json.memberList ?? []
    let index = members.firstIndex { member in
      member.name.hasSameBytes(as: name) || field.map { [$0.name, $0.jsonName].contains(member.name) } == true
    }
    let old = index.map { members[$0].value }
    let value: JSONValue
    if path.count > 1 {
      value = try nested(old ?? .object([]), path.dropFirst(), in: field)
    } else {
      value = try self.value(of: field, after: old)
    }
    if let index {
      members[index].value = value
    } else {
      members.append(.init(name: field?.name ?? name, value: value))
    }
    return .object(members)
  }

  /// The value of a field that is a message or a map, with what the rest of the path names.
  private func nested(_ json: JSONValue, _ path: ArraySlice<String>, in field: FieldDescriptor?) throws -> JSONValue {
    guard let field else { return try added(to: json, path, of: nil) }
    if case .map = field.cardinality {
      let key = path.joined(separator: ".")
      let rest = (json.memberList ?? []).filter { !$0.name.hasSameBytes(as: key) }
      return .object(rest + [.init(name: key, value: try single(field))])
    }
    guard case .message(let name) = field.kind, field.cardinality != .repeated,
      let type = RPCRegistry.nova.message(named: name)?.descriptor
    else { throw failure("\(field.name) has no fields; give a list or another message as JSON: \(field.name):='…'") }
    return try added(to: json, path, of: type)
  }

  private func value(of field: FieldDescriptor?, after old: JSONValue?) throws -> JSONValue {
    let value = try field.map(single) ?? (isJSON ? parsed() : .string(text))
    guard field?.cardinality == .repeated, !isJSON else { return value }
    return .array((old?.elements ?? []) + [value])
  }

  /// A value as the type of its field wants it.
  private func single(_ field: FieldDescriptor) throws -> JSONValue {
    if isJSON { return try parsed() }
    switch field.kind {
    case .bool:
      guard text == "true" || text == "false" else { throw failure("expected true or false") }
      return .bool(text == "true")
    case .double, .float:
      guard let number = Double(text), number.isFinite else { throw failure("expected a number") }
      return .number("\(number)")
    case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64:
      guard Int64(text) != nil || UInt64(text) != nil else { throw failure("expected a whole number") }
      return .number(text)
    // Both take texts and numbers.
    case .unixSeconds: return Int64(text) == nil ? .string(text) : .number(text)
    case .timestamp, .enumeration: return .string(text)
    case .string, .bytes: return .string(try content())
    case .message: throw failure("expected JSON: \(path.joined(separator: ".")):='{…}'")
    }
  }

  /// The text, or for `@path` the content of a file. IDs are never in files: there, `@` begins the name of a user.
  private func content() throws -> String {
    guard text.utf8.first == UInt8(ascii: "@"), userReference == nil, text.utf8.count > 1 else { return text }
    let input = try Input.read(String(Substring(text.utf8.dropFirst())), what: "the text")
    guard let content = InputText.text(of: input.bytes) else { throw failure("the file is not UTF-8") }
    return content
  }

  private func parsed() throws -> JSONValue {
    do throws(ProtoJSONError) { return try JSONValue(jsonUTF8: Array(text.utf8)) } catch {
      throw failure("expected JSON after :=, found \(error.found)")
    }
  }

  private func find(_ name: String, in type: MessageDescriptor) throws -> FieldDescriptor {
    if let field = type.field(named: name) { return field }
    let names = type.fields.map(\.name)
    throw Failure(
      "unknown field \(name.printable(to: 60).quoted)\(Suggestions.question(for: name, among: names))",
      hint: names.isEmpty ? "\(type.shortName) has no fields." : "Fields: \(names.joined(separator: ", ")).", .usage)
  }

  private func failure(_ problem: String) -> Failure {
    Failure("invalid argument \"\(argument.printable(to: 100))\": \(problem)", .usage)
  }
}
