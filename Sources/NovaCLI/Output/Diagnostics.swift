import NovaCore

/// Messages for people on standard error.
enum Diagnostics {
  private static let name = Locked("nova")

  /// The name of the program in messages.
  static var program: String {
    get { name.withLock { $0 } }
    set { name.withLock { $0 = newValue } }
  }

  private static var styles: Styles { Styles(System.standardError) }

  /// Writes a note.
  static func note(_ text: String) { write(styles.faint(text.displayed)) }

  static func warning(_ text: String) { write("\(styles.warning("\(program): warning:")) \(text.displayed)") }

  /// Writes a failure and what to do next.
  static func error(_ message: String, hint: String?) {
    var text = "\(styles.error("\(program):")) \(message.displayed)"
    if let hint { text += "\n" + hint.displayedLines.map { "      \($0)" }.joined(separator: "\n") }
    write(text)
  }

  /// Writes the text of a question; the answer follows on the same line.
  static func prompt(_ text: String) {
    StatusLine.standardError.interrupted {
      try? SystemIO.write(Array(text.displayed.utf8), to: System.standardError)
    }
  }

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
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).displayed }
  }
}
