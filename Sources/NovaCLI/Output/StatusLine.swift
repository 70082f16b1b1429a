import NovaCore

/// A temporary line on the terminal that shows what the program waits for. It is not shown if standard error is not a
/// terminal, or is one that cannot redraw a line.
///
/// Write all other terminal output through ``interrupted(_:)``, so that it does not end up on the same line.
final class StatusLine: Sendable {
  /// One wait.
  struct Wait: Sendable {
    /// The reason for the wait, at the start of the line.
    var what: String
    /// Details, which may be truncated.
    var detail = ""
    var since: ContinuousClock.Instant
    /// The end of the wait, if known; the line is then a countdown that is shown at once.
    var retry: (reason: String, until: ContinuousClock.Instant)?
  }

  private struct State {
    var waits: [(id: Int, wait: Wait)] = []
    var nextID = 0
    var shown: String?
    var isTicking = false
  }

  /// Shorter waits are not shown.
  private static let patience = Duration.seconds(1)
  private static let tick = Duration.milliseconds(200)

  static let standardError = StatusLine(
    isShown: System.isTerminal(System.standardError)
      && System.variable("TERM").map { $0 != "dumb" } ?? false,
    width: { System.terminalWidth(System.standardError) ?? 80 }, styles: Styles(System.standardError)
  ) { try? SystemIO.write(Array($0.utf8), to: System.standardError) }

  let isShown: Bool
  private let width: @Sendable () -> Int
  private let styles: Styles
  private let clock: any CallClock
  private let write: @Sendable (String) -> Void
  private let state = Locked(State())

  init(
    isShown: Bool, width: @escaping @Sendable () -> Int, styles: Styles, clock: any CallClock = ContinuousClock(),
    write: @escaping @Sendable (String) -> Void
  ) {
    self.isShown = isShown
    self.width = width
    self.styles = styles
    self.clock = clock
    self.write = write
  }

  /// Begins a wait.
  ///
  /// - Returns: an identifier for ``end(_:)``.
  func begin(_ what: String, detail: String = "") -> Int {
    guard isShown else { return 0 }
    let (id, isFirst) = state.withLock { state in
      state.nextID += 1
      state.waits.append((state.nextID, Wait(what: what, detail: detail, since: clock.now)))
      defer { state.isTicking = true }
      return (state.nextID, !state.isTicking)
    }
    if isFirst { Task { await self.redraw() } }
    return id
  }

  /// Continues the wait with a pause before the next attempt.
  func pause(_ id: Int, for duration: Duration, because reason: String) {
    guard isShown else { return }
    state.withLock { state in
      guard let index = state.waits.firstIndex(where: { $0.id == id }) else { return }
      let end = clock.now.advanced(by: duration)
      state.waits[index].wait.retry = (reason, end)
      state.waits[index].wait.since = end
      draw(&state)
    }
  }

  /// Ends a wait, and removes the line after the last one.
  func end(_ id: Int) {
    guard isShown else { return }
    state.withLock { state in
      state.waits.removeAll { $0.id == id }
      draw(&state)
    }
  }

  /// Writes other output to the terminal: erases the line, and redraws it below if a wait continues.
  func interrupted<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard isShown else { return try body() }
    return try state.withLock { state throws(Failure) in
      erase(&state)
      return try body()
    }
  }

  /// Redraws the line during waits.
  private func redraw() async {
    while true {
      try? await clock.sleep(until: clock.now.advanced(by: Self.tick), tolerance: nil)
      let continues = state.withLock { state in
        draw(&state)
        state.isTicking = !state.waits.isEmpty
        return state.isTicking
      }
      guard continues else { return }
    }
  }

  private func draw(_ state: inout State) {
    let now = clock.now
    let texts = state.waits.compactMap { $0.wait.text(at: now, Self.patience) }
    guard let text = texts.last else { return erase(&state) }
    // Leaves room for the terminal's echo of Ctrl-C, so that the line does not wrap.
    let line = text.displayed.cut(to: max(1, width() - 3))
    guard line != state.shown else { return }
    state.shown = line
    write("\r\(styles.faint(line))\u{1B}[K")
  }

  private func erase(_ state: inout State) {
    guard state.shown != nil else { return }
    state.shown = nil
    write("\r\u{1B}[K")
  }
}

extension StatusLine.Wait {
  /// The text of the line; nil while the wait is too short to show.
  fileprivate func text(at now: ContinuousClock.Instant, _ patience: Duration) -> String? {
    let suffix = detail.isEmpty ? "" : " (\(detail))"
    if let retry, now < retry.until {
      let left = Int((now.duration(to: retry.until) / .seconds(1)).rounded(.up))
      return "Trying again in \(left) s: \(retry.reason)\(suffix)"
    }
    let passed = since.duration(to: now)
    guard passed >= patience else { return nil }
    return "Waiting for \(what), \(Int(passed / .seconds(1))) s\(suffix)"
  }
}
