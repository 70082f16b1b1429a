import NovaCore

// The width of texts in terminal columns, by grapheme clusters.

extension String {
  /// The width in terminal columns.
  var columns: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns } }

  /// The text, or its beginning with an ellipsis, within a width.
  func cut(to width: Int) -> String {
    guard columns > width else { return self }
    return width > 0 ? "\(prefix(within: width - 1))…" : ""
  }

  /// The longest beginning of the text within a width.
  func prefix(within width: Int) -> Substring {
    var used = 0
    return prefix { character in
      used += character.columns
      return used <= width
    }
  }

  /// The text, or its beginning and its end with an ellipsis between them, within a width. The end keeps the extension of
  /// a file's name, if there is room.
  func cutInTheMiddle(to width: Int) -> String {
    guard columns > width, width > 4 else { return cut(to: width) }
    let ending = lastIndex(of: ".").map { self[$0...].reduce(0) { $0 + $1.columns } } ?? 0
    let tailWidth = Swift.max((width - 1) / 3, Swift.min(ending, (width - 1) / 2))
    var (tail, used) = (Substring(), 0)
    for (index, character) in zip(indices, self).reversed() {
      guard used + character.columns <= tailWidth else { break }
      (tail, used) = (self[index...], used + character.columns)
    }
    return cut(to: width - used) + tail
  }

  /// The text, padded with spaces to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }
}

extension Character {
  /// The width in terminal columns: two for emoji, otherwise the sum of the parts, two at most.
  var columns: Int {
    let scalars = unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.isASCII, scalars.count == 1 { return 1 }
    let isEmoji = first.properties.isEmojiPresentation && !first.isRegionalIndicator
    if isEmoji || first.properties.isEmoji && scalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    return min(2, scalars.reduce(0) { $0 + $1.columns })
  }
}

extension Unicode.Scalar {
  /// The width in terminal columns by itself: two for wide East Asian characters and emoji, none for marks that combine
  /// with the character before, otherwise one.
  var columns: Int {
    if isASCII { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if Self.finalJamo.contains(where: { $0.contains(value) }) { return 0 }
    let isWide = Self.wide.contains { $0.contains(value) } || properties.isEmojiPresentation && !isRegionalIndicator
    return isWide ? 2 : 1
  }

  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// Vowels and final consonants of Korean, which are drawn within the syllable that the first consonant begins.
  private static let finalJamo: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FB]

  /// The characters whose East_Asian_Width is W or F in Unicode, without emoji and marks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4C6,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
