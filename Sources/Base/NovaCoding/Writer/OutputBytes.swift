import NovaLibc

/// The bytes that a writer has written so far.
///
/// It manages its own memory. An array checks its uniqueness and capacity on each append, which took a third of the
/// time of writing JSON.
struct OutputBytes: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = capacity
    start = Self.allocated(malloc(capacity))
  }

  deinit { free(start) }

  var last: UInt8? { count > 0 ? start.load(fromByteOffset: count - 1, as: UInt8.self) : nil }

  /// A copy of all bytes.
  var array: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }

  func append(to array: inout [UInt8]) { array.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count)) }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    (start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  mutating func removeLast(_ count: Int) { self.count -= count }

  @inline(never)
  private mutating func grow(by room: Int) {
    capacity = max(2 * capacity, count + room)
    start = Self.allocated(realloc(start, capacity))
  }

  private static func allocated(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
    guard let memory else { fatalError("out of memory") }
    return memory
  }
}
