import NovaCore

/// A value in JSON's style: a quoted text, or a list or a map in brackets, which can have several lines.
struct YAMLFlow {
  private var characters: [Character]
  private let line: Int
  private var position = 0
  private var depth = 0
  // How far the end was looked for, and what is open there.
  private var scanned = 0
  private var quote: Character?
  private var open = 0
  /// Whether all quotation marks and brackets are closed.
  private(set) var isComplete = false

  init(_ text: String, line: Int) {
    characters = Array(text)
    self.line = line
    scan()
  }

  /// Adds the next line.
  mutating func append(_ line: String) {
    characters += [line.isEmpty ? "\n" : " "] + Array(line)
    scan()
  }

  /// Looks for the end of the value in what was added.
  private mutating func scan() {
    while !isComplete, scanned < characters.count {
      let character = characters[scanned]
      if let mark = quote {
        if mark == "\"", character == "\\" {
          scanned += 1
        } else if character == mark {
          quote = nil
          isComplete = open == 0
        }
      } else {
        switch character {
        case "\"", "'": if scanned == 0 || Self.opens.contains(characters[scanned - 1]) { quote = character }
        case "[", "{": open += 1
        case "]", "}":
          open -= 1
          isComplete = open <= 0
        default: break
        }
      }
      scanned += 1
    }
  }

  /// What can be before a quotation mark.
  private static let opens: Set<Character> = [" ", "[", "{", ",", ":", "\n"]

  /// The value, after which only a comment can follow.
  mutating func value() throws(YAMLError) -> JSONValue {
    let value = try element()
    skipSpace()
    guard position == characters.count || characters[position] == "#" else {
      throw error(
        "expected the end of the value, found \"\(String(characters[position...].prefix(40)).printable(to: 40))\"")
    }
    return value
  }

  /// A quoted name with the text after its colon; nil if no colon follows.
  mutating func quotedKey() throws(YAMLError) -> (name: String, rest: Substring)? {
    let name = try quoted()
    skipSpace()
    guard position < characters.count, characters[position] == ":" else { return nil }
    return (name, Substring(String(characters[(position + 1)...])))
  }

  private func error(_ problem: String) -> YAMLError { YAMLError(line: line, problem: problem) }

  private var peek: Character? { position < characters.count ? characters[position] : nil }

  private mutating func skipSpace() {
    while let character = peek, character == " " || character == "\t" || character == "\n" { position += 1 }
  }

  private mutating func element() throws(YAMLError) -> JSONValue {
    skipSpace()
    depth += 1
    defer { depth -= 1 }
    if depth > 100 { throw error("more than 100 levels") }
    switch peek {
    case "[": return try list()
    case "{": return try map()
    case "\"", "'": return .string(try quoted())
    case "&", "*", "!": throw error("anchors, aliases, and tags are not supported")
    default: return YAMLScalar.plain(plain())
    }
  }

  private mutating func list() throws(YAMLError) -> JSONValue {
    position += 1
    var items: [JSONValue] = []
    while true {
      skipSpace()
      if peek == "]" { break }
      items.append(try element())
      try separator(before: "]")
    }
    position += 1
    return .array(items)
  }

  private mutating func map() throws(YAMLError) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    while true {
      skipSpace()
      if peek == "}" { break }
      let name = peek == "\"" || peek == "'" ? try quoted() : plain()
      skipSpace()
      var value = JSONValue.null
      if peek == ":" {
        position += 1
        value = try element()
      }
      if members.contains(where: { $0.name == name }) { throw error("\"\(name.printable(to: 40))\" occurs twice") }
      members.append(.init(name: name, value: value))
      try separator(before: "}")
    }
    position += 1
    return .object(members)
  }

  private mutating func separator(before end: Character) throws(YAMLError) {
    skipSpace()
    if peek == "," {
      position += 1
    } else if peek != end {
      throw error("expected a comma or \(end)")
    }
  }

  /// A text without quotation marks, up to a separator.
  private mutating func plain() -> String {
    let start = position
    while let character = peek {
      let next = position + 1 < characters.count ? characters[position + 1] : " "
      if ",[]{}".contains(character) || character == ":" && " ,[]{}\n".contains(next) { break }
      position += 1
    }
    return String(characters[start..<position]).trimmed
  }

  private mutating func quoted() throws(YAMLError) -> String {
    let mark = characters[position]
    position += 1
    var text = ""
    while let character = peek {
      position += 1
      if character == mark {
        guard mark == "'", peek == "'" else { return text }
        position += 1
        text.append("'")
      } else if mark == "\"", character == "\\" {
        text += try escape()
      } else {
        text.append(character)
      }
    }
    throw error("expected \(mark) at the end of a text")
  }

  private mutating func escape() throws(YAMLError) -> String {
    guard let character = peek else { throw error("expected a character after \\") }
    position += 1
    if let plain = Self.escapes[character] { return plain }
    guard let length = Self.codeLengths[character], position + length <= characters.count,
      var code = UInt32(String(characters[position..<position + length]), radix: 16)
    else { throw error("invalid escape \\\(String(character).printable(to: 4))") }
    position += length
    // Half of a character, as JSON writes it; the other half follows.
    if (0xD800..<0xDC00).contains(code), position + 6 <= characters.count, characters[position] == "\\",
      let low = UInt32(String(characters[(position + 2)..<(position + 6)]), radix: 16), (0xDC00..<0xE000).contains(low)
    {
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      position += 6
    }
    guard let scalar = Unicode.Scalar(code) else { throw error("invalid escape \\\(character)") }
    return String(scalar)
  }

  private static let codeLengths: [Character: Int] = ["x": 2, "u": 4, "U": 8]
  private static let escapes: [Character: String] = [
    "0": "\0", "a": "\u{7}", "b": "\u{8}", "t": "\t", "n": "\n", "v": "\u{B}", "f": "\u{C}", "r": "\r", "e": "\u{1B}",
    " ": " ", "\"": "\"", "/": "/", "\\": "\\", "N": "\u{85}", "_": "\u{A0}", "L": "\u{2028}", "P": "\u{2029}",
  ]
}
