import NovaCore

/// A temporary line on the terminal that shows what the program waits for, or lines that show its progress. Nothing is
/// shown if standard error is not a terminal, or is one that cannot redraw a line.
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
    /// What makes the lines of progress from the width.
    var progress: (id: Int, lines: @Sendable (Int) -> [String])?
    var nextID = 0
    var shown: [String] = []
    var drawnAt: ContinuousClock.Instant?
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
    let wait = Wait(what: what, detail: detail, since: clock.now)
    return start { state, id in state.waits.append((id, wait)) }
  }

  /// Shows lines of progress, which are updated several times per second. They replace the line for waits, except for the
  /// reason why something is tried again.
  ///
  /// - Returns: an identifier for ``unfollow(_:)``.
  func follow(_ lines: @escaping @Sendable (_ width: Int) -> [String]) -> Int {
    start { state, id in state.progress = (id, lines) }
  }

  /// Adds something with a new identifier, and redraws the lines from then on.
  private func start(_ add: (inout State, _ id: Int) -> Void) -> Int {
    guard isShown else { return 0 }
    let (id, isFirst) = state.withLock { state in
      state.nextID += 1
      let id = state.nextID
      add(&state, id)
      defer { state.isTicking = true }
      return (id, !state.isTicking)
    }
    if isFirst { Task { await self.redraw() } }
    return id
  }

  /// Removes the lines of progress.
  func unfollow(_ id: Int) {
    guard isShown else { return }
    state.withLock { state in
      guard state.progress?.id == id else { return }
      state.progress = nil
      draw(&state)
    }
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

  /// Redraws the lines now if they were not redrawn for a while.
  func redrawIfDue() {
    guard isShown else { return }
    state.withLock { state in
      guard state.drawnAt.map({ $0.duration(to: clock.now) >= Self.tick }) ?? true else { return }
      draw(&state)
    }
  }

  /// Redraws the line during waits.
  private func redraw() async {
    while true {
      try? await clock.sleep(until: clock.now.advanced(by: Self.tick), tolerance: nil)
      let continues = state.withLock { state in
        draw(&state)
        state.isTicking = !state.waits.isEmpty || state.progress != nil
        return state.isTicking
      }
      guard continues else { return }
    }
  }

  private func draw(_ state: inout State) {
    state.drawnAt = clock.now
    // Leaves room for the terminal's echo of Ctrl-C, so that the line does not wrap.
    let width = max(1, width() - 3)
    let lines = lines(state, width).map { ($0.text.displayed.cut(to: width), $0.isFaint) }
    guard !lines.isEmpty else { return erase(&state) }
    guard lines.map(\.0) != state.shown else { return }
    let styled = lines.map { $1 ? styles.faint($0) : $0 }
    let rest = lines.count < state.shown.count ? "\u{1B}[J" : ""
    write("\(start(over: state.shown))\(styled.joined(separator: "\u{1B}[K\n"))\u{1B}[K\(rest)")
    state.shown = lines.map(\.0)
  }

  private func lines(_ state: State, _ width: Int) -> [(text: String, isFaint: Bool)] {
    let now = clock.now
    let waits = state.waits.map(\.wait)
    guard let progress = state.progress else {
      return waits.compactMap { $0.text(at: now, Self.patience) }.suffix(1).map { ($0, true) }
    }
    let retry = waits.last { $0.isPaused(at: now) }?.text(at: now, Self.patience)
    return progress.lines(width).map { ($0, false) } + (retry.map { [($0, true)] } ?? [])
  }

  private func erase(_ state: inout State) {
    guard !state.shown.isEmpty else { return }
    write(start(over: state.shown) + (state.shown.count > 1 ? "\u{1B}[J" : "\u{1B}[K"))
    state.shown = []
  }

  /// Moves the cursor to the start of the lines.
  private func start(over lines: [String]) -> String { lines.count > 1 ? "\r\u{1B}[\(lines.count - 1)A" : "\r" }
}

extension StatusLine.Wait {
  /// Whether something is tried again later.
  fileprivate func isPaused(at now: ContinuousClock.Instant) -> Bool { retry.map { now < $0.until } ?? false }

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
