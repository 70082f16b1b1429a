extension StringProtocol {
  /// The text without leading and trailing spaces and tabs.
  package var trimmed: String {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
