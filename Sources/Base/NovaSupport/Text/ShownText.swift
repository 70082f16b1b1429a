// The one rule for which characters are safe to display in tables, cards, errors, IDs, and JSON on terminals.
// JoinedText.swift has the exceptions: joiners and selectors that join or vary their neighbors.

extension Unicode.Scalar {
  /// Whether the character is safe to display in any context: not a control character (C0, DEL, C1), an invisible
  /// character (such as bidirectional controls, zero-width characters, variation selectors, and tags), a line or
  /// paragraph separator, or an unassigned character.
  package var isSafeToShow: Bool {
    if isASCII { return value >= 0x20 && value != 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }

  /// The character as a JSON escape in ASCII: `\u202e`, or a surrogate pair.
  package var jsonEscape: String {
    UTF16.encode(self).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}

extension String {
  /// The text, or its beginning and an ellipsis, for messages.
  package func shortened(to count: Int) -> String {
    // Checks the bytes first, because counting the characters of a huge string takes long.
    utf8.count > count && self.prefix(count + 1).count > count ? "\(prefix(count))…" : self
  }

  /// The text on one line, with unsafe characters as `\u{202e}`, cut to `count` characters.
  package func printable(to count: Int) -> String {
    shortened(to: count).replacingUnsafe(asJSON: false)
  }

  /// The printable text in quotation marks.
  package var quoted: String { "\"\(printable(to: 80))\"" }

  /// The text as a JSON string in quotes, shortened, for messages.
  package var quotedForPeople: String {
    let text = shortened(to: 40).replacingScalars { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil }
    return "\"\(text.escapingControls)\""
  }

  /// The text with unsafe characters as JSON escapes: `\n`, `\u202e`.
  package var escapingControls: String {
    replacingUnsafe(asJSON: true)
  }

  private func replacingUnsafe(asJSON isJSON: Bool) -> String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    let scalars = isJSON ? scalars : shownPath.scalars
    var text = ""
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case _ where scalars.isShown(at: index): text.unicodeScalars.append(scalar)
      case _ where !isJSON: text += "\\u{\(String(scalar.value, radix: 16))}"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text += scalar.jsonEscape
      }
    }
    return text
  }
}
