import NovaCore

/// Validates an answer's JSON against the messages of the contract.
struct MessageCheck {
  let registry: RPCRegistry
  let binding: HTTPBinding
  private(set) var findings: [Finding] = []

  init(_ registry: RPCRegistry, _ binding: HTTPBinding) {
    self.registry = registry
    self.binding = binding
  }

  /// Checks the body of a successful answer.
  mutating func checkBody(_ value: JSONValue, of message: MessageDescriptor) {
    guard let name = binding.responseField, let field = message.field(named: name) else {
      return check(value, message, at: "")
    }
    checkPresent(value, field, at: "")
  }

  /// Checks an object.
  mutating func check(_ value: JSONValue, _ message: MessageDescriptor, at path: String) {
    guard case .object(let members) = value else {
      return note(.wrongType, .breaking, at: path, expected: "an object", found: value.kindDescription)
    }
    var present: [String: JSONValue] = [:]
    var seen: Set<String> = []
    var unknown: [JSONValue.Member] = []
    for member in members {
      guard let field = message.field(named: member.name) else {
        unknown.append(member)
        continue
      }
      let place = path.appending(member.name)
      checkName(member.name, field, at: place)
      if !seen.insert(field.name).inserted {
        note(.repeatedField, .breaking, at: place, expected: "\(field.name) once", found: "it again")
      }
      if member.value == .null {
        checkNull(field, at: place)
      } else {
        present[field.name] = member.value
        checkPresent(member.value, field, at: place)
      }
    }
    var absence = AbsenceCheck(message, binding, present: present, seen: seen, unknown: unknown)
    absence.check(at: path)
    for finding in absence.findings { findings.add(finding) }
  }

  /// Checks a field's value that is not `null`.
  private mutating func checkPresent(_ value: JSONValue, _ field: FieldDescriptor, at path: String) {
    switch (field.cardinality, value) {
    case (.repeated, .array(let elements)):
      for element in elements { checkElement(element, field, at: "\(path)[]") }
    case (.repeated, _): note(.wrongType, .breaking, at: path, expected: "a list", found: shown(value, field))
    case (.map, .object(let entries)):
      checkKeys(entries, at: path)
      for entry in entries { checkElement(entry.value, field, at: "\(path)[*]") }
    case (.map, _): note(.wrongType, .breaking, at: path, expected: "an object", found: shown(value, field))
    default: checkValue(value, field, at: path)
    }
  }

  private mutating func checkElement(_ value: JSONValue, _ field: FieldDescriptor, at path: String) {
    if value == .null {
      note(.nullValue, .breaking, at: path, expected: "a value in each place", found: "null")
    } else {
      checkValue(value, field, at: path)
    }
  }

  private mutating func checkValue(_ value: JSONValue, _ field: FieldDescriptor, at path: String) {
    if case .message(let name) = field.kind, let type = registry.message(named: name) {
      check(value, type.descriptor, at: path)
    } else if let finding = ValueCheck(binding: binding).difference(value, field, at: path) {
      findings.add(finding)
    }
  }

  private mutating func checkKeys(_ entries: [JSONValue.Member], at path: String) {
    var names: Set<String> = []
    for entry in entries where !names.insert(entry.name).inserted {
      note(.repeatedField, .breaking, at: path, expected: "each key once", found: "a key again")
    }
  }

  private mutating func checkName(_ name: String, _ field: FieldDescriptor, at path: String) {
    let expected = binding.names == .proto ? field.name : field.jsonName
    guard name != expected else { return }
    let isAlias = name != field.name && name != field.jsonName
    note(isAlias ? .alias : .nameStyle, .tolerated, at: path, expected: expected, found: name)
  }

  /// `null` is how some write an optional field that is absent, which is right; for all others it means the default.
  private mutating func checkNull(_ field: FieldDescriptor, at path: String) {
    guard field.cardinality != .optional else { return }
    note(.nullValue, .tolerated, at: path, expected: "a value, or nothing", found: "null")
  }

  private func shown(_ value: JSONValue, _ field: FieldDescriptor) -> String {
    field.isSecret ? "another value (hidden)" : value.kindDescription
  }

  private mutating func note(
    _ kind: ContractDifference.Kind, _ grade: ContractDifference.Grade, at path: String, expected: String,
    found: String
  ) {
    findings.add(Finding(kind, grade, at: path, expected: expected, found: found))
  }
}

extension String {
  /// The path of a member. The server chose its name, which must not be as long as it likes.
  func appending(_ name: String) -> String {
    let name = name.shortened(to: 60).printable(to: 120)
    return isEmpty ? name : "\(self).\(name)"
  }
}
