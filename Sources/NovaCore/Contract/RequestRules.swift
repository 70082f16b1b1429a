/// Checks requests against the rules of their fields.
package enum RequestRules {
  /// The first field that breaks its rule, and what it must be.
  ///
  /// - Parameter optional: whether a number that is 0 is absent, and its range then does not matter. Default: never.
  package static func violation(
    in message: some ProtoMessage, optional: ((FieldDescriptor) -> Bool)? = nil
  ) -> (field: FieldDescriptor, problem: String)? {
    var check = RuleCheck(fields: type(of: message).descriptor.fields, isAbsent: optional)
    message.writeFields(to: &check)
    return check.violation
  }

  /// How one field of a message breaks its rule; nil when it does not.
  ///
  /// - Parameter field: the field's name in `Proto/`.
  package static func problem(with field: String, of message: some ProtoMessage) -> String? {
    var check = RuleCheck(fields: type(of: message).descriptor.fields, only: field)
    message.writeFields(to: &check)
    return check.violation?.problem
  }
}

/// Checks the fields that have a rule, and the size of every text.
private struct RuleCheck: FieldSink {
  typealias Failure = Never

  let fields: [FieldDescriptor]
  /// Which field is looked at; nil for all.
  var only: String?
  var isAbsent: ((FieldDescriptor) -> Bool)?
  var violation: (field: FieldDescriptor, problem: String)?

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    guard violation == nil, isAsked(index) else { return }
    // First, because counting the characters of huge text is slow.
    if let problem = size(of: value, index) {
      violation = (fields[index], problem)
      return
    }
    let problem: String? =
      switch fields[index].rule {
      case nil: nil
      case .notEmpty: value as? String == "" ? "must not be empty" : nil
      case .notNegative:
        (value as? Int).flatMap { $0 < 0 ? "must not be negative\(shown(", but is", $0, index))" : nil }
      case .length(let minimum, let maximum): (value as? String).flatMap { length(of: $0, minimum, maximum) }
      case .range(let minimum, let maximum):
        (value as? Int).flatMap { number in
          (minimum...maximum).contains(number) || number == 0 && isAbsent?(fields[index]) == true
            ? nil
            : "must be \(minimum)…\(maximum)\(shown(", got", number, index))"
        }
      case .count: nil
      }
    if let problem { violation = (fields[index], problem) }
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    if let value { write(value, as: codec, at: index) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    guard violation == nil, isAsked(index) else { return }
    if case .count(let minimum, let maximum) = fields[index].rule, !(minimum...maximum).contains(values.count) {
      let range = minimum > 0 ? "\(minimum) to \(maximum)" : "at most \(maximum)"
      violation = (fields[index], "must have \(range) values, but has \(values.count)")
      return
    }
    for value in values {
      guard let problem = size(of: value, index) else { continue }
      violation = (fields[index], "has a value that \(problem)")
      return
    }
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
  }

  /// The number, unless it is a secret.
  private func shown(_ word: String, _ number: Int, _ index: Int) -> String {
    fields[index].isSecret ? "" : "\(word) \(number)"
  }

  private func isAsked(_ index: Int) -> Bool { only == nil || only == fields[index].name }

  private func size(of value: some Any, _ index: Int) -> String? {
    // Most values are short enough for every field.
    guard case .string = fields[index].kind, let text = value as? String, text.utf8.count > ArgumentLimits.idBytes
    else { return nil }
    return ArgumentLimits.problem(text.utf8.count, maximum: ArgumentLimits.bytes(of: fields[index]))
  }

  private func length(of text: String, _ minimum: Int, _ maximum: Int?) -> String? {
    // Characters are at most as many as bytes, and counting bytes costs nothing.
    if text.utf8.count <= maximum ?? .max, minimum <= 1, !text.isEmpty { return nil }
    let count = text.count
    guard count < minimum || count > maximum ?? .max else { return nil }
    let range = maximum.map { "\(minimum) to \($0)" } ?? "at least \(minimum)"
    return "must have \(range) characters, but has \(count)"
  }
}
