/// A text that equals another one only if their bytes are equal: an ID, a cursor, a token. For `==`, the two spellings
/// of `é` are equal; for a server, they are two IDs.
///
/// As a property wrapper, it makes a property compare and hash by its bytes. Elsewhere, use `hasSameBytes(as:)` to
/// compare, `byteKey` for keys of sets and dictionaries, and `byteHash` to put a text into a set of hashes.
@propertyWrapper
package struct ExactText: Sendable, Hashable {
  package var wrappedValue: String

  package init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  /// Creates a key for sets and dictionaries that return their texts.
  package init(_ text: String) { self.init(wrappedValue: text) }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.wrappedValue.hasSameBytes(as: right.wrappedValue)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: wrappedValue) }
}

extension Hasher {
  /// Hashes a text by its bytes.
  @inline(never)
  package mutating func combine(bytesOf text: String) {
    text.readUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    // No UTF-8 text contains this byte, so two different lists of texts never hash the same bytes.
    combine(0xFF as UInt8)
  }
}

extension String {
  /// A hash of the bytes, for this process.
  @inline(never)
  package var byteHash: Int {
    var hasher = Hasher()
    hasher.combine(bytesOf: self)
    return hasher.finalize()
  }
}

extension String? {
  /// Whether both are nil, or have the same bytes.
  @inline(never)
  package func hasSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameBytes(as: other)
  }
}

extension [String] {
  /// Whether the texts have the same bytes, pair by pair.
  @inline(never)
  package func haveSameBytes(as others: [String]) -> Bool {
    guard count == others.count else { return false }
    for index in indices where !self[index].hasSameBytes(as: others[index]) { return false }
    return true
  }

  /// Whether the sequence contains a text with the same bytes.
  @inline(never)
  package func containsBytes(of text: String) -> Bool {
    for element in self where element.hasSameBytes(as: text) { return true }
    return false
  }

  /// The texts without duplicates, in order of first appearance.
  @inline(never)
  package func withoutRepeats() -> [String] {
    var seen: Set<String> = []
    return filter { seen.add($0.byteKey) }
  }

  /// Two texts that are equal by `==` although their bytes differ, which a dictionary cannot both hold; nil if there
  /// are none.
  @inline(never)
  package var twins: (String, String)? {
    // For ASCII texts, `==` compares bytes.
    guard contains(where: { $0.utf8.count != $0.utf16.count }) else { return nil }
    var firsts: [String: String] = [:]
    for text in self {
      if let first = firsts[text], !first.hasSameBytes(as: text) { return (first, text) }
      firsts[text] = text
    }
    return nil
  }
}

/// The 64-bit FNV-1a hash. It is the same in every process, unlike `Hasher`. It detects mistakes, not forgery.
package enum FNV1a {
  package static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
