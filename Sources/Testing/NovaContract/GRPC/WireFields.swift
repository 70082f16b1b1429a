#if GRPC
  import NovaCore

  /// The fields of a message in protobuf's binary format, without their types: to find those that the contract does not
  /// define, and to read messages that are not the contract's.
  struct WireFields {
    enum Value: Hashable {
      case integer(UInt64)
      /// A value of four or eight bytes.
      case fixed
      case bytes([UInt8])
    }

    private(set) var fields: [(number: Int, value: Value)] = []

    /// - Returns: nil if the bytes are no message, or have a group.
    init?(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        guard let key = Self.varint(&rest), let value = Self.value(key & 7, &rest) else { return nil }
        fields.append((Int(truncatingIfNeeded: key >> 3), value))
      }
    }

    private static func value(_ type: UInt64, _ rest: inout ArraySlice<UInt8>) -> Value? {
      switch type {
      case 0: return varint(&rest).map { .integer($0) }
      case 1, 5:
        let count = type == 1 ? 8 : 4
        guard rest.count >= count else { return nil }
        rest = rest.dropFirst(count)
        return .fixed
      case 2:
        guard let count = varint(&rest), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return .bytes(Array(rest.prefix(Int(count))))
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

    func integer(_ number: Int) -> UInt64? {
      for field in fields.reversed() where field.number == number {
        if case .integer(let value) = field.value { return value }
      }
      return nil
    }

    func messages(_ number: Int) -> [[UInt8]] {
      fields.compactMap { field in
        guard field.number == number, case .bytes(let bytes) = field.value else { return nil }
        return bytes
      }
    }

    func texts(_ number: Int) -> [String] { messages(number).map { String(decoding: $0, as: UTF8.self) } }

    /// Writes a field with bytes.
    static func bytes(_ value: [UInt8], number: UInt64) -> [UInt8] {
      varint(number << 3 | 2) + varint(UInt64(value.count)) + value
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
      var (bytes, rest): ([UInt8], UInt64) = ([], value)
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
  }

  extension WireFields {
    /// The places of the fields that a message has and the contract does not define.
    static func unknown(
      in bytes: [UInt8], of message: MessageDescriptor, _ registry: RPCRegistry, at path: String = ""
    ) -> [String] {
      guard let wire = WireFields(bytes) else { return [] }
      var places: [String] = []
      for (number, value) in wire.fields {
        guard let field = message.fields.first(where: { $0.number == number }) else {
          places.append(path.appending("#\(number)"))
          continue
        }
        guard case .bytes(var inner) = value, case .message(let name) = field.kind,
          let type = registry.message(named: name)
        else { continue }
        var place = path.appending(field.name)
        if field.cardinality == .repeated { place += "[]" }
        if case .map = field.cardinality {
          // An entry is a message of a key and a value.
          place += "[*]"
          inner = WireFields(inner)?.messages(2).last ?? []
        }
        places += unknown(in: inner, of: type.descriptor, registry, at: place)
      }
      return places
    }
  }
#endif
