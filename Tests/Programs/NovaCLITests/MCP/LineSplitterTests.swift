import NovaCore
import Testing

@testable import NovaCLI

@Suite struct LineSplitterTests {
  private func lines(_ pieces: [[UInt8]], limit: Int = 10) -> [LineSplitter.Line] {
    var splitter = LineSplitter(limit: limit)
    for piece in pieces { splitter.add(piece) }
    splitter.finish()
    var lines: [LineSplitter.Line] = []
    while let line = splitter.next() { lines.append(line) }
    return lines
  }

  private static func content(_ text: String) -> LineSplitter.Line { .content(Array(text.utf8)) }

  private static let cases: [(text: String, lines: [LineSplitter.Line])] = [
    ("", []), ("\n\n", []), (" \t\r\n", []), ("a", [content("a")]), ("a\n", [content("a")]),
    ("a\r\nb\n", [content("a"), content("b")]), ("a\n\nb", [content("a"), content("b")]),
    ("0123456789\n", [content("0123456789")]), ("01234567890\n", [.tooLong]),
    ("01234567890123\nb\n", [.tooLong, content("b")]), ("b\n01234567890123", [content("b"), .tooLong]),
    ("\r\r\n", [content("\r")]), ("é\u{0}\n", [content("é\u{0}")]),
  ]

  @Test(arguments: cases) func linesAreSplit(_ text: String, _ expected: [LineSplitter.Line]) {
    #expect(lines([Array(text.utf8)]) == expected)
  }

  /// The result does not depend on how the input is divided.
  @Test(arguments: cases) func piecesDoNotMatter(_ text: String, _ expected: [LineSplitter.Line]) {
    let bytes = Array(text.utf8)
    #expect(lines(bytes.map { [$0] }) == expected)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      var (rest, pieces) = (bytes[...], [[UInt8]]())
      while !rest.isEmpty {
        let count = 1 + random.next(below: rest.count)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(lines(pieces) == expected, "\(pieces)")
    }
  }
}
