// Sorting, splitting, sets, and UTF-8. The standard library's generics are compiled again in every module that uses
// them; these are compiled only once.

extension [String] {
  /// The texts, sorted.
  @inline(never)
  package func inOrder() -> [String] { sorted() }

  /// The texts, sorted by `isBefore`.
  @inline(never)
  package func inOrder(_ isBefore: (String, String) -> Bool) -> [String] { sorted(by: isBefore) }
}

extension [UInt8] {
  /// Appends a text in UTF-8.
  @inline(never)
  package mutating func append(utf8 text: String) {
    text.readUTF8 { append(contentsOf: $0) }
  }

  /// The first index at or after `start` of one of these characters; `end` if there is none.
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

  /// Inserts a text, and returns whether it was new.
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

  /// Calls `body` with the text's UTF-8 storage.
  @inline(never)
  package func readUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var text = self
    return text.withUTF8(body)
  }

  /// Whether the text starts with the bytes of another. `hasPrefix` compares characters, and a combining mark after the
  /// prefix would be part of its last character.
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

  /// Whether the bytes equal those of another text. For `==`, two spellings of `é` are equal.
  @inline(never)
  package func hasSameBytes(as other: String) -> Bool { utf8.count == other.utf8.count && begins(withBytesOf: other) }

  /// Each byte as one character. Such texts are equal only if their bytes are: use them as keys of sets and
  /// dictionaries.
  @inline(never)
  package var byteKey: String {
    // This is ASCII: all other text has more bytes than UTF-16 units.
    if utf8.count == utf16.count { return self }
    var text = ""
    for byte in utf8 { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }

  /// Splits the text at each occurrence of an ASCII character.
  ///
  /// - Parameter keepsEmpty: whether empty parts are included.
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

extension StringProtocol {
  /// The text without leading and trailing spaces and tabs.
  package var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
