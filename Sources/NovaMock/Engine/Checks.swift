import NovaCore

/// Refuses a text that is shorter or longer than allowed, in characters as people count them: grapheme clusters.
func require(_ text: String, _ name: String, characters: ClosedRange<Int>) throws(MockFailure) {
  // Without counting all of a text that is far too long.
  let tooLong = text.index(text.startIndex, offsetBy: characters.upperBound + 1, limitedBy: text.endIndex) != nil
  let tooShort = text.index(text.startIndex, offsetBy: characters.lowerBound, limitedBy: text.endIndex) == nil
  if tooLong || tooShort {
    throw MockFailure(
      .invalidArgument, "\(name) must have \(characters.lowerBound) to \(characters.upperBound) characters")
  }
}

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
