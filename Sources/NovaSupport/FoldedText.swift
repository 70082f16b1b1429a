extension String {
  /// Lower case, and Latin letters without what is on them: "Łukasz Müller" becomes "lukasz muller".
  ///
  /// The standard library has no public decomposition and Foundation's folding brings ICU with it, so this reads the
  /// letters' own names: "LATIN SMALL LETTER U WITH DIAERESIS".
  package var foldedForSearch: String {
    let lower = lowercased()
    if lower.consists(of: .visible + ASCIISet(" ")) { return lower }
    var folded = ""
    for scalar in lower.unicodeScalars where scalar.properties.canonicalCombiningClass == .notReordered {
      folded.unicodeScalars.append(scalar.withoutDiacritics)
    }
    return folded
  }
}

extension Unicode.Scalar {
  fileprivate var withoutDiacritics: Unicode.Scalar {
    let prefix = "LATIN SMALL LETTER "
    guard !isASCII, let name = properties.name, name.hasPrefix(prefix) else { return self }
    let words = name.dropFirst(prefix.count).split(separator: " ")
    guard words.count > 2, words[1] == "WITH", words[0].utf8.count == 1, let letter = words[0].utf8.first else {
      return self
    }
    return Unicode.Scalar(letter.asciiLowercased)
  }
}
