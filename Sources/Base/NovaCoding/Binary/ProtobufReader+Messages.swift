#if GRPC
  extension ProtobufReader {
    /// Reads the fields of a message up to ``end``.
    @inlinable
    mutating func readFields<M: ProtoMessage>(into message: inout M) throws(ProtobufError) {
      let tags = M.descriptor.tags
      var expected = 0
      while position < end {
        let index = try nextField(tags, expecting: expected)
        guard index >= 0 else {
          try readUnknown(in: &message)
          continue
        }
        do throws(ProtobufError) {
          try message.readProtobufField(index, from: &self)
        } catch {
          throw error.inside(M.descriptor.fields[index])
        }
        expected = index &+ 1
      }
    }

    /// Reads a tag, and returns the index of its field; -1 for an undeclared field, and for one with another wire type.
    @inlinable @inline(__always)
    mutating func nextField(_ tags: FieldTags, expecting expected: Int) throws(ProtobufError) -> Int {
      let byte = UInt32(position.pointee)
      if tags.fields[expected].onlyByte == byte {
        tag = byte
        position += 1
        return expected
      }
      return try otherField(tags, expecting: expected)
    }

    @usableFromInline @inline(never)
    mutating func otherField(_ tags: FieldTags, expecting expected: Int) throws(ProtobufError) -> Int {
      if expected < tags.count, left >= 8 {
        let next = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
        let encoded = tags.encoded[expected]
        let count = encoded >> 56
        if (next ^ encoded) << (64 &- 8 &* count) == 0 {
          position += Int(truncatingIfNeeded: count)
          tag = tags.fields[expected].tag
          return expected
        }
      }
      fieldStart = position
      tag = try takeTag()
      return tags.index(of: tag)
    }

    /// Skips the field whose tag was read, or keeps it.
    @usableFromInline @inline(never)
    mutating func readUnknown<M: ProtoMessage>(in message: inout M) throws(ProtobufError) {
      let first = fieldStart
      try skipUnknown(from: first)
      if options.keepsUnknownFields { try keep(in: &message, from: first) }
    }

    /// Reads a message with its length.
    @inlinable
    mutating func read<M: ProtoMessage>(into message: inout M) throws(ProtobufError) {
      let outer = try begin()
      try readFields(into: &message)
      finish(outer)
    }

    /// Reads a message with its length, field by field. `field` reads a value and returns true, or returns false to have
    /// it skipped.
    mutating func readMessage(
      _ field: (inout ProtobufReader, _ tag: UInt32) throws(ProtobufError) -> Bool
    ) throws(ProtobufError) {
      let outer = try begin()
      while position < end {
        let first = position
        tag = try takeTag()
        if try !field(&self, tag) { try skipUnknown(from: first) }
      }
      finish(outer)
    }

    /// Reads a length, and makes it the end of what is read. Returns the end of the message around it.
    @usableFromInline
    mutating func begin() throws(ProtobufError) -> UnsafePointer<UInt8> {
      let first = position
      let count = try length()
      guard depth > 0 else { throw tooDeep(at: first) }
      depth -= 1
      let outer = end
      end = position + count
      return outer
    }

    @usableFromInline
    mutating func finish(_ outer: UnsafePointer<UInt8>) {
      depth += 1
      end = outer
    }

    @inline(never)
    private func tooDeep(at place: UnsafePointer<UInt8>) -> ProtobufError {
      failure("at most \(options.maximumDepth) nested messages", found: "a deeper one", at: place)
    }

    // MARK: Unknown fields

    /// Skips a field that the message does not declare, or declares with another wire type. Its tag was read from
    /// `first`.
    @inline(never)
    mutating func skipUnknown(from first: UnsafePointer<UInt8>) throws(ProtobufError) {
      try skip(tag, from: first)
    }

    /// Keeps the field from `first` to the current position.
    @inline(never)
    private func keep<M: ProtoMessage>(
      in message: inout M, from first: UnsafePointer<UInt8>
    ) throws(ProtobufError) {
      if message.keep(UnsafeBufferPointer(start: first, count: position - first)) { return }
      throw failure(
        "a field of \(M.descriptor.shortName)", found: "unknown field \(tag >> 3), which cannot be kept", at: first)
    }

    private mutating func skip(_ tag: UInt32, from first: UnsafePointer<UInt8>) throws(ProtobufError) {
      switch WireType(rawValue: UInt8(tag & 7)) {
      case .varint: _ = try varint()
      case .fixed64: _ = try fixed64()
      case .fixed32: _ = try fixed32()
      case .lengthDelimited:
        let count = try length()
        position += count
      case .startGroup: try skipGroup(tag >> 3, from: first)
      case .endGroup: throw failure("a field", found: "the end of group \(tag >> 3), which has no start", at: first)
      case nil: throw failure("a wire type from 0 to 5", found: "\(tag & 7)", at: first)
      }
    }

    /// Skips the fields of a group, and its end.
    private mutating func skipGroup(_ number: UInt32, from start: UnsafePointer<UInt8>) throws(ProtobufError) {
      guard depth > 0 else { throw tooDeep(at: start) }
      depth -= 1
      while position < end {
        let first = position
        let tag = try takeTag()
        if tag & 7 == UInt32(WireType.endGroup.rawValue) {
          guard tag >> 3 == number else {
            throw failure("the end of group \(number)", found: "the end of group \(tag >> 3)", at: first)
          }
          depth += 1
          return
        }
        try skip(tag, from: first)
      }
      throw failure("the end of group \(number)", found: Self.endOfInput, at: position)
    }
  }
#endif
