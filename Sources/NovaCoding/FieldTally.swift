/// What was read of a message, where the reader's 64 bits are not enough: fields after the 64th, and oneofs.
struct FieldTally {
  // One bit for each field, from the 65th.
  private var fields: [UInt64] = []
  private var oneofs: [String] = []

  /// Adds the field at this index, from 64; returns false if it was there before.
  mutating func add(_ index: Int) -> Bool {
    let (word, bit) = (index / 64 - 1, UInt64(1) << UInt64(index % 64))
    while fields.count <= word { fields.append(0) }
    defer { fields[word] |= bit }
    return fields[word] & bit == 0
  }

  /// Adds the oneof of a field; returns false if another of its fields was there before.
  mutating func addOneof(of field: FieldDescriptor) -> Bool {
    guard let oneof = field.oneof else { return true }
    if oneofs.contains(oneof) { return false }
    oneofs.append(oneof)
    return true
  }
}
