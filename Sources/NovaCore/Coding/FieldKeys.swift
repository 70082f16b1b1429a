/// A message's JSON keys, laid out for finding the field of a key and for writing the key of a field.
///
/// Keys mostly come in order, so a look-up first tries the field behind the last one, in both styles, and only then
/// goes through all of them. The bytes lie in plain memory rather than arrays: that is a fifth of the encoding time,
/// which went into counting references.
@usableFromInline
final class FieldKeys: @unchecked Sendable {
  // Sendable because nothing changes after `init`.
  private struct Entry {
    var start: Int
    var count: Int
    var field: Int
  }

  private let bytes: UnsafeMutableBufferPointer<UInt8>
  // Quoted proto names at 0..<n and lowerCamelCase names at n..<2n, so that prediction is an index; aliases follow.
  private let entries: UnsafeMutableBufferPointer<Entry>
  private let fieldCount: Int

  init(_ fields: [FieldDescriptor]) {
    var text: [UInt8] = []
    var entries: [Entry] = []
    func add(_ name: String, _ field: Int) {
      let quoted = "\"\(name)\":".utf8
      entries.append(Entry(start: text.count, count: quoted.count, field: field))
      text += quoted
    }
    for (index, field) in fields.enumerated() { add(field.name, index) }
    for (index, field) in fields.enumerated() { add(field.jsonName, index) }
    for (index, field) in fields.enumerated() {
      for alias in field.aliases { add(alias, index) }
    }
    bytes = .allocate(capacity: text.count)
    _ = bytes.initialize(from: text)
    self.entries = .allocate(capacity: entries.count)
    _ = self.entries.initialize(from: entries)
    fieldCount = fields.count
  }

  deinit {
    bytes.deallocate()
    entries.deallocate()
  }

  /// The index of the field with this key, or -1.
  func index(of key: UnsafeBufferPointer<UInt8>, expecting expected: Int) -> Int {
    if expected < fieldCount {
      if matches(entries[expected], key) || matches(entries[expected + fieldCount], key) { return expected }
    }
    for entry in entries where matches(entry, key) { return entry.field }
    return -1
  }

  @inline(__always)
  private func matches(_ entry: Entry, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    // A quote before the name, a quote and a colon behind it.
    guard entry.count - 3 == key.count else { return false }
    for offset in 0..<key.count where bytes[entry.start + 1 + offset] != key[offset] { return false }
    return true
  }

  /// Appends `"key":` to `output`.
  func append(_ field: Int, _ style: JSONNameStyle, to output: inout [UInt8]) {
    let entry = entries[style == .proto ? field : field + fieldCount]
    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]))
  }
}
