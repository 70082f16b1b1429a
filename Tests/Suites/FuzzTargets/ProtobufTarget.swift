@testable import NovaCoding
@testable import NovaCore
@testable import NovaMock
@testable import NovaRegistry

/// The first byte chooses the message; 255 is one of the types that the contract does not use. What is accepted survives being written and read, in the binary format and in
/// JSON; what is refused is refused at a place inside the input.
enum ProtobufTarget {
  private static let types = RPCRegistry.nova.messages

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let type: any ProtoMessage.Type = first == 255 ? JSONFields.self : types[Int(first) % types.count]
    checkMessage(type, Array(bytes.dropFirst()))
  }

  private static func checkMessage<Message: ProtoMessage>(_ type: Message.Type, _ bytes: [UInt8]) {
    let name = type.descriptor.name
    guard let message = read(type, bytes) else { return }
    let written = mustSucceed("\(name) cannot be written") { try message.protobuf() }
    let again = mustSucceed("\(name) refuses what it wrote") { try Message(protobuf: written) }
    // NaN differs from itself, so the bytes are compared.
    let second = mustSucceed("\(name) cannot be written twice") { try again.protobuf() }
    require(second == written, "\(name) is another message when it has been written and read")
    guard let json = try? message.jsonUTF8() else { return }
    let other = mustSucceed("\(name) refuses its JSON") { try Message(jsonUTF8: json) }
    let binary = mustSucceed("\(name) cannot be written when it was read from JSON") { try other.protobuf() }
    let last = mustSucceed("\(name) refuses what it wrote") { try Message(protobuf: binary) }
    let text = mustSucceed("\(name) has no JSON any more") { try last.jsonUTF8() }
    require(text == json, "\(name) is another message when it went through both formats")
  }

  private static func read<Message: ProtoMessage>(_ type: Message.Type, _ bytes: [UInt8]) -> Message? {
    do { return try Message(protobuf: bytes) } catch {
      require((0...bytes.count).contains(error.offset ?? -1), "offset of \(bytes.count): \(error)")
      require(error.description.isPrintable, "the error has control characters: \(error.description.debugDescription)")
      return nil
    }
  }
}

/// The types that the contract does not use.
private struct JSONFields: ProtoMessage {
  var value: JSONValue?
  var object: [String: JSONValue]?
  var any: ProtoAny?
  var duration: Duration?
  var mask: FieldMask?
  var wrapped: [String] = []
  var doubles: [Double] = []
  var flags: [Bool: Int] = [:]
  var inner: [JSONFields] = []

  static let descriptor = MessageDescriptor(
    "nova.fuzz.JSONFields",
    fields: [
      FieldDescriptor("value", number: 1, kind: .message("google.protobuf.Value"), cardinality: .optional),
      FieldDescriptor("object", number: 2, kind: .message("google.protobuf.Struct"), cardinality: .optional),
      FieldDescriptor("any", number: 3, kind: .message("google.protobuf.Any"), cardinality: .optional),
      FieldDescriptor("duration", number: 4, kind: .message("google.protobuf.Duration"), cardinality: .optional),
      FieldDescriptor("mask", number: 5, kind: .message("google.protobuf.FieldMask"), cardinality: .optional),
      FieldDescriptor("wrapped", number: 6, kind: .message("google.protobuf.StringValue"), cardinality: .repeated),
      FieldDescriptor("doubles", number: 7, kind: .double, cardinality: .repeated),
      FieldDescriptor("flags", number: 8, kind: .sint32, cardinality: .map(key: .bool)),
      FieldDescriptor("inner", number: 2000, kind: .message("nova.fuzz.JSONFields"), cardinality: .repeated),
    ])

  mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {
    switch index {
    case 0: try source.read(&value, as: .value)
    case 1: try source.read(&object, as: .struct)
    case 2: try source.read(&any, as: .any)
    case 3: try source.read(&duration, as: .duration)
    case 4: try source.read(&mask, as: .fieldMask)
    case 5: try source.read(&wrapped, as: .wrapped(.string))
    case 6: try source.read(&doubles, as: .double)
    case 7: try source.read(&flags, keys: .bool, values: .sint32)
    case 8: try source.read(&inner, as: .message(JSONFields.self))
    default: break
    }
  }

  func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {
    try sink.write(value, as: .value, at: 0)
    try sink.write(object, as: .struct, at: 1)
    try sink.write(any, as: .any, at: 2)
    try sink.write(duration, as: .duration, at: 3)
    try sink.write(mask, as: .fieldMask, at: 4)
    try sink.write(wrapped, as: .wrapped(.string), at: 5)
    try sink.write(doubles, as: .double, at: 6)
    try sink.write(flags, keys: .bool, values: .sint32, at: 7)
    try sink.write(inner, as: .message(JSONFields.self), at: 8)
  }
}
