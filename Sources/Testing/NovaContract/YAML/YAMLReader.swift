package import NovaCore

/// Reads YAML as JSON: what people write as configuration and OpenAPI documents.
///
/// Blocks and flow collections, plain, quoted and block texts, and comments. Numbers, true, false and null are read as in
/// YAML 1.2, so `no` is a text. Anchors, aliases, tags, and complex keys are refused.
package struct YAMLReader {
  /// More levels are refused: no document of people has them.
  private static let deepest = 100

  private var lines: YAMLLines
  private var depth = 0

  /// Reads one document.
  ///
  /// - Throws: ``YAMLError`` with the line.
  package static func value(of text: String) throws(YAMLError) -> JSONValue {
    var reader = YAMLReader(lines: try YAMLLines(text))
    guard reader.lines.content() != nil else { return .null }
    let value = try reader.block(from: 0)
    if let rest = reader.lines.content() {
      throw YAMLError(line: rest.number, problem: "expected the end, found \"\(rest.text.printable(to: 40))\"")
    }
    return value
  }

  private init(lines: YAMLLines) { self.lines = lines }

  /// The value that begins on the next line, if that is indented by at least `indent`; otherwise null.
  private mutating func block(from indent: Int) throws(YAMLError) -> JSONValue {
    guard let line = lines.content(), line.indent >= indent else { return .null }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { throw YAMLError(line: line.number, problem: "more than \(Self.deepest) levels") }
    if line.isItem { return try list(at: line.indent) }
    if try YAMLKey(line) != nil { return try map(at: line.indent) }
    lines.advance()
    return try value(line.text, on: line.number, above: indent - 1)
  }

  private mutating func list(at indent: Int) throws(YAMLError) -> JSONValue {
    var items: [JSONValue] = []
    while let line = lines.content(), line.indent == indent, line.isItem {
      let rest = line.text.dropFirst()
      let spaces = rest.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      let text = String(rest.dropFirst(spaces))
      if text.isEmpty || text.hasPrefix("#") {
        lines.advance()
      } else {
        lines.replaceCurrent(indent: indent + 1 + spaces, text: text)
      }
      items.append(try block(from: indent + 1))
    }
    try requireEnd(of: "a list", at: indent)
    return .array(items)
  }

  private mutating func map(at indent: Int) throws(YAMLError) -> JSONValue {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    while let line = lines.content(), line.indent == indent, !line.isItem {
      guard let key = try YAMLKey(line) else {
        throw YAMLError(
          line: line.number, problem: "expected a name and a colon, found \"\(line.text.printable(to: 40))\"")
      }
      guard names.insert(key.name).inserted else {
        throw YAMLError(line: line.number, problem: "\"\(key.name.printable(to: 40))\" occurs twice")
      }
      lines.advance()
      members.append(.init(name: key.name, value: try value(of: key, on: line.number, at: indent)))
    }
    try requireEnd(of: "a map", at: indent)
    return .object(members)
  }

  private mutating func value(of key: YAMLKey, on number: Int, at indent: Int) throws(YAMLError) -> JSONValue {
    guard key.rest.isEmpty || key.rest.hasPrefix("#") else { return try value(key.rest, on: number, above: indent) }
    // The items of a list can be as far left as its name.
    if let next = lines.content(), next.indent == indent, next.isItem { return try list(at: indent) }
    return try block(from: indent + 1)
  }

  private mutating func requireEnd(of collection: String, at indent: Int) throws(YAMLError) {
    guard let line = lines.content(), line.indent > indent else { return }
    throw YAMLError(line: line.number, problem: "indented differently than the rest of \(collection)")
  }

  /// A value that begins within a line.
  ///
  /// - Parameter indent: further lines of the value are indented by more.
  private mutating func value(_ text: String, on number: Int, above indent: Int) throws(YAMLError) -> JSONValue {
    switch text.first {
    case "|", ">": return .string(try blockText(text, on: number, above: indent))
    case "\"", "'", "[", "{":
      var flow = YAMLFlow(text, line: number)
      while !flow.isComplete, let line = lines.current {
        lines.advance()
        flow.append(line.text)
      }
      return try flow.value()
    case "&", "*", "!", "`", "@", "%":
      throw YAMLError(line: number, problem: "anchors, aliases, and tags are not supported: \(text.printable(to: 40))")
    default:
      var plain = YAMLScalar.withoutComment(text)
      // The text goes on in lines that are indented by more.
      while let line = lines.current, !line.isEmpty, line.indent > indent {
        if try YAMLKey(line) != nil {
          throw YAMLError(line: line.number, problem: "a name inside a text; quote the text, or indent the name less")
        }
        lines.advance()
        plain += " " + YAMLScalar.withoutComment(line.text)
      }
      return YAMLScalar.plain(plain)
    }
  }

  /// A text in lines of its own, after `|` or `>`.
  private mutating func blockText(_ header: String, on number: Int, above indent: Int) throws(YAMLError) -> String {
    let style = YAMLScalar.withoutComment(header)
    guard style.dropFirst().allSatisfy({ "+-123456789".contains($0) }) else {
      throw YAMLError(line: number, problem: "expected | or > alone, found \"\(style.printable(to: 40))\"")
    }
    var left = style.compactMap(\.wholeNumberValue).first.map { max(indent, 0) + $0 }
    var texts: [String] = []
    while let line = lines.current, line.text.isEmpty || line.indent > indent {
      if left == nil, !line.text.isEmpty { left = line.indent }
      if !line.text.isEmpty, let left, line.indent < left { break }
      texts.append(String(repeating: " ", count: line.text.isEmpty ? 0 : line.indent - (left ?? 0)) + line.text)
      lines.advance()
    }
    return YAMLScalar.text(of: texts, folds: header.hasPrefix(">"), keep: style.first { $0 == "+" || $0 == "-" })
  }
}
