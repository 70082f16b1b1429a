import NovaTestSupport
import Testing

@testable import NovaSupport

@Suite struct ShownTextTests {
  /// All scalars: everything that is shown is safe to show, and harmless text is not changed.
  @Test func whatIsShownIsSafe() {
    // Of the rare ones after the first plane, a tenth each day.
    let step = TestDepth.isFull() ? 1 : 10
    let rare = stride(from: 0x1_0000 + Int(TestDepth.seed) % step, through: 0x10_FFFF, by: step)
    for value in Array(0..<0x1_0000) + Array(rare) {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      if scalar.isSafeToShow {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("\(String(value, radix: 16))")
        default: continue
        }
      } else {
        let text = "a\(scalar)b"
        let shown = text.printable(to: 10) + text.quotedForPeople
        if !shown.unicodeScalars.allSatisfy(\.isSafeToShow) { Issue.record("\(String(value, radix: 16)): \(shown)") }
      }
    }
    #expect("aé中😀❤\u{FE0F} ½".printable(to: 20) == "aé中😀❤\u{FE0F} ½")
    // No invisible character hides anything between Latin letters.
    for value in [UInt32](0x200B...0x200F) + [0x180B, 0x180F, 0xFE00, 0xFE0E, 0xFE0F, 0xE0100, 0xE0061, 0xE007F] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect("ad\(scalar)min".printable(to: 20) == "ad\\u{\(String(value, radix: 16))}min")
    }
  }

  /// Joiners and selectors are text where they join or vary their neighbors.
  @Test(arguments: [
    "👩‍💻", "👨‍👩‍👧‍👦", "❤️‍🔥", "🏳️‍🌈", "👍🏽", "👩🏽‍🚀", "🇵🇱", "1️⃣", "#️⃣", "☎︎", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "کتاب‌ها", "क्षि", "क्‍ष", "ക്‍",
    "ශ්‍රී", "e\u{301}", "葛󠄀", "ᠠ᠋", "≨︀", "नमस्ते", "👩‍❤️‍💋‍👨",
  ])
  func joinedTextStays(_ text: String) {
    #expect(text.printable(to: 100) == text)
    #expect(text.escapingControls == text)
  }

  @Test(arguments: [
    "a\u{200D}b", "👩\u{200D}", "\u{200D}👩", "👩\u{200D}a", "a\u{200D}👩", "1\u{200D}2", "👩\u{200D}\u{200D}💻", "1\u{FE0F}",
    "a\u{FE0F}",
    "\u{FE0F}", "1\u{FE0F}2", "ا\u{200C}ب", "ب\u{200C}a", "a\u{200C}ب", "ب\u{200C}", "ب\u{200C}\u{200C}ب", "中\u{200C}文",
    "中\u{200D}文",
    "🏴\u{E0061}\u{E007F}", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}a", "a\u{E0067}\u{E007F}", "👩\u{202E}💻",
    "é\u{FE00}",
    "क\u{200D}ष", "👩\u{2060}💻", "a\u{E0100}",
  ])
  func invisibleTextIsEscaped(_ text: String) {
    let shown = text.printable(to: 100)
    #expect(shown.contains("\\u{"), "\(shown)")
  }

  @Test(arguments: [
    ("\n", "\"\\n\""), ("\u{1B}[m", "\"\\u001b[m\""), ("\u{202E}", "\"\\u202e\""), ("\u{E0041}", "\"\\udb40\\udc41\""),
    ("\u{9B}", "\"\\u009b\""), ("\u{7F}", "\"\\u007f\""),
  ])
  func quotesAreAsJSONHasThem(_ text: String, _ expected: String) {
    #expect(text.quotedForPeople == expected)
  }
}
