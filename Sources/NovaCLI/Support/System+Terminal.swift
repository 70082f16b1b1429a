import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// The number of columns of a terminal; nil if it is not a terminal.
  static func terminalWidth(_ descriptor: Int32) -> Int? { terminalSize(descriptor)?.columns }

  /// Whether nobody reads a pipe any more.
  static func isReaderGone(_ descriptor: Int32) -> Bool {
    var output = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
  }

  /// The size of a terminal; nil if it is not a terminal.
  static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    guard isTerminal(descriptor) else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// Prompts for a line on the terminal, and reads it without showing it; nil at the end of the input.
  ///
  /// - Throws: ``Interrupted`` for Ctrl-C, which is read like any key, so that the terminal is restored.
  static func readHiddenLine(_ prompt: String) throws -> [UInt8]? {
    var saved = termios()
    guard tcgetattr(standardInput, &saved) == 0 else { throw SystemError.last }
    var silent = saved
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(standardInput, TCSAFLUSH, &silent) == 0 else { throw SystemError.last }
    defer { tcsetattr(standardInput, TCSAFLUSH, &saved) }
    try SystemIO.write(Array(prompt.utf8), to: standardError)
    return try HiddenLine.read { try SystemIO.read(standardInput, atMost: 1).first }
  }
}

extension System {
  /// Waits until a descriptor can be read, or is at its end.
  ///
  /// - Parameter stop: a condition, checked several times per second, that ends the wait.
  /// - Returns: false if the condition ended the wait.
  static func waitForInput(_ descriptor: Int32, unless stop: () -> Bool) throws -> Bool {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while !stop() {
      let count = poll(&input, 1, 50)
      if count > 0 { return true }
      if count < 0, errno != EINTR { throw SystemError.last }
    }
    return false
  }

  /// Discards what was typed on a terminal and not read yet.
  static func discardInput(_ descriptor: Int32) { tcflush(descriptor, TCIFLUSH) }
}

/// A line that is read key by key.
enum HiddenLine {
  /// Reads a line; nil at the end of the input.
  static func read(_ next: () throws -> UInt8?) throws -> [UInt8]? {
    var line: [UInt8] = []
    while let byte = try next() {
      switch byte {
      case 3: throw Interrupted()
      case 4 where line.isEmpty: return nil
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return line
      case 8, 127: eraseCharacter(&line)
      case 21: line = []
      default: line.append(byte)
      }
    }
    return line.isEmpty ? nil : line
  }

  /// Removes the last UTF-8 character.
  private static func eraseCharacter(_ line: inout [UInt8]) {
    while let last = line.popLast(), last & 0xC0 == 0x80 {}
  }
}

/// The cursor of a terminal, which must be visible again when the program ends.
enum TerminalCursor {
  /// The terminal on which the cursor is hidden.
  private static let hiddenOn = Locked<Int32?>(nil)

  static func hide(_ descriptor: Int32) {
    let isNew = hiddenOn.withLock { hidden in
      defer { hidden = descriptor }
      return hidden != descriptor
    }
    if isNew { try? SystemIO.write(Array("\u{1B}[?25l".utf8), to: descriptor) }
  }

  /// Shows the cursor again.
  static func show() {
    let descriptor = hiddenOn.withLock { hidden in
      defer { hidden = nil }
      return hidden
    }
    if let descriptor { try? SystemIO.write(Array("\u{1B}[?25h".utf8), to: descriptor) }
  }
}
