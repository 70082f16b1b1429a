/// An expression of jq, parsed as far as it shows whether the expression only passes numbers on.
struct JQExpression {
  private enum Token: Equatable {
    case text(String)
    case field
    case word(String)
    case number
    case symbol(String)
  }

  /// Functions and keywords that treat a text like a number.
  private static let passing: Set<String> = [
    "and", "as", "empty", "end", "else", "elif", "false", "first", "flatten", "from_entries", "has", "if", "inputs",
    "input",
    "join", "keys", "keys_unsorted", "last", "map", "map_values", "not", "null", "or", "paths", "recurse", "reverse",
    "scalars",
    "select", "startswith", "endswith", "test", "then", "to_entries", "tostring", "true", "values", "with_entries",
    "@tsv", "@csv", "@text", "@html", "@uri", "@base64",
  ]
  private static let symbols: Set<String> = [
    ".", "..", "[", "]", "{", "}", "(", ")", "|", ",", ":", ";", "?", "//", "$",
  ]

  private var tokens: [Token] = []
  /// The integers in the expression that a floating-point number cannot hold exactly.
  private(set) var unsafeIntegers: [String] = []

  init(_ text: String) {
    var rest = text[...]
    while !rest.isEmpty { read(&rest, until: nil) }
  }

  /// Whether values only pass through the expression: it does not compute with numbers, and does not compare or sort them.
  var passesValuesOn: Bool {
    let isInObject = placesInObjects
    return tokens.indices.allSatisfy { index in
      let before = index > 0 ? tokens[index - 1] : nil
      let after = index + 1 < tokens.count ? tokens[index + 1] : nil
      switch tokens[index] {
      case .text, .field: return true
      case .number:
        return [.symbol("["), .symbol(":")].contains(before) && [.symbol("]"), .symbol(":")].contains(after)
      case .word(let word):
        let isKey =
          isInObject[index] && [.symbol("{"), .symbol(",")].contains(before)
          && [.symbol(","), .symbol(":"), .symbol("}")].contains(after)
        return Self.passing.contains(word) || isKey
      case .symbol("=="), .symbol("!="): return [before, after].contains(where: Self.isWordy)
      case .symbol(let symbol): return Self.symbols.contains(symbol)
      }
    }
  }

  /// For each token, whether it is in an object, and not in a list or in parentheses: `length` is a key in
  /// `{id, length, name}`, and a function in `[.id, length, .name]`.
  private var placesInObjects: [Bool] {
    var open: [Token] = []
    return tokens.map { token in
      switch token {
      case .symbol("{"), .symbol("["), .symbol("("): open.append(token)
      case .symbol("}"), .symbol("]"), .symbol(")"): _ = open.popLast()
      default: return open.last == .symbol("{")
      }
      return false
    }
  }

  /// Whether a token is a text that is not a number.
  private static func isWordy(_ token: Token?) -> Bool {
    guard case .text(let text)? = token else { return false }
    return Double(text) == nil
  }

  // MARK: Tokens

  /// Reads up to and including a closing parenthesis, or to the end.
  private mutating func read(_ rest: inout Substring, until end: Character?) {
    var depth = 0
    while let character = rest.first {
      if character == end, depth == 0 {
        rest.removeFirst()
        return
      }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      readToken(&rest)
    }
  }

  private mutating func readToken(_ rest: inout Substring) {
    guard let character = rest.first else { return }
    if character.isWhitespace {
      rest.removeFirst()
    } else if character == "#" {
      rest = rest.drop { !$0.isNewline }
    } else if character == "\"" {
      readText(&rest)
    } else if character == "." && rest.dropFirst().first.map(Self.isWord) == true
      && rest.dropFirst().first?.isNumber == false
    {
      rest = rest.dropFirst().drop(while: Self.isWord)
      tokens.append(.field)
    } else if character == "$" {
      rest = rest.dropFirst().drop(while: Self.isWord)
      tokens.append(.field)
    } else if character.isNumber {
      let number = rest.prefix { Self.isWord($0) || $0 == "." }
      rest = rest.dropFirst(number.count)
      tokens.append(.number)
      if Self.isUnsafe(number) { unsafeIntegers.append(String(number)) }
    } else if Self.isWord(character) || character == "@" {
      let word = rest.prefix(1) + rest.dropFirst().prefix(while: Self.isWord)
      rest = rest.dropFirst(word.count)
      tokens.append(.word(String(word)))
    } else {
      let long = ["//=", "?//", "==", "!=", "//", "..", "|=", "+=", "-=", "*=", "/=", "%=", "<=", ">="].first(
        where: rest.hasPrefix)
      let symbol = long ?? String(character)
      rest = rest.dropFirst(symbol.count)
      tokens.append(.symbol(symbol))
    }
  }

  /// Reads a text, with the expressions in it.
  private mutating func readText(_ rest: inout Substring) {
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst(), character != "\"" {
      guard character == "\\", let next = rest.popFirst() else {
        text.append(character)
        continue
      }
      if next == "(" {
        tokens += [.text(text), .symbol("(")]
        read(&rest, until: ")")
        tokens.append(.symbol(")"))
        text = ""
      } else {
        text.append(next)
      }
    }
    tokens.append(.text(text))
  }

  /// Whether a number is an integer that a floating-point number cannot hold exactly. Integers above 64 bits count, too.
  private static func isUnsafe(_ number: Substring) -> Bool {
    guard number.allSatisfy(\.isWholeNumber) else { return false }
    guard let integer = UInt64(number) else { return number.drop { $0 == "0" }.count >= 20 }
    return Double(exactly: integer) == nil
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || character == "_"
  }
}
