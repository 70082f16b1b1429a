import NovaCore

/// The source of a manual page: text with macros of man(7).
struct ManualSource {
  private(set) var text: String

  init(title: String, footer: String) {
    text = ".TH \(Self.quoted(title)) 1 \"\" \(Self.quoted(footer)) \"Nova Manual\"\n.nh\n.ad l\n"
  }

  mutating func section(_ title: String) { text += ".SH \(Self.quoted(title))\n" }

  mutating func paragraphBreak() { text += ".PP\n" }

  /// Text that is filled to the width of the terminal.
  mutating func text(_ line: String) { text += Self.line(line) }

  /// A term with its text, indented below it.
  mutating func item(_ term: String, _ line: String) {
    text += ".TP\n\\fB\(Self.escaped(term))\\fR\n" + (line.isEmpty ? "\\&\n" : Self.line(line))
  }

  /// Lines as they are.
  mutating func verbatim(_ lines: [String]) {
    text += ".nf\n"
    for line in lines { text += line.isEmpty ? ".sp\n" : Self.line(line) }
    text += ".fi\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"\(escaped(text).replacingScalars { $0 == "\"" ? "\\(dq" : nil })\""
  }

  /// A line of its own, which does not begin with a macro.
  private static func line(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let escaped = escaped(String(line))
      return escaped.hasPrefix(".") || escaped.hasPrefix("\\(aq") ? "\\&\(escaped)\n" : "\(escaped)\n"
    }.joined()
  }

  /// The text in ASCII, without anything that roff interprets.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\(rs"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case _ where scalar.value < 0x20: " "
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(Self.hexadecimal(scalar.value))]"
      }
    }.joined()
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
