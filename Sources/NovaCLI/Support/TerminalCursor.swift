import NovaCore

/// The cursor of a terminal, which must be back when the program ends, however that comes.
enum TerminalCursor {
  /// Where it is hidden.
  private static let hiddenOn = Locked<Int32?>(nil)

  static func hide(_ descriptor: Int32) {
    let isNew = hiddenOn.withLock { hidden in
      defer { hidden = descriptor }
      return hidden != descriptor
    }
    if isNew { try? SystemIO.write(Array("\u{1B}[?25l".utf8), to: descriptor) }
  }

  /// Shows it again, where it was hidden.
  static func show() {
    let descriptor = hiddenOn.withLock { hidden in
      defer { hidden = nil }
      return hidden
    }
    if let descriptor { try? SystemIO.write(Array("\u{1B}[?25h".utf8), to: descriptor) }
  }
}
