extension Character {
  /// How many columns of a terminal it takes: two for most East Asian characters and emoji, else one.
  var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    return Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]
}

extension String {
  /// How many columns of a terminal it takes.
  var columns: Int { utf8.count == count ? count : reduce(0) { $0 + $1.columns } }

  /// The text, or its beginning and an ellipsis, in at most so many columns.
  func cut(to width: Int) -> String {
    guard columns > width else { return self }
    var (text, used) = ("", 0)
    for character in self {
      guard used + character.columns < width else { break }
      text.append(character)
      used += character.columns
    }
    return text + "…"
  }

  /// The text with spaces behind it, in at least so many columns.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }
}
