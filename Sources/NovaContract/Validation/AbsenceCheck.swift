import NovaCore

/// Validates what is not in an object: absent fields, and unknown members that may stand in their place.
struct AbsenceCheck {
  private let message: MessageDescriptor
  private let binding: HTTPBinding
  /// Values that are there and not `null`, by the names of `Proto/`.
  private let present: [String: JSONValue]
  /// Names that are there, also with `null`.
  private let seen: Set<String>
  private var unknown: [JSONValue.Member]
  private(set) var findings: [Finding] = []

  init(
    _ message: MessageDescriptor, _ binding: HTTPBinding, present: [String: JSONValue], seen: Set<String>,
    unknown: [JSONValue.Member]
  ) {
    self.message = message
    self.binding = binding
    self.present = present
    self.seen = seen
    self.unknown = unknown
  }

  mutating func check(at path: String) {
    let meaningful = FieldMeaning.neverDefault[message.name] ?? []
    for field in message.fields {
      let name = binding.names == .proto ? field.name : field.jsonName
      let place = path.appending(name)
      if present[field.name] == nil, let other = takeRenamed(field) {
        note(.renamed, .breaking, at: place, expected: name, found: "nothing, but an unknown \(other)")
      } else if meaningful.contains(field.name), present[field.name].map(\.isDefault) ?? true {
        let found = present[field.name] == nil ? "nothing" : "an empty value"
        note(.missing, .breaking, at: place, expected: "a value: it is never empty", found: found)
      } else if !seen.contains(field.name), !mayBeAbsent(field) {
        note(.missing, .tolerated, at: place, expected: "a value", found: "nothing, which is read as the default")
      }
    }
    for member in unknown {
      note(
        .unknownField, .additive, at: path.appending(member.name), expected: "nothing",
        found: member.value.typeDescription)
    }
  }

  /// Absent optional fields and messages mean that there is none.
  private func mayBeAbsent(_ field: FieldDescriptor) -> Bool {
    if field.cardinality == .optional { return true }
    if let partner = FieldMeaning.eitherOf[message.name]?[field.name] { return seen.contains(partner) }
    return FieldMeaning.mayBeAbsent[message.name]?.contains(field.name) ?? false
  }

  /// An unknown member that looks like an absent field, renamed; it counts for one field only.
  private mutating func takeRenamed(_ field: FieldDescriptor) -> String? {
    guard !seen.contains(field.name) else { return nil }
    let index = unknown.firstIndex { FieldNameSimilarity.isLikely(field, $0.name) && $0.value.mayBe(field) }
    return index.map { unknown.remove(at: $0).name.shortened(to: 60).printable(to: 120) }
  }

  private mutating func note(
    _ kind: ContractDifference.Kind, _ grade: ContractDifference.Grade, at path: String, expected: String,
    found: String
  ) {
    findings.append(Finding(kind, grade, at: path, expected: expected, found: found))
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

  /// Whether a field's value could be this, by its kind of JSON.
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
