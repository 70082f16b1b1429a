/// Writes fields as a query, as grpc-gateway reads it: `tag=a&tag=b` for lists, `filter.language=en` for messages, and
/// `labels[color]=red` for maps. Other values are in no query, which the generator sees to.
struct QueryWriter {
  private var query = ""

  /// The query of fields, as their JSON has them, with its question mark; empty for none.
  ///
  /// - Throws: ``APIError`` for a key of a map that would be read as another.
  static func query(
    of members: [JSONValue.Member], _ type: any ProtoMessage.Type
  ) throws(APIError) -> String {
    var writer = QueryWriter()
    for member in members { try writer.add(member, of: type, in: "") }
    return writer.query
  }

  private mutating func add(
    _ member: JSONValue.Member, of type: any ProtoMessage.Type, in prefix: String
  ) throws(APIError) {
    let name = prefix + member.name
    guard let index = type.descriptor.fields.firstIndex(where: { $0.answers(to: member.name) }) else { return }
    let field = type.descriptor.fields[index]
    switch field.cardinality {
    case .map:
      for entry in member.value.memberList ?? [] {
        // The text after the last bracket would be the key.
        if entry.name.contains("[") {
          throw APIError(
            .invalidArgument, "\(name) has a key with \"[\", which a query cannot hold", advice: "use another key")
        }
        add(entry.value, named: "\(name)[\(entry.name)]", field)
      }
    case .repeated: for value in member.value.elements ?? [] { add(value, named: name, field) }
    case .singular, .optional:
      guard let inner = NestedTypes.type(ofField: index, in: type) else { return add(member.value, named: name, field) }
      for member in member.value.memberList ?? [] { try add(member, of: inner, in: name + ".") }
    }
  }

  private mutating func add(_ value: JSONValue, named name: String, _ field: FieldDescriptor) {
    guard var text = HTTPTranscoder.text(value) else { return }
    // Gateways take the paths of a mask as they are.
    if field.kind == .message("google.protobuf.FieldMask") { text = FieldMask(json: text).paths.joined(separator: ",") }
    query += "\(query.isEmpty ? "?" : "&")\(PercentEncoding.encode(name))=\(PercentEncoding.encode(text))"
  }
}

extension FieldDescriptor {
  /// Whether readers take the name for this field.
  func answers(to text: String) -> Bool { name == text || jsonName == text || aliases.contains(text) }
}
