import NovaSDK

/// Shows a profile again whenever it changes, until the task is cancelled.
struct ProfileWatch {
  /// How often a page that could not be loaded is loaded again.
  private static let patience = Duration.seconds(5)

  private let source: ProfileSource
  private let format: OutputFormat
  private let context: CommandContext
  private var screen: LiveScreen
  private var shown: ProfilePage?
  /// Why the shown page is not up to date.
  private var trouble: String?
  /// Loads that have failed, and when to load again.
  private var failures: Repetition
  private var retryAt = ContinuousClock.now

  init(_ source: ProfileSource, as format: OutputFormat, in context: CommandContext) {
    (self.source, self.format, self.context) = (source, format, context)
    screen = LiveScreen(context.output)
    failures = Repetition(
      Pacing(
        Backoff(base: .seconds(1), maximum: .seconds(60)), floor: .milliseconds(500),
        ceiling: context.configuration.maximumRetryWait))
  }

  /// Loads the page at intervals.
  ///
  /// - Throws: an error of the first load, or one that is not transient.
  mutating func poll(every interval: Duration) async throws {
    defer { screen.end() }
    while true {
      _ = try await load(status: "Watching every \(interval.shown). Stop with Ctrl-C.")
      try await Task.sleep(until: max(retryAt, .now + interval))
    }
  }

  /// Loads the page when something happens to the user.
  ///
  /// - Throws: an error of the subscription or the first load, or one that is not transient.
  mutating func follow(_ user: String) async throws {
    defer { screen.end() }
    let changes = ProfileChanges(of: user, context.events)
    try await context.beginning { try await changes.begin() }
    let status = "Watching. Stop with Ctrl-C."
    var (isUpToDate, wasLive) = (false, false)
    for try await hasChanged in changes.every(Self.patience) {
      let state = context.events.state
      if state == .live { wasLive = true }
      if hasChanged || !isUpToDate {
        isUpToDate = false
        guard retryAt <= .now else { continue }
        isUpToDate = try await load(status: status)
      } else if wasLive, state != .live {
        try report("The connection was lost, and is made again.")
      } else if let shown, format == .table, screen.isInPlace {
        // The size of the terminal may have changed.
        trouble = nil
        try draw(shown, status: status)
      }
    }
    try Task.checkCancellation()
  }

  /// - Returns: whether what is shown is up to date.
  private mutating func load(status: String) async throws -> Bool {
    do {
      try show(try await source.load(), status: status)
      failures.works()
      return true
    } catch let error as APIError where shown != nil && Self.isTransient(error) {
      let wait = failures.failed(requested: error.serverWait, at: .now, random: .random(in: 0..<1))
      retryAt = .now + wait
      try report(error.userMessage + (wait > Self.patience ? " Trying again in \(wait.formatted)." : ""))
      return false
    }
  }

  private mutating func show(_ page: ProfilePage, status: String) throws {
    let isSame = shown == page
    (shown, trouble) = (page, nil)
    guard format == .table else {
      if !isSame { try context.write(page.profile, as: .ndjson) }
      return try context.output.settle()
    }
    // Redrawn in place even if unchanged, because the size of the terminal may have changed.
    if !isSame || screen.isInPlace { try draw(page, status: status) }
  }

  private mutating func report(_ trouble: String) throws {
    guard trouble != self.trouble, let shown else { return }
    self.trouble = trouble
    guard format == .table, screen.isInPlace else { return Diagnostics.note(trouble) }
    try draw(shown, status: "Not up to date: \(trouble)")
  }

  private mutating func draw(_ page: ProfilePage, status: String) throws {
    try screen.draw(try page.lines(width: screen.width, cells: context.cells), status: status)
  }

  private static func isTransient(_ error: APIError) -> Bool {
    let transient: [APIError.Code] = [.networkError, .timeout, .unavailable, .serverError, .rateLimited]
    return transient.contains(error.code)
  }
}

extension Duration {
  /// `5 s`.
  fileprivate var shown: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
