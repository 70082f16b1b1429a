extension String {
  /// The lines of a text in a number of columns. Breaks at spaces, and inside a word only if it is longer than a line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      if !line.isEmpty, line.columns + 1 + word.columns <= width {
        line += " \(word)"
        continue
      }
      if !line.isEmpty { lines.append(line) }
      while word.columns > width {
        let head = word.head(of: width)
        lines.append(head)
        word.removeFirst(head.count)
      }
      line = word
    }
    return lines + [line]
  }

  /// The beginning of the text that fits in a number of columns; at least one character.
  private func head(of width: Int) -> String {
    var (head, used) = ("", 0)
    for character in self {
      used += character.columns
      if used > width, !head.isEmpty { break }
      head.append(character)
    }
    return head
  }
}
