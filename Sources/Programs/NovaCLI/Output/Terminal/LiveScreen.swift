/// A line of the screen, without colors, which have no width.
struct ScreenLine: Hashable {
  let text: String
  var isHeading = false

  init(_ text: String, isHeading: Bool = false) {
    self.text = text
    self.isHeading = isHeading
  }

  func styled(_ styles: Styles) -> String { isHeading ? styles.heading(text) : text }
}

/// Lines that are redrawn in place on a terminal, and otherwise written again below.
struct LiveScreen {
  private let output: StandardOutput
  /// Whether lines are redrawn in place.
  let isInPlace: Bool
  /// The number of lines on the screen.
  private var height = 0
  private var isFirst = true

  init(_ output: StandardOutput) {
    self.output = output
    isInPlace = System.isTerminal(output.descriptor) && System.variable("TERM") != "dumb"
  }

  /// The maximum width of lines; nil for any.
  var width: Int? { System.terminalWidth(output.descriptor) }

  /// Shows lines, and below them, on a terminal only, the status.
  mutating func draw(_ lines: [ScreenLine], status: String) throws {
    guard isInPlace, let size = System.terminalSize(output.descriptor) else {
      if !isFirst { try output.writeLine("") }
      isFirst = false
      for line in lines { try output.writeLine(line.styled(output.styles)) }
      return try output.flush()
    }
    TerminalCursor.hide(output.descriptor)
    let frame = Self.frame(
      lines, status: status, over: height, rows: size.rows, columns: size.columns, styles: output.styles)
    height = frame.height
    try output.write(frame.text)
    try output.flush()
  }

  /// Shows the cursor again, and leaves the last lines on the screen.
  func end() { TerminalCursor.show() }

  /// The text that redraws lines over earlier ones. It never scrolls: lines that do not fit are left out.
  static func frame(
    _ lines: [ScreenLine], status: String, over height: Int, rows: Int, columns: Int, styles: Styles
  ) -> (text: String, height: Int) {
    // The status, an empty line above it, and the cursor's line below.
    let room = max(1, rows - 3)
    var shown = lines
    if lines.count > room { shown = lines.prefix(room - 1) + [ScreenLine("…")] }
    let width = max(1, columns - 1)
    var drawn = shown.map { ScreenLine($0.text.cut(to: width), isHeading: $0.isHeading).styled(styles) }
    drawn += ["", styles.faint(status.displayed.cut(to: width))]
    let up = height > 0 ? "\u{1B}[\(min(height, rows - 1))A" : ""
    let text = "\r\(up)" + drawn.map { "\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J"
    return (text, drawn.count)
  }
}
