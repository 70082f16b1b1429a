/// Parses the reward of an announcement.
enum Reward {
  /// Returns the positive number in a text, or nil if the amount is missing or ambiguous.
  ///
  /// Spaces between digits and commas before groups of three are separators: `500 PLN` is 500, `1 250.50 zł` is 1250.5,
  /// `$1,250` is 1250. A wrong amount is worse than none, so these are nil: no number (`negotiable`), several
  /// (`500-800 PLN`), two points, commas that separate no thousands (`1.250,50`, `12,50`), a point that may separate
  /// thousands (`€ 2.000`), zero, and a minus sign before the number.
  static func amount(_ text: String) -> Double? {
    let runs = text.unicodeScalars.split { !isPart(of: $0) }.filter { $0.contains(where: isDigit) }
    guard runs.count == 1, let start = runs[0].firstIndex(where: isDigit),
      let end = runs[0].lastIndex(where: isDigit), !isNegative(text.unicodeScalars[..<start])
    else { return nil }
    // `.50` is ambiguous.
    if let before = runs[0][..<start].last, !before.properties.isWhitespace { return nil }
    let parts = runs[0][start...end].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = wholeDigits(parts[0]) else { return nil }
    if parts.count == 1 { return positive(whole) }
    guard !parts[1].isEmpty, parts[1].allSatisfy(isDigit), !isThousands(parts[1], after: parts[0]) else { return nil }
    return positive("\(whole).\(String(parts[1]))")
  }

  /// The digits before the decimal point; nil if a comma is not before a group of three.
  private static func wholeDigits(_ part: Substring.UnicodeScalarView) -> String? {
    let groups = part.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter(isDigit) }
    guard !groups[0].isEmpty, groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
    return groups.map { String(String.UnicodeScalarView($0)) }.joined()
  }

  /// Whether the point before these digits may separate thousands, as in `2.000`.
  private static func isThousands(
    _ digits: Substring.UnicodeScalarView, after whole: Substring.UnicodeScalarView
  ) -> Bool {
    digits.count == 3 && whole.count <= 3 && whole.allSatisfy(isDigit) && whole.first != "0"
  }

  /// Whether a minus sign, and perhaps a currency symbol, stand before the number.
  private static func isNegative(_ text: Substring.UnicodeScalarView) -> Bool {
    let last = text.last { !$0.properties.isWhitespace && $0.properties.generalCategory != .currencySymbol }
    return last.map { $0 == "\u{2212}" || $0.properties.generalCategory == .dashPunctuation } ?? false
  }

  private static func positive(_ digits: String) -> Double? {
    Double(digits).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isPart(of scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || scalar == "." || scalar == "," || scalar.properties.isWhitespace
  }
}
