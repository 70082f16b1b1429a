#if Server
  /// Writes the few messages of gRPC's own services in protobuf's binary format.
  struct WireWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a number; 0 is the default, and left out.
    mutating func integer(_ number: Int, _ value: UInt64) {
      guard value != 0 else { return }
      varint(UInt64(number) << 3)
      varint(value)
    }

    /// Writes a text; an empty one is the default, and left out.
    mutating func text(_ number: Int, _ value: String) { if !value.isEmpty { bytes(number, Array(value.utf8)) } }

    mutating func message(_ number: Int, _ value: WireWriter) { bytes(number, value.bytes) }

    mutating func bytes(_ number: Int, _ value: some Collection<UInt8>) {
      varint(UInt64(number) << 3 | 2)
      varint(UInt64(value.count))
      bytes += value
    }

    private mutating func varint(_ value: UInt64) {
      var rest = value
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
  }

  /// The fields of a message of gRPC's own services, or of a descriptor.
  struct WireFields {
    enum Value: Equatable {
      case integer(UInt64)
      case bytes(ArraySlice<UInt8>)
      /// A fixed 32-bit or 64-bit number, which no message that is read here has.
      case fixed
    }

    private(set) var all: [(number: Int, value: Value)] = []

    /// Nil if the bytes are not a message.
    init?(_ bytes: some Collection<UInt8>) {
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        guard let key = Self.varint(&rest), key >> 3 > 0, let value = Self.value(key & 7, &rest) else { return nil }
        all.append((Int(truncatingIfNeeded: key >> 3), value))
      }
    }

    private static func value(_ type: UInt64, _ rest: inout ArraySlice<UInt8>) -> Value? {
      switch type {
      case 0: return varint(&rest).map { .integer($0) }
      case 2:
        guard let count = varint(&rest), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return .bytes(rest.prefix(Int(count)))
      case 1, 5:
        let count = type == 1 ? 8 : 4
        guard rest.count >= count else { return nil }
        rest = rest.dropFirst(count)
        return .fixed
      default: return nil
      }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 70, by: 7) {
        guard let byte = rest.popFirst() else { return nil }
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      return nil
    }

    /// The bytes of all fields with a number.
    func bytes(_ number: Int) -> [ArraySlice<UInt8>] {
      all.compactMap { field in
        if field.number == number, case .bytes(let bytes) = field.value { bytes } else { nil }
      }
    }

    /// The text of a field, or an empty one; nil if it is not UTF-8.
    func text(_ number: Int) -> String? {
      guard let last = bytes(number).last else { return "" }
      return String(validating: last, as: UTF8.self)
    }

    func integer(_ number: Int) -> UInt64? {
      for field in all.reversed() where field.number == number {
        if case .integer(let value) = field.value { return value }
      }
      return nil
    }
  }
#endif
