import NovaSupport

extension SecretText {
  /// The names of the fields that the contract declares secret, in a message and in those in it at any depth, as
  /// ``plain(_:)`` has them.
  package static func names(in message: any ProtoMessage.Type) -> Set<String> { SecretFields.inside(message).names }

  /// The value with a text in place of each secret, as its name or its form shows.
  ///
  /// - Parameters:
  ///   - names: the names of members that are secret besides those that are obvious, as ``plain(_:)`` has them.
  ///   - text: what replaces a secret. Default: ``mask``.
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
