#if GRPC
  /// The tags of a message's fields: finds the field of a tag, and has the bytes of a field's tag.
  ///
  /// Fields mostly arrive in order, so the reader compares its next bytes with the tag of the field after the last one.
  /// Only other tags are decoded and looked up. The memory is allocated by hand, because reference counting of arrays
  /// takes longer than reading a small field.
  @usableFromInline
  struct FieldTags: @unchecked Sendable {
    // Sendable, because nothing changes after `init`.

    /// A field, as a reader needs it.
    @usableFromInline
    struct Field {
      /// The tag as it is written.
      @usableFromInline var tag: UInt32
      /// The wire type that is read, too, of a list of numbers: packed or not, whichever is not written.
      var other: UInt32
      /// The tag if it has one byte, else what no byte is.
      @usableFromInline var onlyByte: UInt32
    }

    @usableFromInline let count: Int
    /// The fields, and one more that is never found.
    @usableFromInline let fields: UnsafeMutablePointer<Field>
    /// The tags in the binary format: the bytes of each, the first one lowest, and their count in the highest byte.
    @usableFromInline let encoded: UnsafeMutablePointer<UInt64>
    // The index of the field with each number below `numberCount`, or -1.
    private let byNumber: UnsafeMutablePointer<Int32>
    private let numberCount: UInt32

    private static let maximumNumberCount = 1024

    init(_ descriptors: [FieldDescriptor]) {
      count = descriptors.count
      fields = .allocate(capacity: count + 1)
      (fields + count).initialize(to: Field(tag: 0, other: 0, onlyByte: .max))
      encoded = .allocate(capacity: max(count, 1))
      let low = descriptors.map(\.number).filter { (0..<Self.maximumNumberCount).contains($0) }.max() ?? 0
      numberCount = UInt32(low + 1)
      byNumber = .allocate(capacity: low + 1)
      byNumber.initialize(repeating: -1, count: low + 1)
      for (index, field) in descriptors.enumerated() {
        let number = UInt32(clamping: field.number)
        let tag = number << 3 | UInt32(field.wireType.rawValue)
        (fields + index).initialize(
          to: Field(
            tag: tag, other: UInt32(field.otherWireType.rawValue), onlyByte: tag < 0x80 ? tag : .max))
        (encoded + index).initialize(to: Self.encoded(tag))
        if number < numberCount { byNumber[Int(number)] = Int32(index) }
      }
    }

    func deallocate() {
      fields.deallocate()
      encoded.deallocate()
      byNumber.deallocate()
    }

    private static func encoded(_ tag: UInt32) -> UInt64 {
      var bytes: UInt64 = 0
      var count: UInt64 = 0
      var rest = UInt64(tag)
      repeat {
        let isLast = rest < 0x80
        bytes |= (rest & 0x7F | (isLast ? 0 : 0x80)) << (8 * count)
        rest >>= 7
        count += 1
      } while rest > 0
      return bytes | count << 56
    }

    /// The index of the field with this tag; -1 for an undeclared field, and for one with another wire type.
    @usableFromInline
    func index(of tag: UInt32) -> Int {
      let number = tag >> 3
      guard number >= numberCount else {
        let index = Int(byNumber[Int(number)])
        return index >= 0 && accepts(tag, at: index) ? index : -1
      }
      // Fields with such numbers are few.
      for index in 0..<count where fields[index].tag >> 3 == number { return accepts(tag, at: index) ? index : -1 }
      return -1
    }

    private func accepts(_ tag: UInt32, at index: Int) -> Bool {
      fields[index].tag == tag || fields[index].other == tag & 7
    }
  }
#endif
