#if GRPC
  /// Writes the fields of a message in the binary form.
  package struct WireOutput {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func append(tag number: Int, _ type: WireType) {
      append(varint: UInt64(number) << 3 | UInt64(type.rawValue))
    }

    package mutating func append(varint value: UInt64) {
      var rest = value
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    package mutating func append(fixed value: UInt64, count: Int) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    package mutating func append(_ number: Int, bytes value: [UInt8]) {
      append(tag: number, .lengthDelimited)
      append(varint: UInt64(value.count))
      bytes += value
    }

    package mutating func append(raw value: [UInt8]) { bytes += value }
  }
#endif
