import NovaCore

/// A message whose texts are the names of their fields, lists of texts `["1", "2"]`, and numbers 7. The rest has its
/// default.
func filled<Message: ProtoMessage>(_ type: Message.Type) throws -> Message {
  let members = Message.descriptor.fields.compactMap { field -> String? in
    let value: String
    switch (field.kind, field.cardinality) {
    case (.string, .singular), (.string, .optional): value = "\"\(field.name)\""
    case (.string, .repeated): value = "[\"1\", \"2\"]"
    case (.int32, .singular), (.int64, .singular), (.uint32, .singular): value = "7"
    default: return nil
    }
    return "\"\(field.name)\": \(value)"
  }
  return try Message(jsonUTF8: Array("{\(members.joined(separator: ", "))}".utf8))
}
