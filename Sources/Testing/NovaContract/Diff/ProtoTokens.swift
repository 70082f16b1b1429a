import NovaCore

/// The words, texts, and signs of a `.proto` file.
struct ProtoTokens {
  enum Token: Equatable {
    case word(String)
    case text(String)
    case sign(Character)
    case end
  }

  private struct Place {
    let token: Token
    let line: Int
    /// The lines of the comment right above.
    let comment: [String]
  }

  private let file: String
  private var places: [Place] = []
  private var next = 0

  init(_ text: String, file: String) throws(DescriptionError) {
    self.file = file
    var scanner = Scanner(characters: Array(text.unicodeScalars), file: file)
    while true {
      let (token, line, comment) = try scanner.token()
      places.append(Place(token: token, line: line, comment: comment))
      if token == .end { break }
    }
  }

  var peek: Token { places[next].token }
  /// The comment above the next token.
  var comment: [String] { places[next].comment }

  mutating func take() -> Token {
    let token = places[next].token
    if next < places.count - 1 { next += 1 }
    return token
  }

  /// Takes a sign or a word if it is the next token.
  mutating func takes(_ text: String) -> Bool {
    guard peek == .word(text) || text.count == 1 && peek == .sign(text.first ?? " ") else { return false }
    _ = take()
    return true
  }

  mutating func expect(_ text: String) throws(DescriptionError) {
    guard takes(text) else { throw error("expected \(text), found \(found)") }
  }

  mutating func word() throws(DescriptionError) -> String {
    guard case .word(let word) = peek else { throw error("expected a name, found \(found)") }
    _ = take()
    return word
  }

  mutating func number() throws(DescriptionError) -> Int {
    let isNegative = takes("-")
    let text = try word()
    let digits = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    guard let digits else { throw error("expected a number, found \"\(text.printable(to: 40))\"") }
    return isNegative ? -digits : digits
  }

  /// Skips a statement or a block: up to a semicolon, or the end of a pair of braces.
  mutating func skipStatement() throws(DescriptionError) {
    var depth = 0
    while true {
      switch take() {
      case .sign(";") where depth == 0: return
      case .sign("{"), .sign("["), .sign("("): depth += 1
      case .sign("}"), .sign("]"), .sign(")"):
        depth -= 1
        if depth <= 0, places[next - 1].token == .sign("}") { return }
      case .end: throw error("expected ; or }, found the end of the file")
      default: break
      }
    }
  }

  func error(_ problem: String) -> DescriptionError {
    DescriptionError(place: "\(file):\(places[next].line)", problem: problem)
  }

  private var found: String {
    switch peek {
    case .word(let word): "\"\(word.printable(to: 40))\""
    case .text(let text): "the text \"\(text.printable(to: 40))\""
    case .sign(let sign): "\(sign)".printable(to: 8)
    case .end: "the end of the file"
    }
  }
}

extension ProtoTokens {
  /// Reads token after token.
  private struct Scanner {
    let characters: [Unicode.Scalar]
    let file: String
    var position = 0
    var line = 1

    mutating func token() throws(DescriptionError) -> (Token, Int, [String]) {
      var comment: [String] = []
      var lineOfComment = 0
      while position < characters.count {
        let character = characters[position]
        if character == "\n" {
          line += 1
          position += 1
        } else if character.properties.isWhitespace || character == "\u{FEFF}" {
          position += 1
        } else if character == "/", position + 1 < characters.count,
          "/*".unicodeScalars.contains(characters[position + 1])
        {
          // A line without a comment separates comments.
          if line > lineOfComment + 1 { comment = [] }
          comment += try self.comment()
          lineOfComment = line
        } else {
          if line > lineOfComment + 1 { comment = [] }
          return (try content(), line, comment)
        }
      }
      return (.end, line, [])
    }

    private mutating func comment() throws(DescriptionError) -> [String] {
      let isBlock = characters[position + 1] == "*"
      position += 2
      var text = String.UnicodeScalarView()
      while position < characters.count {
        if isBlock, characters[position] == "*", position + 1 < characters.count, characters[position + 1] == "/" {
          position += 2
          break
        }
        if characters[position] == "\n" {
          if !isBlock { break }
          line += 1
        }
        text.append(characters[position])
        position += 1
      }
      return String(text).parts(between: "\n", keepsEmpty: true).map { line in
        let trimmed = line.trimmed
        return isBlock && trimmed.hasPrefix("*") ? trimmed.dropFirst().trimmed : trimmed
      }
    }

    private mutating func content() throws(DescriptionError) -> Token {
      let first = characters[position]
      if first == "\"" || first == "'" { return .text(try quoted(first)) }
      guard Self.isWord(first) else {
        position += 1
        return .sign(Character(first))
      }
      let start = position
      while position < characters.count, Self.isWord(characters[position]) { position += 1 }
      return .word(String(String.UnicodeScalarView(characters[start..<position])))
    }

    private mutating func quoted(_ mark: Unicode.Scalar) throws(DescriptionError) -> String {
      position += 1
      var text = String.UnicodeScalarView()
      while position < characters.count, characters[position] != "\n" {
        let character = characters[position]
        position += 1
        if character == mark { return String(text) }
        if character == "\\", position < characters.count {
          text.append(characters[position])
          position += 1
        } else {
          text.append(character)
        }
      }
      throw DescriptionError(place: "\(file):\(line)", problem: "expected \(mark) at the end of a text")
    }

    private static func isWord(_ character: Unicode.Scalar) -> Bool {
      character == "_" || character == "." || character.properties.isAlphabetic && character.isASCII
        || ("0"..."9").contains(character)
    }
  }
}
