import NovaCore

/// Reads passwords.
enum Password {
  /// In bytes.
  private static let limit = 4096

  /// Reads standard input, without a byte order mark and the line break at its end.
  static func fromStandardInput() throws -> String {
    let bytes = try Failure.explaining("cannot read the password: standard input") {
      try SystemIO.readAll(System.standardInput, limit: limit)
    }
    guard let bytes else { throw Failure("invalid password: longer than \(limit) bytes", .badData) }
    guard let text = InputText.text(of: bytes) else { throw notUTF8 }
    return text
  }

  /// Prompts twice on the terminal.
  static func asked() throws -> String {
    let first = try terminalLine("Password: ")
    // By their bytes: a server compares nothing else.
    guard try line("Again: ").utf8.elementsEqual(first.utf8) else {
      throw Failure("invalid password: the two inputs differ", .badData)
    }
    return first
  }

  /// Prompts once on the terminal.
  static func askedOnce() throws -> String { try terminalLine("Password: ") }

  private static func terminalLine(_ prompt: String) throws -> String {
    guard System.isTerminal(System.standardInput) else {
      throw Failure(
        "cannot ask for the password: standard input is not a terminal", hint: "Use --password-stdin.", .usage)
    }
    return try line(prompt)
  }

  /// Reads a line, without the byte order mark that a pasted text can begin with.
  private static func line(_ prompt: String) throws -> String {
    let line = try Failure.explaining("cannot ask for the password") { try HiddenLine.ask(prompt) }
    Diagnostics.write("")
    guard let line else {
      throw Failure(
        "missing password: the input ended before Return", hint: "Type the password, or use --password-stdin.",
        .badData)
    }
    guard let text = InputText.text(of: line) else { throw notUTF8 }
    return text
  }

  private static let notUTF8 = Failure("invalid password: not UTF-8", .badData)
}
