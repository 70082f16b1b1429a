import NovaSupport
import Testing

/// Texts that are equal by `==` and have different bytes.
@Suite struct ExactTextTests {
  /// Composed and decomposed characters, marks in another order, and a sign that Unicode contains twice.
  static let twins = [
    ("caf\u{E9}", "cafe\u{301}"), ("\u{212B}", "\u{C5}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{212A}1", "K1"),
    ("\u{AC00}", "\u{1100}\u{1161}"), ("a\u{37E}", "a;"),
  ]

  @Test(arguments: twins) func theyAreTwoTexts(_ first: String, _ second: String) {
    #expect(first == second && !first.hasSameBytes(as: second))
    #expect(ExactText(first) != ExactText(second) && ExactText(first) == ExactText(first))
    #expect(Set([ExactText(first), ExactText(second), ExactText(first)]).count == 2)
    #expect(first.byteKey != second.byteKey && first.byteHash != second.byteHash)
    #expect([first, second, first].withoutRepeats().map(\.utf8Bytes) == [first, second].map(\.utf8Bytes))
    #expect([first].containsBytes(of: first) && ![first].containsBytes(of: second))
    #expect([first].haveSameBytes(as: [first]) && ![first].haveSameBytes(as: [second]))
    let optional: String? = first
    #expect(optional.hasSameBytes(as: first) && !optional.hasSameBytes(as: second) && !optional.hasSameBytes(as: nil))
    let found = ["x", first, "y", second].twins
    #expect(found.map { [$0.0, $0.1].haveSameBytes(as: [first, second]) } == true)
  }

  @Test func otherTextsHaveNoTwins() {
    for texts in [[], ["a"], ["a", "a"], ["é", "é"], ["é", "e", "è"]] { #expect(texts.twins == nil, "\(texts)") }
    #expect(Optional<String>.none.hasSameBytes(as: nil))
    #expect(["a", "b", "a"].withoutRepeats() == ["a", "b"])
    #expect([String]().haveSameBytes(as: []) && !["a"].haveSameBytes(as: ["a", "b"]))
  }
}
