/// A text that is equal to another one only if their bytes are: an ID, a cursor, a token. To `==`, the two spellings of
/// `é` are one text; to a server, they are two IDs.
///
/// As a property wrapper, it lets a property count by its bytes in the equality and the hash of its type. Elsewhere,
/// `hasSameBytes(as:)` compares, `byteKey` keys sets and dictionaries, and `byteHash` stands for a text in a set of
/// hashes.
@propertyWrapper
package struct ExactText: Sendable, Hashable {
  package var wrappedValue: String

  package init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  /// As a key of sets and dictionaries that give their texts back.
  package init(_ text: String) { self.init(wrappedValue: text) }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.wrappedValue.hasSameBytes(as: right.wrappedValue)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: wrappedValue) }
}

extension Hasher {
  /// Adds a text by its bytes.
  @inline(never)
  package mutating func combine(bytesOf text: String) {
    text.readUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    // No text contains it, so that no two lists of texts are the same bytes.
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
  /// Whether both are absent, or have the same bytes.
  @inline(never)
  package func hasSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameBytes(as: other)
  }
}

extension [String] {
  /// Whether the texts have the same bytes, one by one.
  @inline(never)
  package func haveSameBytes(as others: [String]) -> Bool {
    guard count == others.count else { return false }
    for index in indices where !self[index].hasSameBytes(as: others[index]) { return false }
    return true
  }

  /// Whether a text with the same bytes is among them.
  @inline(never)
  package func containsBytes(of text: String) -> Bool {
    for element in self where element.hasSameBytes(as: text) { return true }
    return false
  }

  /// The texts, each once, in the order in which they come first.
  @inline(never)
  package func withoutRepeats() -> [String] {
    var seen: Set<String> = []
    return filter { seen.add($0.byteKey) }
  }

  /// Two texts that `==` takes for one although their bytes differ: a dictionary cannot hold both. Nil without such.
  @inline(never)
  package var twins: (String, String)? {
    // Between ASCII texts, `==` compares bytes.
    guard contains(where: { $0.utf8.count != $0.utf16.count }) else { return nil }
    var firsts: [String: String] = [:]
    for text in self {
      if let first = firsts[text], !first.hasSameBytes(as: text) { return (first, text) }
      firsts[text] = text
    }
    return nil
  }
}
