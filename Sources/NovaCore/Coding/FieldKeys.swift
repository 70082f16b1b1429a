/// A message's JSON keys, laid out for finding the field of a key and for writing the key of a field.
///
/// Keys mostly come in order, so a look-up first tries the field behind the last one, in both styles, and only then
/// goes through all of them.
@usableFromInline
struct FieldKeys: Sendable {
  private struct Entry: Sendable {
    let start: Int
    let count: Int
    let field: Int
  }

  private let names: [UInt8]
  // Proto names at 0..<n and lowerCamelCase names at n..<2n, so that prediction is an index; aliases follow.
  private let entries: [Entry]
  private let fieldCount: Int
  private let quoted: [UInt8]
  private let quotedEntries: [Entry]

  init(_ fields: [FieldDescriptor]) {
    var names: [UInt8] = []
    var quoted: [UInt8] = []
    var entries: [Entry] = []
    var quotedEntries: [Entry] = []
    func add(_ name: String, _ field: Int) {
      entries.append(Entry(start: names.count, count: name.utf8.count, field: field))
      names += name.utf8
    }
    func addQuoted(_ name: String, _ field: Int) {
      let text = "\"\(name)\":"
      quotedEntries.append(Entry(start: quoted.count, count: text.utf8.count, field: field))
      quoted += text.utf8
    }
    for styled in [fields.map(\.name), fields.map(\.jsonName)] {
      for (index, name) in styled.enumerated() {
        add(name, index)
        addQuoted(name, index)
      }
    }
    for (index, field) in fields.enumerated() {
      for alias in field.aliases { add(alias, index) }
    }
    self.names = names
    self.entries = entries
    self.quoted = quoted
    self.quotedEntries = quotedEntries
    fieldCount = fields.count
  }

  /// The index of the field with this key, or -1.
  func index(of key: UnsafeBufferPointer<UInt8>, expecting expected: Int) -> Int {
    names.withUnsafeBufferPointer { names in
      if expected < fieldCount {
        if matches(entries[expected], key, names) { return expected }
        if matches(entries[expected + fieldCount], key, names) { return expected }
      }
      for entry in entries where matches(entry, key, names) { return entry.field }
      return -1
    }
  }

  private func matches(
    _ entry: Entry, _ key: UnsafeBufferPointer<UInt8>, _ names: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard entry.count == key.count else { return false }
    for offset in 0..<key.count where names[entry.start + offset] != key[offset] { return false }
    return true
  }

  /// Appends `"key":` to `bytes`.
  func append(_ field: Int, _ style: JSONNameStyle, to bytes: inout [UInt8]) {
    let entry = quotedEntries[style == .proto ? field : field + fieldCount]
    bytes.append(contentsOf: quoted[entry.start..<entry.start + entry.count])
  }
}
