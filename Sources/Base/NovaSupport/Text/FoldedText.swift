extension String {
  /// The text in lower case, with Latin letters reduced to their base: "Łukasz Müller" becomes "lukasz muller".
  ///
  /// The standard library has no public decomposition, and Foundation's folding requires ICU, so this reads the
  /// letters' Unicode names: "LATIN SMALL LETTER U WITH DIAERESIS".
  package var foldedForSearch: String {
    let lower = lowercased()
    if lower.consists(of: .visible + ASCIISet(" ")) { return lower }
    var folded = ""
    for scalar in lower.scalars where scalar.properties.canonicalCombiningClass == .notReordered {
      folded.unicodeScalars.append(scalar.withoutDiacritics)
    }
    return folded
  }
}

extension Unicode.Scalar {
  fileprivate var withoutDiacritics: Unicode.Scalar {
    let prefix = "LATIN SMALL LETTER "
    guard !isASCII, let name = properties.name, name.hasPrefix(prefix) else { return self }
    let words = name.parts(between: " ", keepsEmpty: false)
    guard words.count > 5, words[4] == "WITH", words[3].utf8.count == 1 else { return self }
    return Unicode.Scalar(words[3].utf8Bytes[0].asciiLowercased)
  }
}
