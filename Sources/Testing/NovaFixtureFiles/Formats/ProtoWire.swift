import NovaCore

/// A wire type of protobuf's binary format.
enum ProtoWireType: UInt64 {
  case varint = 0
  case eightBytes = 1
  case lengthDelimited = 2
  case fourBytes = 5
}

extension FieldKind {
  var wireType: ProtoWireType {
    switch self {
    case .double, .fixed64, .sfixed64: .eightBytes
    case .float, .fixed32, .sfixed32: .fourBytes
    case .string, .bytes, .timestamp, .message: .lengthDelimited
    case .int32, .int64, .uint32, .uint64, .sint32, .sint64, .bool, .unixSeconds, .enumeration: .varint
    }
  }

  fileprivate var isZigzag: Bool { self == .sint32 || self == .sint64 }
}

extension [UInt8] {
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(tag number: Int, _ type: ProtoWireType) {
    append(varint: UInt64(number) << 3 | type.rawValue)
  }

  mutating func append(delimited bytes: some Collection<UInt8>) {
    append(varint: UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  /// Appends a field whose value has a length: a text, bytes, or a message.
  mutating func append(number: Int, delimited bytes: some Collection<UInt8>) {
    append(tag: number, .lengthDelimited)
    append(delimited: bytes)
  }

  /// Appends a field with its number and value.
  mutating func append(number: Int, _ kind: FieldKind, _ value: PlainValue) {
    append(tag: number, kind.wireType)
    append(value, as: kind)
  }

  /// Appends a value without its number.
  mutating func append(_ value: PlainValue, as kind: FieldKind) {
    if case .message(let name) = kind, let bytes = ProtoWellKnownWire.bytes(of: value, as: name) {
      return append(delimited: bytes)
    }
    switch value {
    case .integer(let value): append(bits: kind.isZigzag ? zigzag(value) : UInt64(bitPattern: value), kind.wireType)
    case .unsigned(let value): append(bits: value, kind.wireType)
    case .double(let value): append(bits: value.bitPattern, .eightBytes)
    case .float(let value): append(bits: UInt64(value.bitPattern), .fourBytes)
    case .bool(let value): append(value ? 1 : 0)
    case .enumeration(let number, _): append(varint: UInt64(bitPattern: Int64(number)))
    case .string(let text): append(delimited: text.utf8)
    case .bytes(let bytes): append(delimited: bytes)
    case .message(let message): append(delimited: ProtoBinaryWriter.bytes(of: message))
    case .timestamp(let time): append(delimited: bytes(of: time))
    // Only fields of these types have such values.
    case .duration, .fieldMask, .json: append(delimited: [])
    }
  }

  private mutating func append(bits: UInt64, _ type: ProtoWireType) {
    switch type {
    case .fourBytes: for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: bits >> shift)) }
    case .eightBytes: for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: bits >> shift)) }
    case .varint, .lengthDelimited: append(varint: bits)
    }
  }

  /// Returns the bytes of a `google.protobuf.Timestamp`.
  private func bytes(of time: Timestamp) -> [UInt8] {
    var bytes: [UInt8] = []
    if time.seconds != 0 { bytes.append(number: 1, .int64, .integer(time.seconds)) }
    if time.nanoseconds != 0 { bytes.append(number: 2, .int32, .integer(Int64(time.nanoseconds))) }
    return bytes
  }

  private func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }
}
