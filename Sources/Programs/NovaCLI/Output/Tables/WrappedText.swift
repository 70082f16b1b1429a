// The one place that breaks texts into the lines of a terminal.

extension String {
  /// The lines of a text in a number of columns.
  ///
  /// Breaks at spaces, but not within code in backticks, which people copy, unless it is longer than a line.
  ///
  /// - Parameters:
  ///   - first: the width of the first line. Default: that of the others.
  ///   - splittingWords: whether to split a word that is longer than a line, instead of leaving that to the terminal.
  func wrapped(to width: Int, first: Int? = nil, splittingWords: Bool = false) -> [String] {
    var lines: [String] = []
    var line: String?
    for word in words(within: width) {
      var word = word
      var room: Int { lines.isEmpty ? first ?? width : width }
      if let begun = line {
        if begun.columns + 1 + word.columns <= room {
          line = "\(begun) \(word)"
          continue
        }
        lines.append(begun)
      }
      while splittingWords, word.columns > room {
        let head = word.head(of: room)
        lines.append(head)
        word.removeFirst(head.count)
      }
      line = word
    }
    return lines + [line ?? ""]
  }

  /// The lines of a text with a hanging indent.
  ///
  /// - Parameters:
  ///   - width: the width of a line with its indent; nil for one line of any length.
  ///   - label: what the first line begins with.
  ///   - indent: the number of spaces before the other lines.
  func wrapped(to width: Int?, after label: String, indent: Int) -> [String] {
    guard let width else { return [label + self] }
    let lines = wrapped(to: max(Self.minimumWidth, width - indent), first: max(1, width - label.columns))
    return lines.enumerated().map { ($0 == 0 ? label : String(repeating: " ", count: indent)) + $1 }
  }

  /// Texts are not narrower than this, whatever the indent.
  private static var minimumWidth: Int { 20 }

  private func words(within width: Int) -> [String] {
    let parts = split(atEach: " ")
    guard utf8.contains(UInt8(ascii: "`")) else { return parts }
    let words = parts.merged { $0.utf8.count(where: { $0 == UInt8(ascii: "`") }) % 2 == 1 }
    return words.flatMap { word in
      word.columns <= width ? [word] : word.split(atEach: " ")
    }
  }

  /// The parts between the separators, empty ones, too. By bytes: to find the characters of a long text takes longer.
  func split(atEach separator: Unicode.Scalar) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  /// The beginning of the text that fits in a number of columns; at least one character.
  private func head(of width: Int) -> String {
    let head = prefix(within: width)
    return String(head.isEmpty ? prefix(1) : head)
  }
}

extension [String] {
  /// The words, where those that belong together are one.
  func merged(while isOpen: (String) -> Bool) -> [String] {
    var words: [String] = []
    for part in self {
      if let last = words.last, isOpen(last) { words[words.count - 1] += " \(part)" } else { words.append(part) }
    }
    return words
  }
}
