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
  mutating func checkBody(_ value: JSONValue, of type: any ProtoMessage.Type) {
    let message = type.descriptor
    guard let name = binding.responseField, let field = message.field(named: name) else {
      if isForeign(value, message) { return }
      return check(value, message, at: "")
    }
    if WholeResponse.stands(in: value.jsonUTF8, of: type, name) {
      findings.add(
        .wrongType, .tolerated, expected: "the \(name) alone, as response_body has it",
        found: "an object with them as a member")
      return check(value, message, at: "")
    }
    if field.cardinality != .repeated, let index = message.fields.firstIndex(where: { $0.name == name }),
      let body = NestedTypes.type(ofField: index, in: type)
    {
      if isForeign(value, body.descriptor) { return }
    }
    checkPresent(value, field, in: message, at: "")
  }

  /// Reports an object in another form of JSON, which the SDK does not read.
  private mutating func isForeign(_ value: JSONValue, _ message: MessageDescriptor) -> Bool {
    guard let members = value.memberList, case .foreign = MessagePresence(members, of: message),
      // Reported for the field itself.
      !members.contains(where: { member in message.fields.contains { $0.name != "error" && member.isLikely($0) } })
    else { return false }
    findings.add(.wrongType, at: "", expected: "a field of \(message.shortName)", found: "an object without any")
    return true
  }

  /// Checks an object.
  ///
  /// - Parameter list: the list that it is an item of, if its items have requirements of their own.
  mutating func check(_ value: JSONValue, _ message: MessageDescriptor, in list: String? = nil, at path: String) {
    guard case .object(let members) = value else {
      return findings.add(.wrongType, at: path, expected: "an object", found: value.kindDescription)
    }
    var present: [String: JSONValue] = [:]
    var seen: Set<String> = []
    var unknown: [JSONValue.Member] = []
    let requirements = FieldRequirements(of: message, in: list)
    for member in members {
      guard let field = message.field(named: member.name) else {
        unknown.append(member)
        continue
      }
      let place = path.appending(member.name)
      checkName(member.name, field, at: place)
      if !seen.insert(field.name).inserted {
        findings.add(.repeatedField, at: place, expected: "\(field.name) once", found: "it again")
      }
      if member.value == .null {
        // A field that must have a value is reported as missing, once.
        if !requirements.neverDefault(field), !requirements.neverAbsent(field) { checkNull(field, at: place) }
      } else {
        present[field.name] = member.value
        checkPresent(member.value, field, in: message, at: place)
      }
    }
    for field in message.fields {
      checkAbsence(
        of: field, in: message, requirements: requirements, members: Members(present: present, seen: seen),
        unknown: &unknown, at: path)
    }
    for member in unknown {
      findings.add(
        .unknownField, .additive, at: path.appending(member.name), expected: "nothing",
        found: member.value.typeDescription)
    }
  }

  /// The members of an object.
  private struct Members {
    /// The values that are not `null`, by the names of `Proto/`.
    let present: [String: JSONValue]
    /// The names of all members, also of those that are `null`.
    let seen: Set<String>
  }

  /// Validates that a field is present, or may be absent, and that no unknown member takes its place.
  private mutating func checkAbsence(
    of field: FieldDescriptor, in message: MessageDescriptor, requirements: FieldRequirements, members: Members,
    unknown: inout [JSONValue.Member], at path: String
  ) {
    let name = field.writtenName(binding.names)
    let place = path.appending(name)
    let value = members.present[field.name]
    let nothing = members.seen.contains(field.name) ? "null" : "nothing"
    if !members.seen.contains(field.name), let index = unknown.firstIndex(where: { $0.isLikely(field) }) {
      let other = unknown.remove(at: index).name.shortened(to: 60).printable(to: 120)
      findings.add(.renamed, at: place, expected: name, found: "nothing, but an unknown \(other)")
    } else if requirements.neverDefault(field), value?.isDefault ?? true {
      let found = value == nil ? nothing : "an empty value"
      findings.add(.missing, at: place, expected: "a value: it is never empty", found: found)
    } else if value == nil, requirements.neverAbsent(field) {
      findings.add(.missing, at: place, expected: "a value: it is never absent", found: nothing)
    } else if !members.seen.contains(field.name),
      !mayBeAbsent(field, in: message, requirements: requirements, members: members)
    {
      findings.add(.missing, .tolerated, at: place, expected: "a value", found: GatewayForms.leftOut)
    }
  }

  /// Whether the absence of a field means that there is no value.
  private func mayBeAbsent(
    _ field: FieldDescriptor, in message: MessageDescriptor, requirements: FieldRequirements, members: Members
  ) -> Bool {
    if requirements.mayBeAbsent(field) { return true }
    return FieldMeaning.eitherOf[message.name]?[field.name].map(members.seen.contains) ?? false
  }

  /// Checks a field's value that is not `null`.
  private mutating func checkPresent(
    _ value: JSONValue, _ field: FieldDescriptor, in message: MessageDescriptor, at path: String
  ) {
    switch (field.cardinality, value) {
    case (.repeated, .array(let elements)):
      let list = FieldRequirements.list(of: field, in: message)
      for element in elements { checkElement(element, field, in: list, at: "\(path)[]") }
    case (.repeated, _): findings.add(.wrongType, at: path, expected: "a list", found: shown(value, field))
    case (.map, .object(let entries)):
      checkKeys(entries, at: path)
      for entry in entries { checkElement(entry.value, field, at: "\(path)[*]") }
    case (.map, _): findings.add(.wrongType, at: path, expected: "an object", found: shown(value, field))
    default: checkValue(value, field, at: path)
    }
  }

  private mutating func checkElement(
    _ value: JSONValue, _ field: FieldDescriptor, in list: String? = nil, at path: String
  ) {
    if value == .null {
      findings.add(.nullValue, at: path, expected: "a value in each place", found: "null")
    } else {
      checkValue(value, field, in: list, at: path)
    }
  }

  private mutating func checkValue(
    _ value: JSONValue, _ field: FieldDescriptor, in list: String? = nil, at path: String
  ) {
    if case .message(let name) = field.kind, let type = registry.message(named: name) {
      check(value, type.descriptor, in: list, at: path)
    } else if let finding = ValueCheck(binding: binding).difference(of: value, as: field, at: path) {
      findings.add(finding)
    }
  }

  private mutating func checkKeys(_ entries: [JSONValue.Member], at path: String) {
    var names: Set<String> = []
    for entry in entries where !names.insert(entry.name).inserted {
      findings.add(.repeatedField, at: path, expected: "each key once", found: "a key again")
    }
  }

  private mutating func checkName(_ name: String, _ field: FieldDescriptor, at path: String) {
    let expected = field.writtenName(binding.names)
    guard name != expected else { return }
    let isAlias = name != field.name && name != field.jsonName
    findings.add(isAlias ? .alias : .nameStyle, .tolerated, at: path, expected: expected, found: name)
  }

  /// Some servers write `null` for an absent optional field, which is correct; for other fields it means the default.
  private mutating func checkNull(_ field: FieldDescriptor, at path: String) {
    guard field.cardinality != .optional else { return }
    findings.add(.nullValue, .tolerated, at: path, expected: "a value, or nothing", found: "null")
  }

  private func shown(_ value: JSONValue, _ field: FieldDescriptor) -> String {
    field.isSecret ? "another value (hidden)" : value.kindDescription
  }
}

extension String {
  /// The path of a member. The server chose its name, so it is shortened.
  func appending(_ name: String) -> String {
    let name = name.shortened(to: 60).printable(to: 120)
    return isEmpty ? name : "\(self).\(name)"
  }
}

extension JSONValue.Member {
  /// Whether an unknown member may be a field under another name.
  fileprivate func isLikely(_ field: FieldDescriptor) -> Bool {
    FieldNameSimilarity.isLikely(field, name) && value.mayBe(field)
  }
}

extension JSONValue {
  /// Whether the SDK reads it like an absent value.
  var isDefault: Bool {
    switch self {
    case .null, .bool(false), .string(""), .array([]), .object([]): true
    case .number(let text): Double(text) == 0
    default: false
    }
  }

  /// The type without the value: any unknown field may be secret.
  var typeDescription: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// Whether this could be a field's value, judging by its kind of JSON.
  fileprivate func mayBe(_ field: FieldDescriptor) -> Bool {
    switch (field.cardinality, self) {
    case (.repeated, .array), (.map, .object): return true
    case (.repeated, _), (.map, _): return false
    default: break
    }
    switch (field.kind, self) {
    case (.message, .object), (.bool, .bool), (.string, .string), (.timestamp, .string), (.bytes, .string),
      (.enumeration, .string), (.unixSeconds, .string), (.unixSeconds, .number):
      return true
    case (.double, .number), (.float, .number): return true
    case (let kind, .number), (let kind, .string): return kind.isInteger
    default: return false
    }
  }
}
