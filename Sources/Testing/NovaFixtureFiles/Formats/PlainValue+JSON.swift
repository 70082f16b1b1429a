import NovaCore

extension PlainValue {
  /// The value as JSON, for nested values in a cell.
  var json: [UInt8] {
    switch self {
    case .integer(let value): Array("\(value)".utf8)
    case .unsigned(let value): Array("\(value)".utf8)
    case .bool(let value): Array("\(value)".utf8)
    case .double(let value): Self.json(of: value)
    case .float(let value): Self.json(of: value)
    case .string(let text): JSONValue.string(text).jsonUTF8
    case .bytes(let bytes): JSONValue.string(String(decoding: Base64.encode(bytes), as: UTF8.self)).jsonUTF8
    case .timestamp(let time): JSONValue.string(time.description).jsonUTF8
    case .duration(let duration): JSONValue.string(duration.protoJSON ?? "").jsonUTF8
    case .fieldMask(let mask): JSONValue.string(mask.json ?? "").jsonUTF8
    case .json(let value): value.jsonUTF8
    case .enumeration(let number, let name): name.map { JSONValue.string($0).jsonUTF8 } ?? Array("\(number)".utf8)
    // Encoding fails only for numbers out of range, which worlds do not contain.
    case .message(let message): (try? message.jsonUTF8()) ?? Array("null".utf8)
    }
  }

  /// The text of a cell with only this value.
  var cell: String {
    switch self {
    case .string(let text): text
    case .timestamp(let time): time.description
    case .duration(let duration): duration.protoJSON ?? ""
    case .fieldMask(let mask): mask.json ?? ""
    case .bytes(let bytes): String(decoding: Base64.encode(bytes), as: UTF8.self)
    case .enumeration(let number, let name): name ?? "\(number)"
    default: String(decoding: json, as: UTF8.self)
    }
  }

  /// Returns a list of values as JSON.
  static func json(of list: [PlainValue]) -> [UInt8] {
    Array("[".utf8) + list.map(\.json).joined(separator: Array(",".utf8)) + Array("]".utf8)
  }

  /// Returns a map as a JSON object, sorted by key.
  static func json<K: ProtoMapKey, C: ProtoCodec>(ofMap map: [K.Value: C.Value], keys: K, values: C) -> [UInt8] {
    let members = K.inOrder(Array(map.keys)).map { key in
      JSONValue.string(K.text(key)).jsonUTF8 + Array(":".utf8) + C.plain(map[key] ?? C.defaultValue).json
    }
    return Array("{".utf8) + members.joined(separator: Array(",".utf8)) + Array("}".utf8)
  }

  private static func json<T: BinaryFloatingPoint & LosslessStringConvertible>(of value: T) -> [UInt8] {
    value.isFinite ? Array(value.description.utf8) : JSONValue.string(value.description).jsonUTF8
  }
}
