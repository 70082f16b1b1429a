import NovaSupport

extension SecretText {
  /// The names of secret fields in a message and its nested messages, in the form of ``plain(_:)``.
  package static func names(in message: any ProtoMessage.Type) -> Set<String> { SecretFields.inside(message).names }

  /// Replaces each secret in a JSON value, recognized by its name or its form.
  ///
  /// - Parameters:
  ///   - names: the names of further secret members, in the form of ``plain(_:)``.
  ///   - text: the replacement. Default: ``mask``.
  package static func masked(_ json: JSONValue, names: Set<String> = [], with text: String = mask) -> JSONValue {
    switch json {
    case .object(let members):
      .object(
        members.map { member in
          let isSecret = isSecret(name: member.name) || names.contains(plain(member.name))
          let value = isSecret ? .string(text) : masked(member.value, names: names, with: text)
          return JSONValue.Member(name: member.name, value: value)
        })
    case .array(let elements): .array(elements.map { masked($0, names: names, with: text) })
    case .string(let token) where looksLikeToken(token): .string(text)
    case .string(let free): replacingTokens(in: free) { _ in text }.map(JSONValue.string) ?? json
    default: json
    }
  }
}
