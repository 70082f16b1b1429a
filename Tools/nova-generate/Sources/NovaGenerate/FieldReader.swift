import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// Reads one field of a message.
struct FieldReader {
  let field: FieldDescriptor
  let gateway: GatewayConfig
  let types: TypeNames
  /// The batch limits by the full name of their field, and the messages that are requests.
  let batchLimits: [String: GatewayConfig.BatchLimit]
  let isInRequest: Bool

  func read() throws -> Field {
    guard SwiftNames.lowerCamelCase(field.name).first?.isLetter == true else {
      throw error("has no letter with which its Swift name could start")
    }
    for name in [field.jsonName ?? ""] + (gateway.aliases[field.fullName] ?? []) {
      guard name.isEmpty || name.wholeMatch(of: /[!#-\[\]-~]+/) != nil else {
        throw error("has the JSON name \"\(name)\"; ASCII without quotes, backslashes and spaces is supported")
      }
    }
    let (type, cardinality) = try typedShape()
    return Field(
      name: field.name, jsonName: field.jsonName ?? SwiftNames.lowerCamelCase(field.name), number: Int(field.number),
      swiftName: swiftName, documentation: documentation(field),
      type: type, cardinality: cardinality, aliases: gateway.aliases[field.fullName] ?? [],
      isSecret: gateway.secrets.contains(field.fullName), rule: rule(type, cardinality),
      valueType: gateway.valueTypes[field.fullName], oneof: field.realContainingOneof?.name,
      isIndirect: !field.isRepeated && field.messageType.map(isRecursive) == true,
      isPacked: !field.isPackable || field.isPacked)
  }

  /// A secret text must not be what its message is printed as.
  private var swiftName: String {
    let isSecret = gateway.secrets.contains(field.fullName)
    return isSecret && ["description", "debug_description"].contains(field.name)
      ? "\(SwiftNames.lowerCamelCase(field.name))Field" : SwiftNames.property(field.name)
  }

  private func rule(_ type: FieldType, _ cardinality: Field.Cardinality) -> String? {
    if let length = gateway.textLengths[field.fullName] {
      return ".length(minimum: \(length.minimum), maximum: \(length.maximum.map(String.init) ?? "nil"))"
    }
    if let range = gateway.integerRanges[field.fullName] {
      return ".range(minimum: \(range.lowerBound), maximum: \(range.upperBound))"
    }
    if gateway.httpURLs.contains(field.fullName) { return ".httpURL" }
    if let limit = batchLimits[field.fullName] {
      let minimum = limit.minimum > 0 ? "minimum: \(limit.minimum), " : ""
      return ".count(\(minimum)maximum: \(limit.maximum))"
    }
    guard gateway.hasImplicitRules, isInRequest, cardinality == .singular else { return nil }
    let isID = field.name == "id" || field.name.hasSuffix("_id")
    if type.kind == ".string", isID { return gateway.optionalIDs.contains(field.fullName) ? nil : ".notEmpty" }
    return ["limit", "offset", "skip"].contains(field.name) && type.swift == "Int" ? ".notNegative" : nil
  }

  private func isRecursive(_ message: Descriptor) -> Bool {
    !message.isWellKnown && message.canContain(field.containingType)
  }

  /// The shape, with the Swift type that `gateway.yaml` gives a text.
  private func typedShape() throws -> (FieldType, Field.Cardinality) {
    let (type, cardinality) = try shape()
    guard type == .text, let name = gateway.typedTexts[field.fullName] else { return (type, cardinality) }
    return (.typedText(name), cardinality)
  }

  private func shape() throws -> (FieldType, Field.Cardinality) {
    if let entry = field.mapEntry {
      let key = try type(entry.key)
      return (try type(entry.value), .map(key: key))
    }
    let type = try type(field)
    if field.isRepeated { return (type, .repeated) }
    return (type, field.hasPresence || gateway.explicitPresence.contains(field.fullName) ? .optional : .singular)
  }

  private func type(_ field: FieldDescriptor) throws -> FieldType {
    switch field.type {
    case .double: .scalar("double", swift: "Double", swiftDefault: "0")
    case .float: .scalar("float", swift: "Float", swiftDefault: "0")
    case .int32: .scalar("int32", swift: "Int", swiftDefault: "0")
    case .sint32: .scalar("sint32", swift: "Int", swiftDefault: "0")
    case .sfixed32: .scalar("sfixed32", swift: "Int", swiftDefault: "0")
    case .uint32: .scalar("uint32", swift: "Int", swiftDefault: "0")
    case .fixed32: .scalar("fixed32", swift: "Int", swiftDefault: "0")
    case .int64:
      field.name.hasSuffix("_at")
        ? .scalar("unixSeconds", swift: "Int64", swiftDefault: "0")
        : .scalar("int64", swift: "Int64", swiftDefault: "0")
    case .sint64: .scalar("sint64", swift: "Int64", swiftDefault: "0")
    case .sfixed64: .scalar("sfixed64", swift: "Int64", swiftDefault: "0")
    case .uint64: .scalar("uint64", swift: "UInt64", swiftDefault: "0")
    case .fixed64: .scalar("fixed64", swift: "UInt64", swiftDefault: "0")
    case .bool: .scalar("bool", swift: "Bool", swiftDefault: "false")
    case .string: .text
    case .bytes: .scalar("bytes", swift: "[UInt8]", swiftDefault: "[]")
    case .enum where field.enumType.fullName == "google.protobuf.NullValue":
      FieldType(
        kind: ".enumeration(\(SwiftNames.literal(field.enumType.fullName)))", swift: "ProtoNull",
        swiftDefault: "ProtoNull()", codec: ".null")
    case .enum where field.enumType.fullName.hasPrefix("google.protobuf."):
      throw error("is a \(field.enumType.fullName), which is not supported")
    case .enum: .enumeration(field.enumType.fullName, types.reference(to: field.enumType, from: scope))
    case .message: try messageType(field.messageType)
    case .group: throw error("is a group, which is not supported")
    }
  }

  private func messageType(_ message: Descriptor) throws -> FieldType {
    switch message.wellKnownType {
    case nil where !message.isWellKnown:
      .message(message.fullName, types.reference(to: message, from: scope))
    case .timestamp: .scalar("timestamp", swift: "Timestamp", swiftDefault: "Timestamp()")
    case .duration: wellKnown(message, swift: "Swift.Duration", swiftDefault: ".zero", codec: "duration")
    case .fieldMask: wellKnown(message, swift: "FieldMask", swiftDefault: "FieldMask()", codec: "fieldMask")
    case .any: wellKnown(message, swift: "ProtoAny", swiftDefault: "ProtoAny()", codec: "any")
    case .value: wellKnown(message, swift: "JSONValue", swiftDefault: ".null", codec: "value")
    case .struct: wellKnown(message, swift: "[String: JSONValue]", swiftDefault: "[:]", codec: "struct")
    case .listValue: wellKnown(message, swift: "[JSONValue]", swiftDefault: "[]", codec: "listValue")
    case .doubleValue: wrapper(message, swift: "Double", swiftDefault: "0", codec: "double")
    case .floatValue: wrapper(message, swift: "Float", swiftDefault: "0", codec: "float")
    case .int64Value: wrapper(message, swift: "Int64", swiftDefault: "0", codec: "int64")
    case .uint64Value: wrapper(message, swift: "UInt64", swiftDefault: "0", codec: "uint64")
    case .int32Value: wrapper(message, swift: "Int", swiftDefault: "0", codec: "int32")
    case .uint32Value: wrapper(message, swift: "Int", swiftDefault: "0", codec: "uint32")
    case .boolValue: wrapper(message, swift: "Bool", swiftDefault: "false", codec: "bool")
    case .stringValue: wrapper(message, swift: "String", swiftDefault: "\"\"", codec: "string")
    case .bytesValue: wrapper(message, swift: "[UInt8]", swiftDefault: "[]", codec: "bytes")
    case nil where message.fullName == "google.protobuf.Empty": .message(message.fullName, "ProtoEmpty")
    default: throw error("is a \(message.fullName), which is not supported")
    }
  }

  private func wellKnown(_ message: Descriptor, swift: String, swiftDefault: String, codec: String) -> FieldType {
    .wellKnown(message.name, swift: swift, swiftDefault: swiftDefault, codec: codec)
  }

  private func wrapper(_ message: Descriptor, swift: String, swiftDefault: String, codec: String) -> FieldType {
    wellKnown(message, swift: swift, swiftDefault: swiftDefault, codec: "wrapped(.\(codec))")
  }

  /// The message whose code names the type. The entry of a map has none.
  private var scope: Descriptor? { field.containingType }

  private func error(_ reason: String) -> GenerationError {
    GenerationError(
      file: field.file.name, place: "\(types.name(of: field.containingType)).\(field.name)", reason: reason)
  }
}
