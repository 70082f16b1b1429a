#if GRPC
  /// Reads protobuf's binary format, value by value.
  ///
  /// The reader is a position in the bytes, and each method reads what is at the position and moves past it, or throws.
  /// A generated message reads its own fields: `read(into:)` reads a tag, finds the field's index, and calls
  /// `readProtobufField`, which calls back with the codec of that field. Every length is compared with what is left
  /// before anything is allocated for it.
  ///
  /// Most callers want ``ProtoMessage/init(protobuf:options:)-([UInt8],_)``.
  public struct ProtobufReader: ~Copyable {
    let start: UnsafePointer<UInt8>
    @usableFromInline var position: UnsafePointer<UInt8>
    /// The end of the message that is being read.
    @usableFromInline var end: UnsafePointer<UInt8>
    /// The start of the last field that was not the expected one.
    @usableFromInline var fieldStart: UnsafePointer<UInt8>
    /// The tag of the field that is being read.
    @usableFromInline var tag: UInt32 = 0
    /// How many more levels of messages may be nested.
    @usableFromInline var depth: Int
    let options: ProtobufOptions
    // Not asked for each text.
    let makesSmallTexts = SmallText.isSupported
    // The number of members of JSON objects that may still be merged with others, see `spend(_:)`.
    private var budget: Int

    /// Creates a reader. `bytes` must stay valid while the reader is used.
    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, options: ProtobufOptions) {
      self.start = start
      self.options = options
      position = start
      fieldStart = start
      end = start + bytes.count
      depth = options.maximumDepth
      budget = 64 * bytes.count
    }

    /// Counts the members of a JSON object that another part of it is merged with. Many parts of one object, which only
    /// an attacker sends, would take a time that grows with the square of the input.
    mutating func spend(_ count: Int) throws(ProtobufError) {
      budget -= count
      if budget < 0 { throw failure("a JSON object in few parts", found: "too many", at: position) }
    }

    /// The number of bytes left in the message that is being read.
    @usableFromInline
    var left: Int { @inline(__always) get { end - position } }

    /// The wire type of the field that is being read.
    @usableFromInline
    var wireType: UInt8 { @inline(__always) get { UInt8(truncatingIfNeeded: tag & 7) } }

    /// Creates an error about the byte at `place`.
    @usableFromInline @inline(never)
    func failure(_ expected: String, found: String, at place: UnsafePointer<UInt8>) -> ProtobufError {
      ProtobufError(expected: expected, found: found, offset: place - start)
    }

    // MARK: Varints

    /// Reads a varint.
    @inlinable @inline(__always)
    mutating func varint() throws(ProtobufError) -> UInt64 {
      guard position < end, position.pointee < 0x80 else { return try longVarint() }
      let byte = position.pointee
      position += 1
      return UInt64(byte)
    }

    /// Reads a varint of any length.
    @usableFromInline @inline(never)
    mutating func longVarint() throws(ProtobufError) -> UInt64 {
      if left >= 8 {
        let word = UnsafeRawPointer(position).word(at: 0)
        let ends = ~word & 0x8080_8080_8080_8080
        if ends != 0 {
          let bits = UInt64(truncatingIfNeeded: ends.trailingZeroBitCount) &+ 1
          position += Int(truncatingIfNeeded: bits >> 3)
          return Self.compact((word << (64 &- bits)) >> (64 &- bits))
        }
      }
      return try slowVarint()
    }

    /// Removes the highest bit of each byte: pairs of bytes, then pairs of these, then the halves move together.
    @inline(__always)
    private static func compact(_ word: UInt64) -> UInt64 {
      var value = word & 0x7F7F_7F7F_7F7F_7F7F
      value = value & 0x007F_007F_007F_007F | (value & 0x7F00_7F00_7F00_7F00) >> 1
      value = value & 0x0000_3FFF_0000_3FFF | (value & 0x3FFF_0000_3FFF_0000) >> 2
      return value & 0x0000_0000_0FFF_FFFF | (value & 0x0FFF_FFFF_0000_0000) >> 4
    }

    /// Reads a varint near the end of the input, or of more than eight bytes.
    private mutating func slowVarint() throws(ProtobufError) -> UInt64 {
      let first = position
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while position < end {
        let byte = position.pointee
        position += 1
        // The tenth byte has one bit of the value; what does not fit is dropped, as other readers do.
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
        shift += 7
        guard shift < 70 else {
          throw failure("a varint of at most 10 bytes", found: "a longer one", at: first)
        }
      }
      throw failure("a varint", found: first == end ? Self.endOfInput : "one cut short", at: first)
    }

    static let endOfInput = "the end of the message"

    /// Reads a tag.
    @inline(__always)
    mutating func takeTag() throws(ProtobufError) -> UInt32 {
      let byte = position.pointee
      guard byte < 0x80, byte >= 8 else { return try longTag() }
      position += 1
      return UInt32(byte)
    }

    @inline(never)
    private mutating func longTag() throws(ProtobufError) -> UInt32 {
      let first = position
      let value = try varint()
      guard value >> 3 != 0 else { throw failure("a field number from 1 to 536870911", found: "0", at: first) }
      guard let tag = UInt32(exactly: value) else {
        throw failure("a field number from 1 to 536870911", found: "\(value >> 3)", at: first)
      }
      return tag
    }

    /// Reads a length, which is at most that of what is left.
    @inlinable @inline(__always)
    mutating func length() throws(ProtobufError) -> Int {
      // Most have one byte.
      if position < end {
        let count = Int(position.pointee)
        if count < 0x80, count < left {
          position += 1
          return count
        }
      }
      return try longLength()
    }

    @usableFromInline @inline(never)
    mutating func longLength() throws(ProtobufError) -> Int {
      let first = position
      let value = try varint()
      guard value <= UInt64(left) else { throw tooLong(value, at: first) }
      return Int(truncatingIfNeeded: value)
    }

    @usableFromInline @inline(never)
    func tooLong(_ length: UInt64, at place: UnsafePointer<UInt8>) -> ProtobufError {
      failure("a length of at most \(left) bytes", found: "\(length)", at: place)
    }

    /// Reads four bytes as a little-endian integer.
    @inlinable @inline(__always)
    mutating func fixed32() throws(ProtobufError) -> UInt32 {
      guard left >= 4 else { throw cutShort("4 bytes") }
      let value = UnsafeRawPointer(position).loadUnaligned(as: UInt32.self)
      position += 4
      return UInt32(littleEndian: value)
    }

    /// Reads eight bytes as a little-endian integer.
    @inlinable @inline(__always)
    mutating func fixed64() throws(ProtobufError) -> UInt64 {
      guard left >= 8 else { throw cutShort("8 bytes") }
      let value = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
      position += 8
      return UInt64(littleEndian: value)
    }

    @usableFromInline @inline(never)
    func cutShort(_ expected: String) -> ProtobufError { failure(expected, found: "\(left)", at: position) }

    /// Reads bytes.
    @usableFromInline
    mutating func bytes() throws(ProtobufError) -> [UInt8] {
      let count = try length()
      let bytes = UnsafeBufferPointer(start: position, count: count)
      position += count
      return Array(bytes)
    }
  }
#endif
