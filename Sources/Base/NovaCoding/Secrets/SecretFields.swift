import NovaSupport

/// The secret fields of a message and of its nested messages, by the contract.
package struct SecretFields: Sendable {
  /// The names of secret fields, in the form of ``SecretText/plain(_:)``.
  package private(set) var names: Set<String> = []
  /// The names of map fields whose keys users choose. Inside a secret, these keys are secret, too.
  package private(set) var maps: Set<String> = []
  /// The JSON names of all fields.
  package private(set) var allNames: Set<String> = []
  /// The names of fields of type `bytes`, which servers may quote as text.
  package private(set) var bytes: Set<String> = []

  private static let known = Locked<[ObjectIdentifier: SecretFields]>([:])

  /// The secret fields of a message; computed once for each type.
  package static func inside(_ message: any ProtoMessage.Type) -> SecretFields {
    let id = ObjectIdentifier(message)
    if let fields = known.withLock({ $0[id] }) { return fields }
    let fields = SecretFields(message)
    known.withLock { $0[id] = fields }
    return fields
  }

  /// Visits each type once, because a message can contain itself.
  private init(_ message: any ProtoMessage.Type) {
    var seen: Set<ObjectIdentifier> = []
    var waiting: [any ProtoMessage.Type] = [message]
    while let type = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      let fields = type.descriptor.fields
      for index in fields.indices {
        add(fields[index])
        if let inner = NestedTypes.type(ofField: index, in: type) { waiting.append(inner) }
      }
    }
  }

  private mutating func add(_ field: FieldDescriptor) {
    for name in [field.name, field.jsonName] + field.aliases {
      allNames.insert(name)
      let name = SecretText.plain(name)
      if field.isSecret { names.insert(name) }
      switch (field.cardinality, field.kind) {
      case (.map, _), (_, .message("google.protobuf.Struct")): maps.insert(name)
      case (_, .bytes), (_, .message("google.protobuf.BytesValue")): bytes.insert(name)
      default: break
      }
    }
  }
}

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
