import NovaCore
import NovaSDK
import NovaViewModels

/// Shows a profile again whenever it changes, until the task is cancelled.
struct ProfileWatch {
  let source: ProfileSource
  let interval: Duration
  let format: OutputFormat

  /// - Throws: an error of the first load, or one that is not transient.
  func run(_ context: CommandContext) async throws {
    var screen = LiveScreen(context.output)
    defer { screen.end() }
    var shown: ProfilePage?
    var trouble: String?
    while true {
      do {
        let page = try await source.load()
        try show(page, insteadOf: shown, after: trouble, context, &screen)
        (shown, trouble) = (page, nil)
      } catch let error as APIError where Self.isTransient(error) {
        guard let page = shown else { throw error }
        let text = error.userMessage
        if text != trouble { try tell(text, page, context, &screen) }
        trouble = text
      }
      try await Task.sleep(for: interval)
    }
  }

  private func show(
    _ page: ProfilePage, insteadOf shown: ProfilePage?, after trouble: String?, _ context: CommandContext,
    _ screen: inout LiveScreen
  ) throws {
    let isSame = shown?.profile == page.profile && shown?.posts == page.posts
    guard format == .table else {
      if !isSame { try context.write(page.profile, .ndjson) }
      return try context.output.flush()
    }
    // Redrawn in place even if unchanged, because the size of the terminal may have changed.
    guard !isSame || screen.isInPlace else { return }
    try screen.draw(try page.lines(width: screen.width), status: "Watching every \(interval.shown). Stop with Ctrl-C.")
  }

  private func tell(_ text: String, _ page: ProfilePage, _ context: CommandContext, _ screen: inout LiveScreen) throws {
    guard format == .table, screen.isInPlace else { return Diagnostics.note(text) }
    try screen.draw(try page.lines(width: screen.width), status: "Not up to date: \(text)")
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
