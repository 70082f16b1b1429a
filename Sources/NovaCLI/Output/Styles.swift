/// Text styles, with colors where they are supported.
struct Styles {
  let isColored: Bool

  /// Creates the styles of a stream: colors only on a terminal that supports them, and never with `NO_COLOR`.
  init(_ descriptor: Int32) {
    self.init(
      isTerminal: System.isTerminal(descriptor), noColor: System.variable("NO_COLOR"), terminal: System.variable("TERM")
    )
  }

  init(isTerminal: Bool, noColor: String?, terminal: String?) {
    isColored = isTerminal && (noColor ?? "").isEmpty && terminal != "dumb"
  }

  func heading(_ text: String) -> String { wrap(text, "1") }
  func error(_ text: String) -> String { wrap(text, "1;31") }
  func warning(_ text: String) -> String { wrap(text, "1;33") }
  func faint(_ text: String) -> String { wrap(text, "2") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
