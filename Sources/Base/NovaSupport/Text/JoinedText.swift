// Characters that are invisible by themselves, but part of the text where they join or vary their neighbors: the
// zero-width joiner in emoji and Indic scripts, the zero-width non-joiner in Persian, variation selectors after emoji.
// Elsewhere they would make two different names look the same, so they are escaped.

extension [Unicode.Scalar] {
  /// Whether the character at this position is safe to show in its context.
  package func isShown(at index: Int) -> Bool {
    let scalar = self[index]
    if scalar.isSafeToShow { return true }
    guard index > 0 else { return false }
    let previous = self[index - 1]
    switch scalar.value {
    case 0x200D: return previous.isVirama || joinsEmoji(at: index)
    case 0x200C: return previous.isVirama || separatesLetters(at: index)
    case 0xFE0E, 0xFE0F: return previous.isEmojiSymbol || isKeycap(at: index)
    case 0xFE00...0xFE0D: return previous.properties.isIdeographic || previous.properties.isMath && !previous.isASCII
    case 0xE0100...0xE01EF: return previous.properties.isIdeographic
    case 0x180B...0x180D, 0x180F: return (0x1820...0x18AA).contains(previous.value)
    case 0xE0020...0xE007F: return isFlagTag(at: index)
    default: return false
    }
  }

  /// Whether this joiner is between two emoji, the first of which may have a selector.
  private func joinsEmoji(at index: Int) -> Bool {
    guard index + 1 < count, self[index + 1].isEmojiSymbol else { return false }
    let previous = self[index - 1]
    return previous.isEmojiSymbol || previous.value == 0xFE0F && index > 1 && self[index - 2].isEmojiSymbol
  }

  /// Whether this non-joiner separates two Arabic letters that would otherwise join. Marks between them are ignored.
  private func separatesLetters(at index: Int) -> Bool {
    guard let before = self[..<index].last(where: { !$0.isMark }),
      let after = self[(index + 1)...].first(where: { !$0.isMark })
    else { return false }
    return ArabicJoining.joinsNext(before) && ArabicJoining.isLetter(after)
  }

  /// Whether this selector is part of a keycap: `1`, the selector, and the enclosing key.
  private func isKeycap(at index: Int) -> Bool {
    self[index - 1].properties.isEmoji && index + 1 < count && self[index + 1].value == 0x20E3
  }

  /// Whether this tag is part of the flag of England, Scotland, or Wales. Other tags hide text.
  private func isFlagTag(at index: Int) -> Bool {
    guard let start = self[..<index].lastIndex(where: { $0.value == 0x1F3F4 }), index - start <= 6, start + 6 < count
    else { return false }
    let tags = self[(start + 1)...(start + 6)]
    guard tags.last?.value == 0xE007F else { return false }
    let name = String(String.UnicodeScalarView(tags.dropLast().compactMap { Unicode.Scalar($0.value & 0x7F) }))
    return tags.allSatisfy { $0.value >> 8 == 0xE00 } && ["gbeng", "gbsct", "gbwls"].contains(name)
  }
}

extension Unicode.Scalar {
  /// Whether it is an emoji by itself. Digits are emoji only in a keycap.
  fileprivate var isEmojiSymbol: Bool { !isASCII && properties.isEmoji }

  /// Whether it joins consonants of an Indic script. A joiner after it selects their form.
  fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }

  fileprivate var isMark: Bool { properties.generalCategory == .nonspacingMark }
}

/// Letters of the Arabic script.
private enum ArabicJoining {
  /// Whether it is an Arabic letter.
  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    guard blocks.contains(where: { $0.contains(scalar.value) }) else { return false }
    return scalar.properties.isAlphabetic
  }

  /// Whether it is a letter that joins the next one: `Joining_Type=Dual_Joining` in Unicode.
  static func joinsNext(_ scalar: Unicode.Scalar) -> Bool { dual.contains { $0.contains(scalar.value) } }

  private static let blocks: [ClosedRange<UInt32>] = [0x620...0x6FF, 0x750...0x77F, 0x8A0...0x8C8]

  private static let dual: [ClosedRange<UInt32>] = [
    0x620...0x620, 0x626...0x626, 0x628...0x628, 0x62A...0x62E, 0x633...0x63F, 0x641...0x647, 0x649...0x64A,
    0x66E...0x66F, 0x678...0x687, 0x69A...0x6BF, 0x6C1...0x6C2, 0x6CC...0x6CC, 0x6CE...0x6CE, 0x6D0...0x6D1,
    0x6FA...0x6FC, 0x6FF...0x6FF, 0x750...0x758, 0x75C...0x76A, 0x76D...0x770, 0x772...0x772, 0x775...0x777,
    0x77A...0x77F, 0x8A0...0x8A9, 0x8AF...0x8B0, 0x8B3...0x8B8, 0x8BA...0x8C8,
  ]
}
