extension String {
  /// The text as one word for a POSIX shell, quoted only if necessary.
  package var shellWord: String { !isEmpty && unicodeScalars.allSatisfy(Self.plain.contains) ? self : shellQuoted }

  /// The characters that no shell interprets.
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:,@%+=".unicodeScalars)

  /// The text as one quoted word for a POSIX shell. A path that is not UTF-8 needs a shell that supports `$'\351'`, as
  /// nearly all do.
  package var shellQuoted: String {
    guard hasPathBytes else { return "'\(replacingScalars { $0 == "'" ? "'\\''" : nil })'" }
    let word = pathBytes.map { byte in
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\\(Unicode.Scalar(byte))"
      case 0x20..<0x7F: String(Unicode.Scalar(byte))
      default: "\\\(byte >> 6 & 7)\(byte >> 3 & 7)\(byte & 7)"
      }
    }
    return "$'\(word.joined())'"
  }

  /// Replaces Unicode scalars, even those followed by combining marks.
  ///
  /// Shells, browsers, and parsers read scalars. `replacing(_:with:)` compares characters, so it does not find a
  /// quotation mark that is followed by an accent.
  ///
  /// - Parameter replacement: returns the replacement of a scalar; nil to keep it.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) { text += replacement } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
