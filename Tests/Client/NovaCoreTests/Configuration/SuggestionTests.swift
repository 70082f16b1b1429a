import Testing

@testable import NovaCore

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abc", 0), ("abc", "axc", 1), ("abc", "acb", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func countsEdits(left: String, right: String, distance: Int) {
    #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8)) == distance)
    #expect(Suggestion.distance(Array(right.utf8), Array(left.utf8)) == distance)
  }

  @Test(arguments: [
    ("atempts", "attempts"), ("ATTEMPTS", "attempts"), ("attepmts", "attempts"), ("delay", nil), ("x", nil), ("", nil),
    (String(repeating: "x", count: 10_000), nil),
  ])
  func findsTheClosest(_ name: String, _ expected: String?) {
    #expect(Suggestion.closest(to: name, among: ["attempts", "delay_seconds"]) == expected)
  }
}
