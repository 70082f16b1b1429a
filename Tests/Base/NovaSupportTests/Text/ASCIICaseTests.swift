import NovaSupport
import Testing

@Suite struct ASCIICaseTests {
  /// Only ASCII letters have a case. Everything else must have equal bytes.
  @Test(arguments: [
    ("", "", true), ("Content-Type", "content-type", true), ("Content-Type", "Content-Type", true), ("Å", "Å", true),
    ("Accept", "Cookie", false), ("ab", "abc", false), ("Å", "å", false), ("@", "`", false), ("[", "{", false),
    // These look the same: two accents in either order.
    ("a\u{323}\u{307}", "a\u{307}\u{323}", false),
  ]) func textsAreTheSame(first: String, second: String, areSame: Bool) {
    #expect(first.equalsIgnoringASCIICase(second) == areSame, "\(first) and \(second)")
    #expect(second.equalsIgnoringASCIICase(first) == areSame, "\(second) and \(first)")
  }
}
