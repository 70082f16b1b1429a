/// Writes a package's messages and enums.
struct MessageEmitter {
  let package: Package

  func source() -> String {
    let isCore = package.module.name == "NovaCore"
    var source = SourceText(imports: isCore ? [] : ["NovaCore"] + package.imports)
    for message in package.messages { add(message, to: &source) }
    for enumeration in package.enums { add(enumeration, to: &source) }
    source.add("", "/// The messages of `\(package.name)`, in the contract's order.")
    source.add("public enum \(package.swiftName)Messages {")
    source.add("/// Every message.", "public static let all: [any ProtoMessage.Type] = [", depth: 1)
    for message in package.messages { source.add("\(message.name).self,", depth: 2) }
    source.add("]", depth: 1)
    source.add("}")
    return source.text
  }

  private func add(_ message: Message, to source: inout SourceText) {
    source.add("")
    source.document(message.documentation, fallback: "`\(message.fullName)`.")
    source.add("public struct \(message.name): \(protocols(message).joined(separator: ", ")) {")
    for field in message.fields {
      source.document(field.documentation, fallback: "`\(field.name)`.", depth: 1)
      source.add("public var \(field.swiftName): \(field.swiftType) = \(field.swiftDefault)", depth: 1)
    }
    if !message.fields.isEmpty { source.add("") }
    addInitialisers(message, to: &source)
    source.add("}", "", "extension \(message.name) {")
    addDescriptor(message, to: &source)
    addFields(message, to: &source)
    source.add("}")
  }

  private func protocols(_ message: Message) -> [String] {
    var protocols = [message.fields.contains(where: \.isSecret) ? "SecretHolding" : "ProtoMessage"]
    if message.fields.contains(where: { $0.name == "id" && $0.cardinality == .singular }) {
      protocols.append("Identifiable")
    }
    if message.fields.contains(where: { $0.name == "success" && $0.swiftType == "Bool" }) {
      protocols.append("AcknowledgedResponse")
    }
    return protocols
  }

  private func addInitialisers(_ message: Message, to source: inout SourceText) {
    source.add("/// Creates a message with every field at its default.", "public init() {}", depth: 1)
    guard !message.fields.isEmpty else { return }
    source.add("", "/// Creates a message; omitted fields have their defaults.", "public init(", depth: 1)
    for (index, field) in message.fields.enumerated() {
      let comma = index == message.fields.count - 1 ? "" : ","
      source.add("\(field.swiftName): \(field.swiftType) = \(field.swiftDefault)\(comma)", depth: 2)
    }
    source.add(") {", depth: 1)
    for field in message.fields { source.add("self.\(field.swiftName) = \(field.swiftName)", depth: 2) }
    source.add("}", depth: 1)
  }

  private func addDescriptor(_ message: Message, to source: inout SourceText) {
    let names = package.isLowerCamelCase ? ", names: .lowerCamelCase" : ""
    source.add(
      "public static let descriptor = MessageDescriptor(\(SwiftNames.literal(message.fullName))\(names), fields: [",
      depth: 1)
    for field in message.fields { source.add("\(descriptor(field)),", depth: 2) }
    source.add("])", "", depth: 1)
  }

  private func descriptor(_ field: Field) -> String {
    var arguments = [SwiftNames.literal(field.name)]
    // protoc capitalizes after a leading underscore, too.
    if field.jsonName != SwiftNames.lowerCamelCase(field.name) || field.name.hasPrefix("_") {
      arguments.append("json: \(SwiftNames.literal(field.jsonName))")
    }
    arguments += ["number: \(field.number)", "kind: \(field.type.kind)"]
    switch field.cardinality {
    case .singular: break
    case .optional: arguments.append("cardinality: .optional")
    case .repeated: arguments.append("cardinality: .repeated")
    case .map(let key): arguments.append("cardinality: .map(key: \(key.kind))")
    }
    if !field.aliases.isEmpty {
      arguments.append("aliases: [\(field.aliases.map(SwiftNames.literal).joined(separator: ", "))]")
    }
    if field.isSecret { arguments.append("isSecret: true") }
    if let rule = field.rule { arguments.append("rule: \(rule)") }
    return "FieldDescriptor(\(arguments.joined(separator: ", ")))"
  }

  private func addFields(_ message: Message, to source: inout SourceText) {
    source.add("public mutating func readField<Source: FieldSource & ~Copyable>(", depth: 1)
    source.add("_ index: Int, from source: inout Source", depth: 2)
    source.add(") throws(Source.Failure) {", depth: 1)
    if !message.fields.isEmpty {
      source.add("switch index {", depth: 2)
      for (index, field) in message.fields.enumerated() {
        source.add("case \(index): try source.read(&\(own(field)), \(field.codec))", depth: 2)
      }
      source.add("default: break", "}", depth: 2)
    }
    source.add("}", "", depth: 1)
    source.add(
      "public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {", depth: 1)
    for (index, field) in message.fields.enumerated() {
      source.add("try sink.write(\(own(field)), \(field.codec), at: \(index))", depth: 2)
    }
    source.add("}", depth: 1)
  }

  /// The field inside a method, where parameters may have its name.
  private func own(_ field: Field) -> String {
    ["index", "source", "sink"].contains(field.swiftName) ? "self.\(field.swiftName)" : field.swiftName
  }

  private func add(_ enumeration: Enum, to source: inout SourceText) {
    source.add("")
    source.document(enumeration.documentation, fallback: "`\(enumeration.fullName)`.")
    source.add("public struct \(enumeration.name): ProtoEnum {")
    for value in enumeration.values {
      source.document(value.documentation, fallback: "`\(value.name)`, \(value.number).", depth: 1)
      source.add(
        "public static let \(value.swiftName) = \(enumeration.name)(rawValue: \(value.number))", depth: 1)
    }
    source.add(
      "", "public static let names: [(name: String, number: Int32)] = [", depth: 1)
    for value in enumeration.values {
      source.add("(name: \(SwiftNames.literal(value.name)), number: \(value.number)),", depth: 2)
    }
    source.add("]", "", "public let rawValue: Int32", "public let unknownName: String?", "", depth: 1)
    source.add("public init() { self.init(rawValue: 0) }", "", "public init(rawValue: Int32) {", depth: 1)
    source.add("self.rawValue = rawValue", "unknownName = nil", depth: 2)
    source.add("}", "", "public init(name: String) {", depth: 1)
    // By bytes: to Swift's `==`, the kelvin sign is a K.
    source.add("let known = Self.names.first { $0.name.utf8.elementsEqual(name.utf8) }", depth: 2)
    source.add("rawValue = known?.number ?? 0", "unknownName = known == nil ? name : nil", depth: 2)
    source.add("}", depth: 1)
    source.add("}")
  }
}
