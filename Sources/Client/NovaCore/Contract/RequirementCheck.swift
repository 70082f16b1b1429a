/// Finds a field that a message needs because of another field's value, and that has none.
struct RequirementCheck: FieldSink {
  typealias Failure = Never

  /// For each field whether it has no value, or an empty one, and its text if it is one.
  private var values: [(isEmpty: Bool, text: String?)] = []

  /// - Parameter only: the field that is looked at; nil for all.
  static func violation(
    in message: some ProtoMessage, only: String? = nil
  ) -> (field: FieldDescriptor, problem: String)? {
    let descriptor = type(of: message).descriptor
    // Hardly any message has one.
    if descriptor.requirements.isEmpty { return nil }
    var check = Self()
    message.writeFields(to: &check)
    for requirement in descriptor.requirements where only == nil || only == requirement.field {
      guard let value = check.value(of: requirement.field, in: descriptor), value.isEmpty,
        let decider = check.value(of: requirement.condition, in: descriptor),
        requirement.values.contains(decider.text ?? ""),
        let field = descriptor.field(named: requirement.field)
      else { continue }
      let name = requirement.condition.replacing("_", with: " ")
      let shown = decider.isEmpty ? requirement.values.first : decider.text
      return (field, "must not be empty if the \(name) is \(shown ?? "")")
    }
    return nil
  }

  private func value(of name: String, in descriptor: MessageDescriptor) -> (isEmpty: Bool, text: String?)? {
    for index in descriptor.fields.indices where descriptor.fields[index].name == name { return values[index] }
    return nil
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    let text: String? = if case .string(let text) = C.plain(value) { text } else { nil }
    values.append((C.isDefault(value), text))
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    if let value { write(value, as: codec, at: index) } else { values.append((true, nil)) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    self.values.append((values.isEmpty, nil))
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    self.values.append((map.isEmpty, nil))
  }
}
