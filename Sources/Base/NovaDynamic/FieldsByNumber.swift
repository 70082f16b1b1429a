#if GRPC
  import NovaCoding

  /// The fields of a message in the binary form, by number, for descriptors and well-known types.
  struct FieldsByNumber {
    private var values: [Int: [WireValue]] = [:]

    init(_ bytes: ArraySlice<UInt8>) throws(DynamicError) {
      var fields = WireFields(bytes)
      while let field = try fields.next() { values[field.number, default: []].append(field.value) }
    }

    /// The text of a field; empty without one.
    func text(_ number: Int) -> String { texts(number).last ?? "" }

    func texts(_ number: Int) -> [String] { messages(number).map { String(decoding: $0, as: UTF8.self) } }

    func messages(_ number: Int) -> [ArraySlice<UInt8>] {
      (values[number] ?? []).compactMap { value in if case .bytes(let bytes) = value { bytes } else { nil } }
    }

    func message(_ number: Int) -> ArraySlice<UInt8>? { messages(number).last }

    func number(_ number: Int) -> UInt64? {
      if case .varint(let value) = values[number]?.last { value } else { nil }
    }

    func int32(_ number: Int) -> Int32 { Int32(truncatingIfNeeded: self.number(number) ?? 0) }

    /// The values of a list of integers, packed or not.
    func int32s(_ number: Int) throws(DynamicError) -> [Int32] {
      var list: [Int32] = []
      for value in values[number] ?? [] {
        let parts: [WireValue] =
          if case .bytes(let packed) = value { try ScalarReader.unpacked(packed, .int32) ?? [] } else { [value] }
        for case .varint(let bits) in parts { list.append(Int32(truncatingIfNeeded: bits)) }
      }
      return list
    }

    func bool(_ number: Int) -> Bool { (self.number(number) ?? 0) != 0 }

    /// The fields of a nested message; nil without one.
    func fields(_ number: Int) throws(DynamicError) -> FieldsByNumber? {
      guard let bytes = message(number) else { return nil }
      return try FieldsByNumber(bytes)
    }
  }
#endif
