import NovaCore
import NovaSDK
import NovaViewModels

/// Shows a profile again whenever it changes, until the task is cancelled.
struct ProfileWatch {
  private let source: ProfileSource
  private let interval: Duration
  private let format: OutputFormat
  private let context: CommandContext
  private var screen: LiveScreen
  private var shown: ProfilePage?
  /// Why the shown page is not up to date.
  private var trouble: String?

  init(_ source: ProfileSource, every interval: Duration, as format: OutputFormat, in context: CommandContext) {
    (self.source, self.interval, self.format, self.context) = (source, interval, format, context)
    screen = LiveScreen(context.output)
  }

  /// - Throws: an error of the first load, or one that is not transient.
  mutating func run() async throws {
    defer { screen.end() }
    while true {
      do {
        try show(try await source.load())
      } catch let error as APIError where shown != nil && Self.isTransient(error) {
        try report(error.userMessage)
      }
      try await Task.sleep(for: interval)
    }
  }

  private mutating func show(_ page: ProfilePage) throws {
    let isSame = shown == page
    (shown, trouble) = (page, nil)
    guard format == .table else {
      if !isSame { try context.write(page.profile, as: .ndjson) }
      return try context.output.settle()
    }
    // Redrawn in place even if unchanged, because the size of the terminal may have changed.
    if !isSame || screen.isInPlace { try draw(page, status: "Watching every \(interval.shown). Stop with Ctrl-C.") }
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
