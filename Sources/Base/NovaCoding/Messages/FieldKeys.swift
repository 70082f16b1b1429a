import NovaSupport

/// The JSON keys of a message: finds the field of a key, and writes the key of a field.
///
/// All keys are in one block of memory, each as `"name":`, with quotes and colon. The reader expects the fields in
/// order, so it first compares the bytes at its position with the next field's key: ``length(of:in:at:)`` compares
/// eight bytes at a time and touches no other key. Only a key out of order is looked up by name, in ``index(of:)``. The
/// writer copies a key with one `append`.
///
/// The memory is allocated by hand, because reference counting of arrays took a fifth of the encoding time.
final class FieldKeys: @unchecked Sendable {
  // Sendable, because nothing changes after `init`.
  private struct Entry {
    /// The key with its quotes and a colon.
    var key: UnsafeBufferPointer<UInt8>
    var field: Int
  }

  private let bytes: UnsafeMutableBufferPointer<UInt8>
  // The names in `Proto/` at 0..<n, the lowerCamelCase names at n..<2n, then the aliases.
  private let entries: UnsafeMutableBufferPointer<Entry>
  private let fieldCount: Int

  init(_ fields: [FieldDescriptor]) {
    var keys: [UInt8] = []
    var ends: [Int] = []
    var places: [Int] = []
    @inline(never) func add(_ name: String, _ field: Int) {
      keys += ("\"" + name + "\":").utf8Bytes
      ends.append(keys.count)
      places.append(field)
    }
    for (index, field) in fields.enumerated() { add(field.name, index) }
    for (index, field) in fields.enumerated() { add(field.jsonName, index) }
    for (index, field) in fields.enumerated() { for alias in field.aliases { add(alias, index) } }
    bytes = .allocate(capacity: keys.count)
    entries = .allocate(capacity: ends.count)
    fieldCount = fields.count
    _ = bytes.initialize(fromContentsOf: keys)
    var start = 0
    for (index, end) in ends.enumerated() {
      let key = UnsafeBufferPointer(rebasing: bytes[start..<end])
      entries.initializeElement(at: index, to: Entry(key: key, field: places[index]))
      start = end
    }
  }

  deinit {
    bytes.deallocate()
    entries.deallocate()
  }

  /// Reads a name in quotes, and returns the index of its field, or -1 if there is no such field.
  func index(readFrom reader: inout ProtoJSONReader) throws(ProtoJSONError) -> Int {
    guard reader.peek() == UInt8(ascii: "\"") else { throw reader.unexpected("a field name in quotes") }
    let start = reader.position + 1
    guard try reader.scanString().hasEscapes else {
      return index(of: UnsafeBufferPointer(rebasing: reader.bytes[start..<reader.position - 1]))
    }
    return JSONText.unescaped(in: reader.bytes, from: start, to: reader.position - 1).readUTF8 { index(of: $0) }
  }

  /// The index of the field with this name, or -1 if there is no such field.
  func index(of name: UnsafeBufferPointer<UInt8>) -> Int {
    for entry in entries where entry.key.count == name.count + 3 {
      if name.elementsEqual(entry.key[1...name.count]) { return entry.field }
    }
    return -1
  }

  /// The length of the field's key, with its quotes and colon, if the key is at `position`; otherwise 0.
  @inline(__always)
  func length(of field: Int, in json: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
    guard field < fieldCount else { return 0 }
    if Self.contains(entries[field].key, in: json, at: position) { return entries[field].key.count }
    let other = entries[field + fieldCount].key
    return Self.contains(other, in: json, at: position) ? other.count : 0
  }

  @inline(__always)
  private static func contains(
    _ key: UnsafeBufferPointer<UInt8>, in json: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> Bool {
    let count = key.count
    guard json.count - position >= count, let key = UnsafeRawPointer(key.baseAddress), let json = json.baseAddress
    else {
      return false
    }
    let text = UnsafeRawPointer(json + position)
    // The last bytes overlap the first ones. The shortest key is `"x":`.
    if count < 8 { return key.half(at: 0) == text.half(at: 0) && key.half(at: count - 4) == text.half(at: count - 4) }
    guard key.word(at: 0) == text.word(at: 0), key.word(at: count - 8) == text.word(at: count - 8) else { return false }
    var offset = 8
    while offset < count - 8 {
      guard key.word(at: offset) == text.word(at: offset) else { return false }
      offset += 8
    }
    return true
  }

  /// Appends `"key":` to `output`.
  func append(_ field: Int, _ style: JSONNameStyle, to output: inout OutputBytes) {
    output.append(contentsOf: entries[style == .proto ? field : field + fieldCount].key)
  }
}

extension UnsafeRawPointer {
  @inline(__always)
  fileprivate func half(at offset: Int) -> UInt32 { loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
}
