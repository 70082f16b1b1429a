/// The fields and oneofs of a message that were read. The reader's own 64 bits cover the first 64 fields; this covers
/// the later ones, and the oneofs.
struct FieldTally {
  // One bit for each field, starting with the 65th.
  private var fields: [UInt64] = []
  private var oneofs: [String] = []

  /// Adds the field at this index, which is at least 64; returns false if it was added before.
  mutating func add(_ index: Int) -> Bool {
    let (word, bit) = (index / 64 - 1, UInt64(1) << UInt64(index % 64))
    while fields.count <= word { fields.append(0) }
    defer { fields[word] |= bit }
    return fields[word] & bit == 0
  }

  /// Adds the oneof of a field; returns false if a field of that oneof was added before.
  mutating func addOneof(of field: FieldDescriptor) -> Bool {
    guard let oneof = field.oneof else { return true }
    if oneofs.contains(oneof) { return false }
    oneofs.append(oneof)
    return true
  }
}
