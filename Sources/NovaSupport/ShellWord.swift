extension String {
  /// The text as one word of a POSIX shell, whatever it contains.
  package var shellQuoted: String { "'\(replacingScalars { $0 == "'" ? "'\\''" : nil })'" }

  /// Replaces Unicode scalars, also those that combining marks follow.
  ///
  /// Shells, browsers and parsers read scalars. `replacing(_:with:)` compares whole characters, so it finds no
  /// quotation mark that an accent follows.
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
