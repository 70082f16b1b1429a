import NovaCore
import NovaLibc

extension System {
  /// The number of columns of a terminal; nil if it is not a terminal.
  static func terminalWidth(_ descriptor: Int32) -> Int? { terminalSize(descriptor)?.columns }

  /// Whether the reader of a pipe has closed it.
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

/// The cursor of a terminal, which must be visible again when the program ends.
enum TerminalCursor {
  /// The terminal on which the cursor is hidden.
  private static let hiddenOn = Locked<Int32?>(nil)

  static func hide(_ descriptor: Int32) {
    if hiddenOn.exchange(descriptor) != descriptor { try? SystemIO.write(Array("\u{1B}[?25l".utf8), to: descriptor) }
  }

  /// Shows the cursor again.
  static func show() {
    if let descriptor = hiddenOn.exchange(nil) { try? SystemIO.write(Array("\u{1B}[?25h".utf8), to: descriptor) }
  }
}
