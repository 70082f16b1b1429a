import NovaCore

/// One of a field's allowed values; refuses all others.
func requireOne<Value: CaseIterable & RawRepresentable<String>>(
  of type: Value.Type = Value.self, _ text: String, _ name: String
) throws(MockFailure) -> Value {
  if let value = Value(rawValue: text) { return value }
  let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
  throw MockFailure(.invalidArgument, "\(name) must be one of \(allowed)")
}

/// The same for a field that may be empty and then means `default`.
func requireOne<Value: CaseIterable & RawRepresentable<String>>(
  of type: Value.Type = Value.self, _ text: String, _ name: String, default: Value
) throws(MockFailure) -> Value {
  text.isEmpty ? `default` : try requireOne(of: type, text, name)
}
