import NovaCore
import NovaLibc
import Testing

@testable import NovaCLI

@Suite struct TextWidthTests {
  private static let samples: [(String, Int)] = [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("Zürich", 6), ("中文", 4), ("한국어", 6),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("Ａ", 2), ("👩‍💻", 2), ("👨‍👩‍👧‍👦", 2), ("❤️", 2), ("❤", 1), ("👍🏽", 2), ("🇵🇱", 2), ("🇵", 1), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("می‌خواهم", 7),
    ("ไทย", 3), ("น้ำ", 2), ("…", 1), ("—", 1), ("𠀀", 2), ("⌚", 2), ("♥", 1), ("㍿", 2), ("🫠", 2), ("½", 1), ("葛󠄀", 2),
    ("नमस्ते", 4), ("कि", 2), ("क्षि", 2), ("श्री", 2), ("கொ", 2), ("வணக்கம்", 5), ("a中👩‍💻", 5),
  ]

  @Test(arguments: samples)
  func widthsAreThoseOfTerminals(_ text: String, _ columns: Int) {
    #expect(text.columns == columns, "\(text)")
  }

  #if canImport(Glibc)
    /// Every character that is shown has the width that the system's C library has for it, except in blocks that this
    /// library's Unicode does not have yet.
    @Test func characterWidthsAreTheSystems() {
      guard let locale = newlocale(0x1FBF, "C.UTF-8", nil),
        let symbol = dlsym(nil, "wcwidth")
      else { return }
      // Not in the module map: it needs _XOPEN_SOURCE.
      let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
      defer { freelocale(locale) }
      let before = uselocale(locale)
      defer { uselocale(before) }
      var differences: [String] = []
      for value in UInt32(0x20)...0x3FFFF {
        guard let scalar = Unicode.Scalar(value), scalar.isSafeToShow else { continue }
        let expected = wcwidth(Int32(value))
        if expected >= 0, scalar.columns != Int(expected) { differences.append("U+\(String(value, radix: 16))") }
      }
      #expect(differences.count < 60, "\(differences.count) characters: \(differences.prefix(200))")
    }
  #endif

  private static let pieces = [
    "a", " ", "é", "e\u{301}", "中", "👩‍💻", "❤️", "🇵🇱", "न", "स्ते", "می‌", "\u{301}", "👍🏽", "한", "…", "1️⃣",
  ]

  @Test(arguments: 1...200) func cutAndPaddedTextsFit(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let text = (0..<Int.random(in: 0...30, using: &generator)).compactMap { _ in
      Self.pieces.randomElement(using: &generator)
    }.joined()
    for width in 0...40 {
      let cut = text.cut(to: width)
      #expect(cut.columns <= max(width, 0), "\(text) to \(width): \(cut)")
      #expect(text.columns <= width ? cut == text : width == 0 || cut.hasSuffix("…"))
      // Never within a character.
      #expect(text.hasPrefix(cut.hasSuffix("…") && cut != text ? String(cut.dropLast()) : cut))
      #expect(text.padded(to: width).columns == max(width, text.columns))
    }
    #expect(text.columns == text.reduce(0) { $0 + $1.columns })
  }
}
