/// Writes a oneof: an enum inside its message, and for each of its fields a property that is nil unless it is the one.
///
/// The properties make a field of a oneof the same as any optional field to codecs and to callers; the enum is for
/// `switch`.
struct OneofEmitter {
  let message: Message
  let oneof: Oneof

  private var fields: [Field] { message.fields.filter { $0.oneof == oneof.name } }

  private func caseName(_ field: Field) -> String { SwiftNames.unambiguous(field.swiftName) }

  func add(to source: inout SourceText) {
    source.add("", "extension \(message.name) {")
    source.document(oneof.documentation, fallback: "`\(oneof.name)`.", depth: 1)
    let hasSecrets = fields.contains(where: \.isSecret)
    let protocols = hasSecrets ? "SecretHoldingOneof" : "Sendable, Hashable"
    source.add("public enum \(oneof.typeName): \(protocols) {", depth: 1)
    for field in fields {
      source.document(field.documentation, fallback: "`\(field.name)`.", depth: 2)
      source.add("\(field.isIndirect ? "indirect " : "")case \(caseName(field))(\(field.type.swift))", depth: 2)
    }
    if hasSecrets { addShownCase(to: &source) }
    source.add("}", depth: 1)
    for field in fields { add(field, to: &source) }
    source.add("}")
  }

  /// What descriptions show in place of the enum, whose own would have the secrets.
  private func addShownCase(to source: inout SourceText) {
    source.add("", "public static func shownCase(of oneof: Self) -> OneofCase {", depth: 2)
    source.add("switch oneof {", depth: 3)
    for field in fields {
      let name = SwiftNames.literal(field.swiftName.filter { $0 != "`" })
      let (pattern, value) = field.isSecret ? ("", "") : ("(let value)", ", value")
      source.add("case .\(caseName(field))\(pattern): OneofCase(\(name)\(value))", depth: 3)
    }
    source.add("}", depth: 3)
    source.add("}", depth: 2)
  }

  private func add(_ field: Field, to source: inout SourceText) {
    let (property, name) = ("self.\(oneof.swiftName)", caseName(field))
    source.add("")
    source.document(field.documentation, fallback: "`\(field.name)`.", depth: 1)
    source.add("///", "/// Nil unless ``\(oneof.swiftName)`` has this value.", depth: 1)
    source.add("public var \(field.swiftName): \(field.swiftType) {", depth: 1)
    source.add("get { if case .\(name)(let value)? = \(property) { value } else { nil } }", depth: 2)
    source.add("set {", depth: 2)
    source.add("if let newValue {", depth: 3)
    source.add("\(property) = \(oneof.typeName).\(name)(newValue)", depth: 4)
    source.add("} else if case .\(name)? = \(property) {", depth: 3)
    source.add("\(property) = nil", depth: 4)
    source.add("}", depth: 3)
    source.add("}", depth: 2)
    source.add("}", depth: 1)
  }
}
