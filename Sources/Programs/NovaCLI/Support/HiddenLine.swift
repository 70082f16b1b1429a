import NovaCore
import NovaLibc

/// A line that is read key by key, and not shown.
enum HiddenLine {
  /// Prompts for a line on the terminal, and reads it; nil at the end of the input.
  ///
  /// - Throws: ``Interrupted`` for Ctrl-C and for signals, after which the terminal is as it was.
  static func ask(_ prompt: String) throws -> [UInt8]? {
    Interruption.begin()
    Interruption.beginPrompt()
    defer { Interruption.endPrompt() }
    try TerminalEcho.turnOff()
    defer { TerminalEcho.restore() }
    try show(prompt)
    return try read { try key(prompt) }
  }

  private static func show(_ prompt: String) throws(SystemError) {
    try SystemIO.write(Array(prompt.utf8), to: System.standardError)
  }

  /// Waits for the next key; nil at the end of the input.
  private static func key(_ prompt: String) throws -> UInt8? {
    while true {
      var mustStop = false
      var isShown = false
      let isReady = try System.waitForInput(System.standardInput) {
        mustStop = Interruption.takeStop()
        // A shell that stops a program changes its terminal, and what is typed after it continues would be shown.
        isShown = TerminalEcho.isShownAgain
        return Interruption.happened || mustStop || isShown
      }
      if isReady { return try SystemIO.read(System.standardInput, atMost: 1).first }
      if Interruption.happened { throw Interrupted() }
      if mustStop {
        // As Ctrl-Z does, with the terminal as it was, until the program is continued.
        TerminalEcho.restore()
        Interruption.stop()
      }
      try TerminalEcho.turnOff()
      try show("\n\(prompt)")
    }
  }

  /// Reads a line; nil at the end of the input, even after a part of a line: that was not confirmed with Return.
  ///
  /// - Parameter signal: sends the signal of a key.
  static func read(
    signal: (Int32) -> Void = { kill($0 == SIGTSTP ? 0 : getpid(), $0) }, _ next: () throws -> UInt8?
  ) throws -> [UInt8]? {
    var line: [UInt8] = []
    while let byte = try next() {
      switch byte {
      case 3: throw Interrupted()
      case 4:
        // In a line, Ctrl-D ends nothing, as on every terminal.
        if line.isEmpty { return nil }
      case 26:
        // To all programs of a pipeline, as terminals do.
        signal(SIGTSTP)
      case 28: signal(SIGQUIT)
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return line
      case 8, 127: eraseCharacter(&line)
      case 21: line = []
      case 23: eraseWord(&line)
      default: line.append(byte)
      }
    }
    return nil
  }

  /// Removes the last word, and the spaces after it.
  private static func eraseWord(_ line: inout [UInt8]) {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    while let last = line.last, isSpace(last) { line.removeLast() }
    while let last = line.last, !isSpace(last) { line.removeLast() }
  }

  /// Removes the last UTF-8 character.
  private static func eraseCharacter(_ line: inout [UInt8]) {
    while let last = line.popLast(), last & 0xC0 == 0x80 {}
  }
}

/// Whether the terminal shows what is typed. It must do so again when the program ends.
enum TerminalEcho {
  /// The terminal as it was; nil while nothing is changed.
  private static let saved = Locked<termios?>(nil)
  private static let flags = tcflag_t(ECHO | ICANON | ISIG)

  /// Does not show what is typed, and leaves its keys, Ctrl-C among them, to the program.
  static func turnOff() throws(SystemError) {
    var current = termios()
    guard tcgetattr(System.standardInput, &current) == 0 else { throw .last }
    let before = current
    saved.withLock { $0 = $0 ?? before }
    current.c_lflag &= ~flags
    // Drops what was typed before the prompt.
    guard tcsetattr(System.standardInput, TCSAFLUSH, &current) == 0 else { throw .last }
  }

  /// Whether something has turned it on again. False in the background, where the terminal is another program's.
  static var isShownAgain: Bool {
    var current = termios()
    guard saved.withLock({ $0 != nil }), isForeground, tcgetattr(System.standardInput, &current) == 0 else {
      return false
    }
    return current.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Leaves the terminal as it was.
  static func restore() {
    guard var before = saved.exchange(nil), isForeground else { return }
    tcsetattr(System.standardInput, TCSAFLUSH, &before)
  }

  /// Whether the terminal is this program's to change; the system stops those in the background that try. One that is not
  /// the terminal of its session has no foreground.
  private static var isForeground: Bool {
    let group = tcgetpgrp(System.standardInput)
    return group < 0 || group == getpgrp()
  }
}
