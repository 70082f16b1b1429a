import NovaCore

/// Messages for people on standard error.
enum Diagnostics {
  private static let name = Locked("nova")

  /// The name of the program in messages.
  static var program: String {
    get { name.withLock { $0 } }
    set { name.withLock { $0 = newValue } }
  }

  /// Whether notes and confirmations are left out.
  private static let quiet = Locked(false)

  static var isQuiet: Bool {
    get { quiet.withLock { $0 } }
    set { quiet.withLock { $0 = newValue } }
  }

  private static var styles: Styles { Styles(System.standardError) }

  /// The width of the terminal; nil elsewhere, where texts are not wrapped.
  private static var width: Int? { System.terminalWidth(System.standardError) }
  /// The indent of what belongs to the first line.
  private static let indent = 6

  /// Writes a note about what a command wrote.
  static func note(_ text: String) { if !isQuiet { write(wrapped(text, indent: 2).map(styles.faint)) } }

  /// Writes what a command did, as its only output.
  static func confirmation(_ text: String) { if !isQuiet { write(wrapped(text, indent: 2)) } }

  static func warning(_ text: String) {
    write(labelled("\(program): warning:", text, style: styles.warning))
  }

  /// Writes a failure and what to do next.
  static func error(_ message: String, hint: String?) {
    write(labelled("\(program):", message, style: styles.error) + (hint.map(indented) ?? []))
  }

  /// Writes the lines of a usage error: what is wrong, then help and usage.
  static func usage(_ lines: [String]) {
    guard let first = lines.first else { return }
    write(labelled("\(program):", first, style: styles.error) + lines.dropFirst().flatMap(usageLines))
  }

  /// Writes the text of a question; the answer follows on the same line.
  static func prompt(_ text: String) {
    // The space before the answer, and some columns for it.
    let words = text.displayed.split(separator: " ").joined(separator: " ")
    let lines = words.wrapped(to: width.map { $0 - 4 }, after: "", indent: 2)
    StatusLine.standardError.interrupted {
      try? SystemIO.write(Array((lines.joined(separator: "\n") + " ").utf8), to: System.standardError)
    }
  }

  private static func wrapped(_ text: String, indent: Int) -> [String] {
    text.displayed.wrapped(to: width, after: "", indent: indent)
  }

  private static func labelled(_ label: String, _ text: String, style: (String) -> String) -> [String] {
    var lines = text.displayed.wrapped(to: width, after: "\(label) ", indent: indent)
    lines[0] = style(label) + lines[0].dropFirst(label.count)
    return lines
  }

  private static func indented(_ text: String) -> [String] {
    let start = String(repeating: " ", count: indent)
    return text.displayedLines.flatMap { line in
      // A command on its own line is left to the terminal to wrap, so that it can be copied.
      line.hasPrefix("  ") ? [start + line] : line.wrapped(to: width, after: start, indent: indent)
    }
  }

  /// The lines of the parser, which begin with a label or spaces.
  private static func usageLines(_ line: String) -> [String] {
    let label = ["Usage: ", "Help:  ", "       ", "  "].first { line.hasPrefix($0) } ?? ""
    let rest = String(line.dropFirst(label.count))
    guard label == "Usage: " || label == "       " else {
      return rest.displayed.wrapped(to: width, after: label, indent: label.count)
    }
    return rest.displayed.wrappedSynopsis(to: width ?? .max, label: label)
  }

  private static func write(_ lines: [String]) { write(lines.joined(separator: "\n")) }

  /// Writes a line without a prefix.
  static func write(_ line: String) {
    // Failures of standard error cannot be reported.
    StatusLine.standardError.interrupted {
      try? SystemIO.write(Array("\(line)\n".utf8), to: System.standardError)
    }
  }
}

extension String {
  /// The text on one line, with control characters, ANSI escapes and invisible marks escaped.
  var displayed: String { printable(to: .max) }

  /// The same line by line.
  var displayedLines: [String] {
    split(atEach: "\n").map(\.displayed)
  }
}
