import NovaHTTP

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
    return check.violation.map { (check.fields[$0.index], $0.problem) } ?? RequirementCheck.violation(in: message)
  }

  /// How one field of a message breaks its rule; nil when it does not.
  ///
  /// - Parameter field: the field's name in `Proto/`.
  package static func problem(with field: String, of message: some ProtoMessage) -> String? {
    var check = RuleCheck(fields: type(of: message).descriptor.fields, only: field)
    message.writeFields(to: &check)
    return check.violation?.problem ?? RequirementCheck.violation(in: message, only: field)?.problem
  }
}

/// Checks the fields that have a rule, and the size of every text.
private struct RuleCheck: FieldVisitor {
  let fields: [FieldDescriptor]
  /// Which field is looked at; nil for all.
  var only: String?
  var isAbsent: ((FieldDescriptor) -> Bool)?
  private(set) var violation: (index: Int, problem: String)?

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    guard isAsked(index), fields[index].rule != nil || isText(index) else { return }
    if let problem = problem(with: C.plain(value), index) { violation = (index, problem) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    guard isAsked(index) else { return }
    if case .count(let minimum, let maximum) = fields[index].rule, !(minimum...maximum).contains(values.count) {
      let range = minimum > 0 ? "\(minimum) to \(maximum)" : "at most \(maximum)"
      violation = (index, "must have \(range) values, but has \(values.count)")
      return
    }
    guard isText(index) else { return }
    for value in values {
      guard case .string(let text) = C.plain(value), let problem = size(of: text, index) else { continue }
      violation = (index, "has a value that \(problem)")
      return
    }
  }

  private func isAsked(_ index: Int) -> Bool { violation == nil && (only == nil || only == fields[index].name) }

  private func isText(_ index: Int) -> Bool { if case .string = fields[index].kind { true } else { false } }

  private func problem(with value: PlainValue, _ index: Int) -> String? {
    switch value {
    case .string(let text): problem(with: text, index)
    case .integer(let number): problem(with: number, index)
    case .unsigned(let number): problem(with: number, index)
    default: nil
    }
  }

  private func problem(with text: String, _ index: Int) -> String? {
    // First, because counting the characters of huge text is slow.
    if isText(index), let problem = size(of: text, index) { return problem }
    switch fields[index].rule {
    case .notEmpty: return text.isEmpty ? "must not be empty" : nil
    case .length(let minimum, let maximum): return length(of: text, minimum, maximum)
    case .httpURL: return text.isEmpty ? nil : problem(withURL: text)
    default: return nil
    }
  }

  private func problem(withURL text: String) -> String? {
    do throws(HTTPURLError) {
      _ = try HTTPURL(parsing: text)
      return nil
    } catch {
      return "must be an absolute http or https URL: \(error.reason)"
    }
  }

  private func problem(with number: some FixedWidthInteger, _ index: Int) -> String? {
    switch fields[index].rule {
    case .notNegative: return number < 0 ? "must not be negative\(shown(number, after: ", but is", index))" : nil
    case .range(let minimum, let maximum):
      if number >= minimum, number <= maximum { return nil }
      if number == 0, isAbsent?(fields[index]) == true { return nil }
      return "must be \(minimum)…\(maximum)\(shown(number, after: ", got", index))"
    default: return nil
    }
  }

  /// The number, unless it is a secret.
  private func shown(_ number: some FixedWidthInteger, after words: String, _ index: Int) -> String {
    fields[index].isSecret ? "" : "\(words) \(number)"
  }

  private func size(of text: String, _ index: Int) -> String? {
    // Most values are short enough for every field.
    guard text.utf8.count > ArgumentLimits.idBytes else { return nil }
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
