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
    source.addDeclaration(of: message.name) { source, name in
      source.document(message.documentation, fallback: "`\(message.fullName)`.")
      source.add("public struct \(name): \(protocols(message).joined(separator: ", ")) {")
      for property in properties(message) {
        source.document(property.documentation, fallback: "`\(property.protoName)`.", depth: 1)
        let wrapper = property.isIndirect ? "@Indirect " : ""
        source.add("\(wrapper)public var \(property.name): \(property.type) = \(property.value)", depth: 1)
      }
      if package.keepsUnknownFields {
        source.add("/// Fields of the binary format that this version does not declare.", depth: 1)
        source.add("public var \(SwiftNames.unknownFields) = UnknownFields()", depth: 1)
      }
      if !message.fields.isEmpty || package.keepsUnknownFields { source.add("") }
      addInitialisers(message, to: &source)
      source.add("}")
    }
    for oneof in message.oneofs { OneofEmitter(message: message, oneof: oneof).add(to: &source) }
    source.add("", "extension \(message.name) {")
    addDescriptor(message, to: &source)
    addFields(message, to: &source)
    source.add("}")
  }

  /// A stored property: a field, or a oneof.
  private struct Property {
    var protoName: String
    var name: String
    var type: String
    var value: String
    var documentation: [String]
    var isIndirect = false
  }

  /// In order of declaration; a oneof stands where its first field does.
  private func properties(_ message: Message) -> [Property] {
    var oneofs = message.oneofs
    return message.fields.compactMap { field in
      guard let name = field.oneof else {
        return Property(
          protoName: field.name, name: field.swiftName, type: field.swiftType, value: field.swiftDefault,
          documentation: field.documentation, isIndirect: field.isIndirect)
      }
      guard let index = oneofs.firstIndex(where: { $0.name == name }) else { return nil }
      let oneof = oneofs.remove(at: index)
      return Property(
        protoName: oneof.name, name: oneof.swiftName, type: "\(oneof.typeName)?", value: "nil",
        documentation: oneof.documentation)
    }
  }

  private func protocols(_ message: Message) -> [String] {
    var protocols = [message.fields.contains(where: \.isSecret) ? "SecretHolding" : "ProtoMessage"]
    if message.fields.contains(where: { $0.name == "id" && $0.cardinality == .singular }) {
      protocols.append("Identifiable")
    }
    if message.fields.contains(where: { $0.name == "success" && $0.swiftType == "Bool" }) {
      protocols.append("AcknowledgedResponse")
    }
    if package.keepsUnknownFields { protocols.append("UnknownFieldKeeping") }
    return protocols
  }

  private func addInitialisers(_ message: Message, to source: inout SourceText) {
    source.add("/// Creates a message with every field at its default.", "public init() {}", depth: 1)
    guard !message.fields.isEmpty else { return }
    source.add("", "/// Creates a message; omitted fields have their defaults.", "public init(", depth: 1)
    let properties = properties(message)
    for (index, property) in properties.enumerated() {
      let comma = index == properties.count - 1 ? "" : ","
      source.add("\(property.name): \(property.type) = \(property.value)\(comma)", depth: 2)
    }
    source.add(") {", depth: 1)
    for property in properties { source.add("self.\(property.name) = \(property.name)", depth: 2) }
    source.add("}", depth: 1)
  }

  private func addDescriptor(_ message: Message, to source: inout SourceText) {
    let names = package.isLowerCamelCase ? ", names: .lowerCamelCase" : ""
    let recordID =
      (message.recordID.map { ", recordID: \(SwiftNames.literal($0))" } ?? "")
      + (message.holdsRecords ? ", holdsRecords: true" : "")
    source.add(
      "public static let descriptor = MessageDescriptor(\(SwiftNames.literal(message.fullName))\(names)\(recordID), fields: [",
      depth: 1)
    for field in message.fields { source.add("\(descriptor(field)),", depth: 2) }
    if message.requirements.isEmpty {
      source.add("])", "", depth: 1)
      return
    }
    source.add("], requirements: [", depth: 1)
    for requirement in message.requirements {
      let values = requirement.condition.values.map(SwiftNames.literal).joined(separator: ", ")
      source.add(
        "FieldRequirement(\(SwiftNames.literal(requirement.field)), if: \(SwiftNames.literal(requirement.condition.condition)), isOneOf: [\(values)]),",
        depth: 2)
    }
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
    if let oneof = field.oneof { arguments.append("oneof: \(SwiftNames.literal(oneof))") }
    if !field.isPacked { arguments.append("isPacked: false") }
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
    source.addDeclaration(of: enumeration.name) { source, name in
      // Inside another type, its name may stand for something else.
      add(enumeration, name: name, value: name == enumeration.name ? name : "Self", to: &source)
    }
  }

  private func add(_ enumeration: Enum, name: String, value: String, to source: inout SourceText) {
    source.document(enumeration.documentation, fallback: "`\(enumeration.fullName)`.")
    source.add("public struct \(name): ProtoEnum {")
    for known in enumeration.namedValues {
      source.document(known.documentation, fallback: "`\(known.name)`, \(known.number).", depth: 1)
      source.add("public static let \(known.swiftName) = \(value)(rawValue: \(known.number))", depth: 1)
    }
    source.add(
      "", "public static let names: [(name: String, number: Int32)] = [", depth: 1)
    for known in enumeration.values {
      source.add("(name: \(SwiftNames.literal(known.name)), number: \(known.number)),", depth: 2)
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
