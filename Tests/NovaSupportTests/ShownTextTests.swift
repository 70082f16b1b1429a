import Testing

@testable import NovaSupport

@Suite struct ShownTextTests {
  /// Every scalar there is: what is shown is safe to show, and harmless text stays.
  @Test func whatIsShownIsSafe() {
    for value in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
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
  }

  @Test(arguments: [
    ("\n", "\"\\n\""), ("\u{1B}[m", "\"\\u001b[m\""), ("\u{202E}", "\"\\u202e\""), ("\u{E0041}", "\"\\udb40\\udc41\""),
    ("\u{9B}", "\"\\u009b\""), ("\u{7F}", "\"\\u007f\""),
  ])
  func quotesAreAsJSONHasThem(_ text: String, _ expected: String) {
    #expect(text.quotedForPeople == expected)
  }
}
