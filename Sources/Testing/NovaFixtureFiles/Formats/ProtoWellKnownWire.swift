import NovaCore
import NovaRegistry

/// The well-known types of protobuf in its binary format, of values that are not messages in Swift.
enum ProtoWellKnownWire {
  /// Returns the bytes of a value in a field of the type `name`; nil for a message.
  static func bytes(of value: PlainValue, as name: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    switch value {
    case .message: return nil
    case .duration(let duration):
      let (seconds, attoseconds) = duration.components
      if seconds != 0 { bytes.append(number: 1, .int64, .integer(seconds)) }
      let nanoseconds = attoseconds / 1_000_000_000
      if nanoseconds != 0 { bytes.append(number: 2, .int32, .integer(nanoseconds)) }
    case .fieldMask(let mask): for path in mask.paths { bytes.append(number: 1, .string, .string(path)) }
    case .json(let json):
      switch name {
      case "google.protobuf.Struct": bytes = structBytes(json)
      case "google.protobuf.ListValue": bytes = listBytes(json)
      case "google.protobuf.Any": bytes = anyBytes(json)
      default: bytes = valueBytes(json)
      }
    default:
      // Field 1 of a wrapper, which leaves out a default, too.
      guard let kind = wrapped[name] else { return nil }
      bytes.append(number: 1, kind, value)
      if kind.wireType == .lengthDelimited ? bytes == [0x0A, 0] : bytes.dropFirst().allSatisfy({ $0 == 0 }) {
        return []
      }
    }
    return bytes
  }

  private static let wrapped: [String: FieldKind] = [
    "google.protobuf.DoubleValue": .double, "google.protobuf.FloatValue": .float,
    "google.protobuf.Int64Value": .int64, "google.protobuf.UInt64Value": .uint64,
    "google.protobuf.Int32Value": .int32, "google.protobuf.UInt32Value": .uint32,
    "google.protobuf.BoolValue": .bool, "google.protobuf.StringValue": .string,
    "google.protobuf.BytesValue": .bytes,
  ]

  private static func structBytes(_ json: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    for member in json.memberList ?? [] {
      var entry: [UInt8] = []
      entry.append(number: 1, .string, .string(member.name))
      entry.append(number: 2, delimited: valueBytes(member.value))
      bytes.append(number: 1, delimited: entry)
    }
    return bytes
  }

  private static func listBytes(_ json: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    for element in json.elements ?? [] {
      bytes.append(number: 1, delimited: valueBytes(element))
    }
    return bytes
  }

  private static func valueBytes(_ json: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    switch json {
    case .null: bytes.append(number: 1, .int32, .integer(0))
    case .number(let text): bytes.append(number: 2, .double, .double(Double(text) ?? 0))
    case .string(let text): bytes.append(number: 3, .string, .string(text))
    case .bool(let value): bytes.append(number: 4, .bool, .bool(value))
    case .object:
      bytes.append(number: 5, delimited: structBytes(json))
    case .array:
      bytes.append(number: 6, delimited: listBytes(json))
    }
    return bytes
  }

  /// The bytes of a message of the contract; of others, only the type's name.
  private static func anyBytes(_ json: JSONValue) -> [UInt8] {
    guard let packed = ProtoAny(json: json), !packed.typeURL.isEmpty else { return [] }
    var bytes: [UInt8] = []
    bytes.append(number: 1, .string, .string(packed.typeURL))
    let name = packed.typeURL.split(separator: "/").last.map(String.init) ?? ""
    guard let type = RPCRegistry.nova.message(named: name), let message = unpacked(packed, type) else { return bytes }
    bytes.append(number: 2, delimited: ProtoBinaryWriter.bytes(of: message))
    return bytes
  }

  private static func unpacked(_ packed: ProtoAny, _ type: any ProtoMessage.Type) -> (any ProtoMessage)? {
    try? packed.message(as: type)
  }
}
