import NovaCore

/// Parses the reward of an announcement.
enum Reward {
  /// Returns the positive number in a text, or nil if the amount is missing or ambiguous.
  ///
  /// Spaces between digits and commas before groups of three are separators: `500 PLN` is 500, `1 250.50 zł` is 1250.5,
  /// `$1,250` is 1250. A wrong amount is worse than none, so these are nil: no number (`negotiable`), several
  /// (`500-800 PLN`), two points, commas that separate no thousands (`1.250,50`, `12,50`), a point that may separate
  /// thousands (`€ 2.000`), zero, and a minus sign before the number.
  static func amount(_ text: String) -> Double? {
    var kinds: [UInt8] = []
    for scalar in text.scalars { kinds.append(kind(of: scalar)) }
    let digits = kinds.indices.filter { kinds[$0].isASCIIDigit }
    guard let start = digits.first, let end = digits.last else { return nil }
    let number = String(decoding: kinds[start...end], as: UTF8.self)
    guard number.consists(of: .number), !isAmbiguous(before: kinds[..<start]) else { return nil }
    let parts = number.parts(between: ".", keepsEmpty: true)
    guard parts.count <= 2, let whole = wholeDigits(parts[0]) else { return nil }
    if parts.count == 1 { return positive(whole) }
    guard parts[1].consists(of: .digits, count: 1...Int.max), !isThousands(parts[1], after: parts[0]) else {
      return nil
    }
    return positive(whole + "." + parts[1])
  }

  /// The digits before the decimal point; nil if a comma is not before a group of three.
  private static func wholeDigits(_ part: String) -> String? {
    var digits = ""
    for group in part.parts(between: ",", keepsEmpty: true) {
      let length = digits.utf8.count
      for piece in group.parts(between: " ", keepsEmpty: false) { digits += piece }
      guard length == 0 || digits.utf8.count == length + 3 else { return nil }
    }
    return digits
  }

  /// Whether the point before these digits may separate thousands, as in `2.000`.
  private static func isThousands(_ digits: String, after whole: String) -> Bool {
    digits.utf8.count == 3 && whole.consists(of: .digits, count: 0...3) && !whole.hasPrefix("0")
  }

  /// Whether what stands before the number changes it: a point or a comma, as in `.50`, or a minus sign, perhaps with a
  /// currency symbol behind it.
  private static func isAmbiguous(before kinds: ArraySlice<UInt8>) -> Bool {
    if let last = kinds.last, last == UInt8(ascii: ".") || last == UInt8(ascii: ",") { return true }
    var end = kinds.endIndex
    while end > 0, kinds[end - 1] == UInt8(ascii: " ") || kinds[end - 1] == UInt8(ascii: "$") { end -= 1 }
    return end > 0 && kinds[end - 1] == UInt8(ascii: "-")
  }

  private static func positive(_ digits: String) -> Double? {
    Double(digits).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  /// The character as far as it matters, in ASCII: digits, points and commas are themselves, and one character stands for
  /// all white space, all currency symbols, all minus signs and dashes, and everything else.
  @inline(never)
  private static func kind(of scalar: Unicode.Scalar) -> UInt8 {
    switch scalar {
    case "0"..."9", ".", ",": return UInt8(scalar.value)
    case "\u{2212}": return UInt8(ascii: "-")
    case _ where scalar.properties.isWhitespace: return UInt8(ascii: " ")
    default: break
    }
    switch scalar.properties.generalCategory {
    case .dashPunctuation: return UInt8(ascii: "-")
    case .currencySymbol: return UInt8(ascii: "$")
    default: return UInt8(ascii: "?")
    }
  }
}

extension ASCIISet {
  fileprivate static let number = digits + ASCIISet("., ")
}
