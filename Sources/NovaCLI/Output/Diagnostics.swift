import NovaCore

/// What a person should know and a script should not read: standard error.
enum Diagnostics {
  private static var styles: Styles { Styles(System.standardError) }

  /// A remark.
  static func note(_ text: String) { write(styles.faint(text.displayed)) }

  static func warning(_ text: String) { write("\(styles.warning("nova: warning:")) \(text.displayed)") }

  /// A failure and what to do next.
  static func error(_ message: String, hint: String?) {
    var text = "\(styles.error("nova:")) \(message.displayed)"
    if let hint { text += "\n" + hint.displayedLines.map { "      \($0)" }.joined(separator: "\n") }
    write(text)
  }

  /// A line without any prefix.
  static func write(_ line: String) {
    // There is nobody left to tell when standard error cannot be written.
    StatusLine.standardError.interrupted {
      try? SystemIO.write(Array("\(line)\n".utf8), to: System.standardError)
    }
  }
}

extension String {
  /// The text with control characters, ANSI escapes and invisible marks spelt out, on one line.
  var displayed: String { printable(to: .max) }

  /// The same line by line.
  var displayedLines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).displayed }
  }
}
