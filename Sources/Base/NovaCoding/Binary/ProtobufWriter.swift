#if GRPC
  /// Writes messages in protobuf's binary format, into memory of the size that ``ProtobufSizes`` has computed.
  ///
  /// The output depends only on the message: fields are in order of declaration, map entries in order of their keys.
  /// Most callers want ``ProtoMessage/protobuf()``.
  public struct ProtobufWriter: ~Copyable {
    /// Tags are written eight bytes at a time.
    static let slack = 8

    @usableFromInline var position: UnsafeMutableRawPointer
    /// The tags of the current message's fields.
    @usableFromInline var tags: UnsafePointer<UInt64>
    // The size of the next nested message or packed list.
    @usableFromInline var nested: UnsafePointer<Int>
    // The messages in `google.protobuf.Any` that are still to be written, the next one last.
    private var packed: [[UInt8]]

    private init(at start: UnsafeMutableRawPointer, _ sizes: borrowing ProtobufSizes) {
      position = start
      tags = sizes.tags
      nested = UnsafePointer(sizes.nested)
      packed = sizes.packed.reversed()
    }

    /// Returns what `write` writes, which has `size` bytes, after `count` zero bytes.
    static func bytes(
      _ size: Int, after count: Int, sizes: borrowing ProtobufSizes, _ write: (inout ProtobufWriter) -> Void
    ) throws(ProtobufError) -> [UInt8] {
      if let problem = sizes.problem { throw problem }
      guard size <= Int32.max else {
        throw ProtobufError(expected: "a message of at most \(Int32.max) bytes", found: "\(size)")
      }
      return [UInt8](unsafeUninitializedCapacity: count + size + slack) { memory, initializedCount in
        guard let start = memory.baseAddress else { return }
        start.initialize(repeating: 0, count: count)
        var writer = ProtobufWriter(at: start + count, sizes)
        write(&writer)
        precondition(writer.position == UnsafeMutableRawPointer(start + count + size), "a size was wrong")
        initializedCount = count + size
      }
    }

    /// The bytes of the next message in `google.protobuf.Any`.
    mutating func nextPacked() -> [UInt8] { packed.popLast() ?? [] }

    @inlinable @inline(__always)
    mutating func append(byte: UInt8) {
      position.storeBytes(of: byte, as: UInt8.self)
      position += 1
    }

    @inlinable @inline(__always)
    mutating func append(varint value: UInt64) {
      var rest = value
      while rest >= 0x80 {
        append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      append(byte: UInt8(truncatingIfNeeded: rest))
    }

    @inlinable @inline(__always)
    mutating func append(fixed32 value: UInt32) {
      position.storeBytes(of: value.littleEndian, as: UInt32.self)
      position += 4
    }

    @inlinable @inline(__always)
    mutating func append(fixed64 value: UInt64) {
      position.storeBytes(of: value.littleEndian, as: UInt64.self)
      position += 8
    }

    /// Writes the tag of a field.
    @inlinable @inline(__always)
    mutating func append(tagOf index: Int) {
      let tag = tags[index]
      position.storeBytes(of: tag.littleEndian, as: UInt64.self)
      position += Int(truncatingIfNeeded: tag >> 56)
    }

    /// Writes bytes with their length.
    @inlinable @inline(__always)
    mutating func append(delimited bytes: UnsafeBufferPointer<UInt8>) {
      append(varint: UInt64(truncatingIfNeeded: bytes.count))
      append(contentsOf: bytes)
    }

    @inlinable @inline(__always)
    mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
      guard let source = bytes.baseAddress else { return }
      position.copyMemory(from: source, byteCount: bytes.count)
      position += bytes.count
    }

    @usableFromInline
    mutating func append(string: String) {
      // Not `withUTF8`, which needs a mutable string, and so retains every string once more.
      guard string.utf8.withContiguousStorageIfAvailable({ append(delimited: $0) }) == nil else { return }
      Array(string.utf8).withUnsafeBufferPointer { append(delimited: $0) }
    }

    /// Writes the next size.
    @inlinable @inline(__always)
    mutating func appendNestedSize() {
      append(varint: UInt64(truncatingIfNeeded: nested.pointee))
      nested += 1
    }

    /// Writes a message with its length.
    @inlinable
    public mutating func append<M: ProtoMessage>(message: M) {
      appendNestedSize()
      let outer = tags
      enter(M.descriptor)
      message.writeProtobufFields(to: &self)
      append(message.keptFields)
      tags = outer
    }

    @inlinable @inline(__always)
    mutating func append(_ fields: UnknownFields) {
      fields.bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    @usableFromInline
    mutating func enter(_ descriptor: MessageDescriptor) { tags = UnsafePointer(descriptor.tags.encoded) }
  }

  extension ProtobufWriter: FieldSink {
    public typealias Failure = Never

    @inlinable
    public mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
      if C.isDefault(value) { return }
      append(tagOf: index)
      C.write(value, to: &self)
    }

    @inlinable
    public mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
      guard let value else { return }
      append(tagOf: index)
      C.write(value, to: &self)
    }

    @inlinable @inline(never)
    public mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
      // Not the array's elements, whose parts would be retained and released.
      values.withUnsafeBufferPointer { values in
        guard let start = values.baseAddress, !values.isEmpty else { return }
        if C.wireType == .lengthDelimited || tags[index] & 7 != UInt64(WireType.lengthDelimited.rawValue) {
          for place in values.indices {
            append(tagOf: index)
            (start + place).withUnretained { C.write($0, to: &self) }
          }
        } else {
          append(tagOf: index)
          appendNestedSize()
          for place in values.indices { (start + place).withUnretained { C.write($0, to: &self) } }
        }
      }
    }

    @inlinable @inline(never)
    public mutating func write<K: ProtoMapKey, C: ProtoCodec>(
      _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
    ) {
      if map.isEmpty { return }
      for key in K.inOrder(Array(map.keys)) {
        guard let value = map[key] else { continue }
        append(tagOf: index)
        appendNestedSize()
        append(byte: 1 << 3 | K.wireType.rawValue)
        K.write(key, to: &self)
        append(byte: 2 << 3 | C.wireType.rawValue)
        C.write(value, to: &self)
      }
    }
  }
#endif
