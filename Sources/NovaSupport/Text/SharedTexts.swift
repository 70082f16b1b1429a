// Sorting, splitting, sets and the bytes of texts. The standard library's generics are compiled again in every module that
// uses them; these are compiled here only.

extension [String] {
  /// The texts in order.
  @inline(never)
  package func inOrder() -> [String] { sorted() }

  /// The texts in the order that `isBefore` gives.
  @inline(never)
  package func inOrder(_ isBefore: (String, String) -> Bool) -> [String] { sorted(by: isBefore) }
}

extension [UInt8] {
  /// Appends a text in UTF-8.
  @inline(never)
  package mutating func append(utf8 text: String) {
    text.readUTF8 { append(contentsOf: $0) }
  }

  /// The first place from `start` on with one of these characters; `end` if there is none before.
  @inline(never)
  package func place(of characters: ASCIISet, from start: Int, to end: Int) -> Int {
    var place = start
    while place < end, !characters.contains(self[place]) { place += 1 }
    return place
  }
}

extension Set<String> {
  /// Creates a set of texts.
  @inline(never)
  package init(of texts: [String]) { self.init(texts) }

  /// Inserts a text, and returns whether it is new.
  @inline(never)
  package mutating func add(_ text: String) -> Bool { insert(text).inserted }
}

extension String {
  /// The text in UTF-8.
  @inline(never)
  package var utf8Bytes: [UInt8] { Array(utf8) }

  /// The Unicode scalars.
  @inline(never)
  package var scalars: [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in unicodeScalars { scalars.append(scalar) }
    return scalars
  }

  /// Lets `body` read the text in UTF-8 where it lies.
  @inline(never)
  package func readUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var text = self
    return text.withUTF8(body)
  }

  /// Whether the first bytes are those of another text. `hasPrefix` compares characters, which may continue after it.
  @inline(never)
  package func begins(withBytesOf other: String) -> Bool {
    readUTF8 { bytes in
      other.readUTF8 { others in
        guard others.count <= bytes.count else { return false }
        for index in others.indices where bytes[index] != others[index] { return false }
        return true
      }
    }
  }

  /// Whether the bytes are those of another text. To `==`, two spellings of `é` are one.
  @inline(never)
  package func hasSameBytes(as other: String) -> Bool { utf8.count == other.utf8.count && begins(withBytesOf: other) }

  /// Each byte as a character, so that such texts are equal only if their bytes are: for keys of sets and dictionaries.
  @inline(never)
  package var byteKey: String {
    // Only ASCII: everything else has more bytes than UTF-16 units.
    if utf8.count == utf16.count { return self }
    var text = ""
    for byte in utf8 { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }

  /// The parts between the places of an ASCII character.
  ///
  /// - Parameter keepsEmpty: whether empty parts count.
  @inline(never)
  package func parts(between separator: Unicode.Scalar, keepsEmpty: Bool) -> [String] {
    let bytes = utf8Bytes
    var parts: [String] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: separator) {
      if keepsEmpty || end > start { parts.append(String(decoding: bytes[start..<end], as: UTF8.self)) }
      start = end + 1
    }
    return parts
  }
}
