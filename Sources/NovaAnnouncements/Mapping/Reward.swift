/// Reads what is promised to the finder.
enum Reward {
  /// The number in a text: its digits, and a point between two of them as the decimal point.
  ///
  /// Spaces between digits, and commas before groups of three, are there for the eye: `500 PLN` is 500,
  /// `1 250.50 zł` is 1250.5, `$1,250` is 1250. Nil where no number can be told: none (`negotiable`), several
  /// (`500-800 PLN`), two points, or commas that are no thousands (`1.250,50`, `12,50`): a wrong amount is worse than
  /// none.
  static func amount(_ text: String) -> Double? {
    let numbers = text.unicodeScalars.split { !isPart(of: $0) }.filter { $0.contains(where: isDigit) }
    guard numbers.count == 1, let start = numbers[0].firstIndex(where: isDigit),
      let end = numbers[0].lastIndex(where: isDigit)
    else { return nil }
    // Of `.50` nobody can tell whether it is a fraction.
    if let before = numbers[0][..<start].last, !before.properties.isWhitespace { return nil }
    let parts = numbers[0][start...end].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = wholeDigits(parts[0]) else { return nil }
    if parts.count == 1 { return finite(whole) }
    guard !parts[1].isEmpty, parts[1].allSatisfy(isDigit) else { return nil }
    return finite("\(whole).\(String(parts[1]))")
  }

  /// The digits before the decimal point; nil where commas stand elsewhere than before groups of three.
  private static func wholeDigits(_ part: Substring.UnicodeScalarView) -> String? {
    let groups = part.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter(isDigit) }
    guard !groups[0].isEmpty, groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
    return groups.map { String(String.UnicodeScalarView($0)) }.joined()
  }

  private static func finite(_ digits: String) -> Double? {
    Double(digits).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isPart(of scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || scalar == "." || scalar == "," || scalar.properties.isWhitespace
  }
}
