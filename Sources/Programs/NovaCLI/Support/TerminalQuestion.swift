import NovaCore

/// A question to the person at the terminal.
enum TerminalQuestion {
  /// In bytes. A terminal sends at most 4096 in a line.
  private static let limit = 4096

  /// Whether someone can read a question and answer it: standard input and standard error are terminals.
  static var canBeAsked: Bool {
    System.isTerminal(System.standardInput) && System.isTerminal(System.standardError)
  }

  /// Prompts on standard error, and reads a line from the terminal; nil at the end of the input.
  ///
  /// Discards what was typed before the prompt, so that pasted text cannot answer a question that the user has not read.
  ///
  /// - Throws: ``Interrupted`` for a signal such as Ctrl-C, or ``Failure`` if the terminal cannot be read.
  static func answer(to prompt: String) throws -> String? {
    Interruption.begin()
    System.discardInput(System.standardInput)
    Diagnostics.prompt(prompt)
    let line = try line()
    // The cursor is still on the line of the prompt.
    if line == nil { Diagnostics.write("") }
    return line.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func line() throws -> [UInt8]? {
    var line: [UInt8] = []
    while line.count < limit {
      guard try System.waitForInput(System.standardInput, unless: { Interruption.happened }) else {
        throw Interrupted()
      }
      let read = try Failure.explaining("cannot read the answer") {
        try SystemIO.read(System.standardInput, atMost: 1).first
      }
      guard let byte = read else { return line.isEmpty ? nil : line }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return line }
      line.append(byte)
    }
    return line
  }
}
