import NovaCore

/// Where passwords come from.
enum Password {
  /// Much more than any password has.
  private static let limit = 4096

  /// Standard input without the line break at its end.
  static func fromStandardInput() throws -> String {
    guard let bytes = try SystemIO.readAll(System.standardInput, limit: limit) else {
      throw Failure("the password is longer than \(limit) bytes", .badData)
    }
    return try text(bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
  }

  /// What is typed on the terminal, twice, without being shown.
  static func asked() throws -> String {
    let first = try terminalLine("Password: ")
    guard try line("Again: ") == first else { throw Failure("the passwords differ", .badData) }
    return try text(first[...])
  }

  /// What is typed on the terminal, once.
  static func askedOnce() throws -> String { try text(try terminalLine("Password: ")[...]) }

  private static func terminalLine(_ prompt: String) throws -> [UInt8] {
    guard System.isTerminal(System.standardInput) else {
      throw Failure("there is no terminal to ask for the password", hint: "Give it with --password-stdin.", .usage)
    }
    return try line(prompt)
  }

  private static func line(_ prompt: String) throws -> [UInt8] {
    do {
      let line = try System.readHiddenLine(prompt)
      Diagnostics.write("")
      guard let line else { throw Failure("no password was given", .badData) }
      return line
    } catch let error as SystemError {
      throw Failure("cannot ask for the password: \(error.reason)", .failed)
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("the password is not a text in UTF-8", .badData)
    }
    return text
  }
}
