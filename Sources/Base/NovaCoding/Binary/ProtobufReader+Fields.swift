#if GRPC
  extension ProtobufReader: FieldSource {
    public typealias Failure = ProtobufError

    @inlinable
    public mutating func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws(ProtobufError) {
      try C.merge(into: &value, from: &self)
    }

    @inlinable
    public mutating func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws(ProtobufError) {
      try C.merge(into: &value, from: &self)
    }

    @inlinable @inline(never)
    public mutating func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws(ProtobufError) {
      if C.wireType == .lengthDelimited {
        try readRun(&values, as: codec)
      } else if wireType == WireType.lengthDelimited.rawValue {
        try readPacked(&values, as: codec)
      } else {
        try append(to: &values, as: codec)
      }
    }

    /// Reads elements as long as they follow each other.
    @inlinable
    mutating func readRun<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws(ProtobufError) {
      let tag = tag
      // Only for the first ones, because growing to an exact size each time would copy all of them each time.
      if values.isEmpty { values.reserveCapacity(elementsAhead(tag)) }
      repeat { try append(to: &values, as: codec) } while take(tag)
    }

    @inlinable
    mutating func readPacked<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws(ProtobufError) {
      let count = try length()
      let outer = end
      end = position + count
      if values.isEmpty { values.reserveCapacity(numbersAhead(C.wireType)) }
      while position < end { try append(to: &values, as: codec) }
      end = outer
    }

    @inlinable @inline(__always)
    mutating func append<C: ProtoCodec>(to values: inout [C.Value], as codec: C) throws(ProtobufError) {
      do throws(ProtobufError) {
        try C.append(to: &values, from: &self)
      } catch {
        throw error.inside(element: values.count)
      }
    }

    @inlinable @inline(never)
    public mutating func read<K: ProtoMapKey, C: ProtoCodec>(
      _ map: inout [K.Value: C.Value], keys: K, values: C
    ) throws(ProtobufError) {
      let outer = try begin()
      var key = K.defaultValue
      var value = C.defaultValue
      do throws(ProtobufError) {
        while try nextPart() {
          if tag == 1 << 3 | UInt32(K.wireType.rawValue) {
            key = try K.read(from: &self)
          } else if tag == 2 << 3 | UInt32(C.wireType.rawValue) {
            try C.merge(into: &value, from: &self)
          } else {
            try skipPart()
          }
        }
      } catch {
        throw error.inside(entry: K.text(key))
      }
      map[key] = value
      finish(outer)
    }

    /// Reads the next tag of a map's entry; returns false at its end.
    @usableFromInline
    mutating func nextPart() throws(ProtobufError) -> Bool {
      guard position < end else { return false }
      tag = try takeTag()
      return true
    }

    @usableFromInline
    mutating func skipPart() throws(ProtobufError) { try skipUnknown(from: position) }

    /// Reads a tag if it is this one, and of one or two bytes.
    @inlinable @inline(__always)
    mutating func take(_ tag: UInt32) -> Bool {
      guard position < end else { return false }
      if tag < 0x80 {
        guard position.pointee == UInt8(truncatingIfNeeded: tag) else { return false }
        position += 1
      } else {
        guard tag < 0x4000, left >= 2, position[0] == UInt8(truncatingIfNeeded: tag | 0x80),
          position[1] == UInt8(truncatingIfNeeded: tag >> 7)
        else { return false }
        position += 2
      }
      return true
    }

    /// Counts the elements with lengths that follow each other from the current position, after the tag of the first.
    @usableFromInline
    func elementsAhead(_ tag: UInt32) -> Int {
      var ahead = ProtobufReader(self)
      var count = 0
      repeat {
        guard let length = try? ahead.length() else { return count }
        ahead.position += length
        count += 1
      } while ahead.take(tag)
      return count
    }

    /// Creates a reader at the same place.
    private init(_ other: borrowing ProtobufReader) {
      let rest = UnsafeBufferPointer(start: other.position, count: other.left)
      self.init(rest, at: other.position, options: other.options)
    }

    /// Counts the numbers up to ``end``.
    @usableFromInline
    func numbersAhead(_ wireType: WireType) -> Int {
      switch wireType {
      case .fixed32: return left / 4
      case .fixed64: return left / 8
      default:
        var count = 0
        for byte in UnsafeBufferPointer(start: position, count: left) where byte < 0x80 { count += 1 }
        return count
      }
    }
  }
#endif
