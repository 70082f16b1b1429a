import NovaCore

/// What an alias stands for.
struct AliasExpansion {
  let name: String
  /// The words of its command line, with `$1` to `$9` and `$@` for arguments.
  let words: [String]

  /// - Returns: nil for a line with an open quotation mark.
  init?(_ name: String, line: String) {
    guard let words = ShellLine.words(line) else { return nil }
    (self.name, self.words) = (name, words)
  }

  /// The command line for arguments. Those without a place in it are added at the end.
  ///
  /// - Throws: ``Failure`` if there are fewer arguments than places.
  func expanded(_ arguments: [String]) throws -> [String] {
    let places = words.joined(separator: " ").places
    guard arguments.count >= places.count else {
      throw Failure(
        "missing arguments: alias \(name) requires \(places.count), got \(arguments.count)",
        hint: "It stands for `nova \(words.map(\.shellWord).joined(separator: " "))`.", .usage)
    }
    var expanded: [String] = []
    for word in words {
      // As words of their own.
      if word == "$@" {
        expanded += arguments.dropFirst(places.count)
      } else {
        expanded.append(word.replacingPlaces(with: arguments))
      }
    }
    return words.contains("$@") ? expanded : expanded + arguments.dropFirst(places.count)
  }
}

/// The words of a command line, as a shell splits them. Nothing else of a shell is interpreted.
enum ShellLine {
  /// - Returns: nil for an open quotation mark, or a backslash at the end.
  static func words(_ line: String) -> [String]? {
    var words: [String] = []
    var (word, quote, isEscaped) = (String?.none, Character?.none, false)
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if quote == nil, character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}

extension String {
  /// The numbers after dollar signs, 1 to the greatest one.
  fileprivate var places: ClosedRange<Int>.SubSequence {
    let numbers = (1...9).filter { contains("$\($0)") }
    return (1...9).prefix(numbers.last ?? 0)
  }

  fileprivate func replacingPlaces(with arguments: [String]) -> String {
    var text = ""
    var rest = self[...]
    while let dollar = rest.firstIndex(of: "$") {
      text += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      if let number = rest.first.flatMap({ Int(String($0)) }), number > 0 {
        // What an argument contains is not replaced again.
        text += arguments[number - 1]
        rest = rest.dropFirst()
      } else {
        text += "$"
      }
    }
    return text + rest
  }
}
