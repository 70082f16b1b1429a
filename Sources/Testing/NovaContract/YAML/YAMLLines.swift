import NovaCore

/// The lines of a YAML document, and the position in them.
struct YAMLLines {
  struct Line {
    /// The line's number in the file, from 1.
    let number: Int
    /// The number of spaces before the text.
    let indent: Int
    /// The text without the spaces before it and the white space after it.
    let text: String

    /// Whether the line has nothing but a comment.
    var isEmpty: Bool { text.isEmpty || text.hasPrefix("#") }
    /// Whether the line is an item of a list.
    var isItem: Bool { text == "-" || text.hasPrefix("- ") }
  }

  private var lines: [Line] = []
  private var next = 0

  init(_ text: String) throws(YAMLError) {
    var isFirst = true
    for (index, raw) in text.parts(between: "\n", keepsEmpty: true).enumerated() {
      var line = Substring(raw)
      if line.hasSuffix("\r") { line = line.dropLast() }
      let spaces = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      let rest = line.dropFirst(spaces)
      if rest.hasPrefix("\t"), !rest.allSatisfy(\.isWhitespace) {
        throw YAMLError(line: index + 1, problem: "a tab before the text; indent with spaces")
      }
      if spaces == 0, rest.hasPrefix("---") || rest.hasPrefix("%") || rest.hasPrefix("...") {
        if rest.hasPrefix("...") { break }
        guard isFirst else { throw YAMLError(line: index + 1, problem: "a second document; only one is read") }
        if rest.hasPrefix("---"), rest.dropFirst(3).contains(where: { !$0.isWhitespace }) {
          throw YAMLError(line: index + 1, problem: "text after ---; write it on the next line")
        }
        continue
      }
      let trimmed = rest.trimmingSuffix
      lines.append(Line(number: index + 1, indent: spaces, text: trimmed))
      if !trimmed.isEmpty, !trimmed.hasPrefix("#") { isFirst = false }
    }
  }

  /// The number of the current line, or of the last one.
  var number: Int { next < lines.count ? lines[next].number : lines.last?.number ?? 1 }

  /// The current line; nil at the end.
  var current: Line? { next < lines.count ? lines[next] : nil }

  /// The next line that has more than a comment; nil at the end.
  mutating func content() -> Line? {
    while next < lines.count, lines[next].isEmpty { next += 1 }
    return current
  }

  mutating func advance() { next += 1 }

  /// Replaces the current line by a part of it, further to the right.
  mutating func replaceCurrent(indent: Int, text: String) {
    lines[next] = Line(number: lines[next].number, indent: indent, text: text)
  }
}

extension Substring {
  fileprivate var trimmingSuffix: String {
    var text = self
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
