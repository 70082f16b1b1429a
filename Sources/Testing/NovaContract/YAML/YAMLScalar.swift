import NovaCore

/// Texts and numbers without quotation marks.
enum YAMLScalar {
  /// The value of a text without quotation marks, by the core schema of YAML 1.2.
  static func plain(_ text: String) -> JSONValue {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default:
      // A number that is one in JSON, too; others stay texts.
      if case .number? = try? JSONValue(jsonUTF8: Array(text.utf8)) { return .number(text) }
      return .string(text)
    }
  }

  /// The text before ` #`.
  static func withoutComment(_ text: String) -> String {
    var previous: Character = " "
    var end = text.startIndex
    for index in text.indices {
      if text[index] == "#", previous == " " || previous == "\t" { break }
      previous = text[index]
      end = text.index(after: index)
    }
    return String(text[..<end]).trimmed
  }

  /// The text of a block.
  ///
  /// - Parameters:
  ///   - folds: whether lines are joined by spaces, as after `>`.
  ///   - keep: `+` keeps the empty lines at the end, `-` also removes the last line break.
  static func text(of lines: [String], folds: Bool, keep: Character?) -> String {
    var lines = lines
    var empty = 0
    while lines.last?.isEmpty == true {
      lines.removeLast()
      empty += 1
    }
    if lines.isEmpty { return keep == "+" ? String(repeating: "\n", count: empty) : "" }
    var text = ""
    for (index, line) in lines.enumerated() {
      if index > 0 {
        let joins =
          folds && !line.isEmpty && !lines[index - 1].isEmpty && !line.hasPrefix(" ")
          && !lines[index - 1].hasPrefix(" ")
        // An empty line between two folded ones is their line break.
        let isAbsorbed = folds && !line.isEmpty && lines[index - 1].isEmpty
        text += joins ? " " : isAbsorbed ? "" : "\n"
      }
      text += line
    }
    return text + (keep == "-" ? "" : "\n") + (keep == "+" ? String(repeating: "\n", count: empty) : "")
  }
}

/// The name at the beginning of a line: `name:`, or `"name": value`.
struct YAMLKey {
  let name: String
  /// The text after the colon, without white space before it.
  let rest: String

  /// Nil if the line is no member of a map.
  init?(_ line: YAMLLines.Line) throws(YAMLError) {
    let text = line.text
    if text.hasPrefix("? ") || text.hasPrefix("<<:") {
      throw YAMLError(line: line.number, problem: "complex keys and merges are not supported")
    }
    let after: Substring
    switch text.first {
    case "\"", "'":
      var flow = YAMLFlow(text, line: line.number)
      guard flow.isComplete, let key = try flow.quotedKey() else { return nil }
      (name, after) = (key.name, key.rest)
    case "[", "{", "|", ">", "&", "*", "!", "#": return nil
    default:
      guard let colon = Self.colon(in: text) else { return nil }
      name = String(text[..<colon]).trimmed
      after = text[text.index(after: colon)...]
    }
    rest = String(after).trimmed
  }

  /// The first colon that ends a name: the one before a space, or at the end.
  private static func colon(in text: String) -> String.Index? {
    var previous: Character = "x"
    for index in text.indices {
      if text[index] == "#", previous == " " { return nil }
      if text[index] == ":" {
        let next = text.index(after: index)
        if next == text.endIndex || text[next] == " " || text[next] == "\t" { return index }
      }
      previous = text[index]
    }
    return nil
  }
}
