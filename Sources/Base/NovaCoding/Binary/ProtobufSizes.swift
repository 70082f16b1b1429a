#if GRPC
  import NovaLibc

  /// Computes the sizes of a message and of what it contains, before the message is written.
  ///
  /// Each nested message and each packed list has a length in front. Their lengths are computed once and stored in the
  /// order in which ``ProtobufWriter`` needs them. Whatever cannot be written is found here, so writing cannot fail.
  public struct ProtobufSizes: ~Copyable {
    /// The size of the current message, so far.
    @usableFromInline var total = 0
    /// The tags of the current message's fields.
    @usableFromInline var tags: UnsafePointer<UInt64>
    /// The first value that cannot be written. Each enclosing list, map, and field then adds itself to its path.
    @usableFromInline var problem: ProtobufError?
    /// The messages in `google.protobuf.Any`, in order.
    private(set) var packed: [[UInt8]] = []
    private var descriptor: Unmanaged<MessageDescriptor>
    private(set) var nested: UnsafeMutablePointer<Int>
    private var count = 0
    private var capacity = 64
    private var depth = 0

    static let maximumDepth = 100

    init(_ descriptor: MessageDescriptor) {
      nested = Self.allocated(malloc(64 * MemoryLayout<Int>.stride))
      self.descriptor = .passUnretained(descriptor)
      tags = UnsafePointer(descriptor.tags.encoded)
    }

    deinit { free(nested) }

    private static func allocated(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Int> {
      guard let memory else { fatalError("out of memory") }
      return memory.assumingMemoryBound(to: Int.self)
    }

    /// The size of an integer as varint.
    @inlinable @inline(__always)
    static func varint(_ value: UInt64) -> Int {
      // Seven bits in each byte.
      (Int(truncatingIfNeeded: 64 - (value | 1).leadingZeroBitCount) * 9 + 64) >> 6
    }

    /// The size of something with its length in front.
    @inlinable @inline(__always)
    static func delimited(_ size: Int) -> Int { varint(UInt64(truncatingIfNeeded: size)) + size }

    /// Reserves the place of a size that is computed later.
    @usableFromInline
    mutating func reserve() -> Int {
      if count == capacity {
        capacity *= 2
        nested = Self.allocated(realloc(nested, capacity * MemoryLayout<Int>.stride))
      }
      count += 1
      return count - 1
    }

    @usableFromInline
    mutating func set(_ place: Int, to size: Int) { nested[place] = size }

    /// The state of the message around the current one.
    @usableFromInline
    struct Outer {
      var total: Int
      var descriptor: Unmanaged<MessageDescriptor>
      var place: Int
    }

    // Unmanaged, because reference counting takes longer than a small message. Descriptors live as long as the program.
    @usableFromInline
    mutating func begin(_ inner: MessageDescriptor) -> Outer {
      let outer = begin()
      descriptor = .passUnretained(inner)
      tags = UnsafePointer(inner.tags.encoded)
      return outer
    }

    private mutating func begin() -> Outer {
      let outer = Outer(total: total, descriptor: descriptor, place: reserve())
      total = 0
      depth += 1
      return outer
    }

    /// Returns the size of the message that ends, with its length.
    @usableFromInline
    mutating func finish(_ outer: Outer) -> Int {
      let size = total
      nested[outer.place] = size
      total = outer.total
      descriptor = outer.descriptor
      tags = descriptor._withUnsafeGuaranteedRef { UnsafePointer($0.tags.encoded) }
      depth -= 1
      return Self.delimited(size)
    }

    /// Whether nothing was found that cannot be written, and a message may be nested here.
    @usableFromInline
    mutating func mayNest() -> Bool {
      if depth == Self.maximumDepth { report("at most \(Self.maximumDepth) nested messages", found: "a deeper one") }
      return problem == nil
    }

    /// Computes the size of a message, with its length.
    @inlinable
    public mutating func measure<M: ProtoMessage>(message: M) -> Int {
      guard mayNest() else { return 0 }
      let outer = begin(M.descriptor)
      message.measureProtobufFields(with: &self)
      add(message.keptFields)
      return finish(outer)
    }

    @inlinable @inline(__always)
    mutating func add(_ fields: UnknownFields) { total &+= fields.bytes.count }

    /// Computes the size of a message, with its length, from what `fields` adds.
    mutating func measure(_ fields: (inout ProtobufSizes) -> Void) -> Int {
      guard mayNest() else { return 0 }
      let outer = begin()
      fields(&self)
      return finish(outer)
    }

    /// Packs a message, once: the writer takes it from ``packed``.
    mutating func pack(_ value: ProtoAny) -> [UInt8] {
      do throws(ProtobufError) {
        packed.append(try value.packed())
      } catch {
        if problem == nil { problem = error }
        packed.append([])
      }
      return packed.last ?? []
    }

    /// Prefixes a problem's path with a field of the current message.
    @usableFromInline @inline(never)
    mutating func locateProblem(inField index: Int) {
      let field = descriptor.takeUnretainedValue().fields[index]
      problem = problem?.inside(field)
    }

    /// Records a value that cannot be written.
    @usableFromInline @inline(never)
    mutating func report(_ expected: String, found: String) {
      if problem == nil { problem = ProtobufError(expected: expected, found: found) }
    }
  }
#endif
