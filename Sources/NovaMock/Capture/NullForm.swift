import NovaCore

extension JSONValue {
  /// The JSON of a message, or of a list of messages, with `null` for each optional field that is absent, as FastAPI and
  /// pydantic write it. Fields are in the contract's order.
  func withNulls(of descriptor: MessageDescriptor) -> JSONValue {
    if let elements { return .array(elements.map { $0.withNulls(of: descriptor) }) }
    guard case .object(let members) = self else { return self }
    return .object(
      descriptor.fields.compactMap { field in
        let name = descriptor.names == .proto ? field.name : field.jsonName
        if let member = members.first(where: { $0.name == name }) { return member }
        return field.cardinality == .optional ? JSONValue.Member(name: name, value: .null) : nil
      })
  }
}
