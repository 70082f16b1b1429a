import NovaCore

/// Parses the reward of an announcement.
enum Reward {
  /// Returns the positive number in a text, or nil if the amount is missing or ambiguous.
  ///
  /// A point is a decimal mark, and so is a comma before one or two final digits. Spaces or commas before groups of
  /// three digits separate thousands: `500 PLN` is 500, `1 250.50 zł` and `1 250,50 zł` are 1250.5, `$1,250` is 1250.
  ///
  /// No amount is better than a wrong one, so these are nil: no number (`negotiable`), several numbers (`500-800 PLN`),
  /// two decimal marks or kinds of separators (`1.250,50`, `1,250,50`), groups of another length (`5 10`), a point that
  /// may separate thousands (`€ 2.000`), a multiple (`5 tys. zł`, `5k`, `50%`), zero, and a minus sign before the
  /// number.
  static func amount(_ text: String) -> Double? {
    let scalars = Array(text.scalars)
    var kinds: [UInt8] = []
    for scalar in scalars { kinds.append(kind(of: scalar)) }
    let digits = kinds.indices.filter { kinds[$0].isASCIIDigit }
    guard let start = digits.first, let end = digits.last else { return nil }
    let number = String(decoding: kinds[start...end], as: UTF8.self)
    guard number.consists(of: .number), !isAmbiguous(before: kinds[..<start]),
      !isMultiple(before: scalars[(end + 1)...])
    else { return nil }
    return value(of: number)
  }

  /// The value of digits with separators; it begins and ends with a digit.
  private static func value(of number: String) -> Double? {
    let parts = number.parts(between: ".", keepsEmpty: true)
    guard parts.count <= 2 else { return nil }
    if parts.count == 2 {
      guard let whole = wholeDigits(parts[0]), parts[1].consists(of: .digits, count: 1...Int.max),
        !isThousands(parts[1], after: parts[0])
      else { return nil }
      return positive(whole + "." + parts[1])
    }
    let groups = number.parts(between: ",", keepsEmpty: true)
    if groups.count == 2, groups[1].consists(of: .digits, count: 1...2) {
      return wholeDigits(groups[0]).flatMap { positive($0 + "." + groups[1]) }
    }
    return wholeDigits(number).flatMap(positive)
  }

  /// The digits before the decimal mark, with or without groups of three; nil for other groups.
  private static func wholeDigits(_ part: String) -> String? {
    let commas = part.parts(between: ",", keepsEmpty: true)
    let groups = commas.count > 1 ? commas : part.parts(between: " ", keepsEmpty: true)
    guard groups.count > 1 else { return part.consists(of: .digits) ? part : nil }
    guard groups[0].consists(of: .digits, count: 1...3), !groups[0].hasPrefix("0"),
      groups.dropFirst().allSatisfy({ $0.consists(of: .digits, count: 3...3) })
    else { return nil }
    return groups.joined()
  }

  /// Whether the point before these digits may separate thousands, as in `2.000`.
  private static func isThousands(_ digits: String, after whole: String) -> Bool {
    digits.utf8.count == 3 && whole.consists(of: .digits, count: 0...3) && !whole.hasPrefix("0")
  }

  /// Whether the text before the number changes it: a point or a comma, as in `.50`, or a minus sign, even before a
  /// currency symbol.
  private static func isAmbiguous(before kinds: ArraySlice<UInt8>) -> Bool {
    if let last = kinds.last, last == UInt8(ascii: ".") || last == UInt8(ascii: ",") { return true }
    var end = kinds.endIndex
    while end > 0, kinds[end - 1] == UInt8(ascii: " ") || kinds[end - 1] == UInt8(ascii: "$") { end -= 1 }
    return end > 0 && kinds[end - 1] == UInt8(ascii: "-")
  }

  /// Words for thousands and more.
  private static let multiples: Set<String> = [
    "k", "m", "tys", "tsd", "thousand", "grand", "mln", "mio", "mld", "million", "billion", "lakh",
  ]

  private static let multiplyingSigns: Set<Unicode.Scalar> = ["%", "‰", "千", "万", "萬", "億", "亿"]

  /// Whether the text after the number changes it: a percent sign, or a word for thousands.
  private static func isMultiple(before scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    let rest = scalars.drop { $0.properties.isWhitespace }
    if let first = rest.first, multiplyingSigns.contains(first) { return true }
    var word = ""
    for scalar in rest.prefix(while: { $0.properties.isAlphabetic }).prefix(10) { word.unicodeScalars.append(scalar) }
    return multiples.contains(word.lowercased())
  }

  private static func positive(_ digits: String) -> Double? { Double(digits).flatMap { isAmount($0) ? $0 : nil } }

  /// Whether a number can be a reward.
  static func isAmount(_ number: Double) -> Bool { number.isFinite && number > 0 }

  /// The kind of a character, as an ASCII character: digits, points, and commas represent themselves, a space all white
  /// space, `$` all currency symbols, `-` all minus signs and dashes, and `?` everything else.
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
