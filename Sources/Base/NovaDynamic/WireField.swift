#if GRPC
  import NovaCoding

  /// The value of a field in the binary form, before its type is known.
  enum WireValue {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    case bytes(ArraySlice<UInt8>)
    case group(ArraySlice<UInt8>)
  }

  /// A field of a message in the binary form.
  struct WireField {
    let number: Int
    let value: WireValue
  }

  /// Reads the fields of a message in the binary form, one after another.
  struct WireFields {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      position = bytes.startIndex
    }

    /// Reads the next field; nil at the end.
    mutating func next() throws(DynamicError) -> WireField? {
      guard position < bytes.endIndex else { return nil }
      let (number, type) = try tag()
      return WireField(number: number, value: try value(of: type, number, depth: 0))
    }

    private mutating func value(of type: WireType, _ number: Int, depth: Int) throws(DynamicError) -> WireValue {
      switch type {
      case .varint: return .varint(try varint())
      case .fixed64: return .fixed64(try fixed(8))
      case .lengthDelimited: return .bytes(try take(try varint()))
      case .startGroup: return .group(try group(number, depth: depth))
      case .endGroup: throw malformed("the end of a group that did not begin")
      case .fixed32: return .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
      }
    }

    /// Reads the fields of a group until its end.
    private mutating func group(_ number: Int, depth: Int) throws(DynamicError) -> ArraySlice<UInt8> {
      guard depth < DynamicLimits.depth else { throw malformed("more than \(DynamicLimits.depth) nested groups") }
      let start = position
      while true {
        let end = position
        let (inner, type) = try tag()
        if type == .endGroup {
          guard inner == number else { throw malformed("the end of another group") }
          return bytes[start..<end]
        }
        _ = try value(of: type, inner, depth: depth + 1)
      }
    }

    private mutating func tag() throws(DynamicError) -> (number: Int, type: WireType) {
      let tag = try varint()
      let number = tag >> 3
      guard (1...536_870_911).contains(number) else { throw malformed("the field number \(number)") }
      guard let type = WireType(rawValue: UInt8(tag & 7)) else { throw malformed("the wire type \(tag & 7)") }
      return (Int(number), type)
    }

    mutating func varint() throws(DynamicError) -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        guard position < bytes.endIndex else { throw malformed("an end within a number") }
        let byte = bytes[position]
        position += 1
        // The tenth byte has one bit of the value; what does not fit is dropped, as other readers do.
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
        shift += 7
        guard shift < 70 else { throw malformed("a number of more than 10 bytes") }
      }
    }

    mutating func fixed(_ count: Int) throws(DynamicError) -> UInt64 {
      try take(UInt64(count)).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func take(_ count: UInt64) throws(DynamicError) -> ArraySlice<UInt8> {
      guard count <= UInt64(bytes.endIndex - position) else { throw malformed("an end within a value") }
      defer { position += Int(count) }
      return bytes[position..<(position + Int(count))]
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    private func malformed(_ found: String) -> DynamicError {
      DynamicError("malformed bytes: found \(found) at offset \(position - bytes.startIndex)")
    }
  }
#endif
