import NovaContract
import NovaCore
import NovaFixtureFiles

/// A progress line on the terminal; nothing if standard error is not a terminal.
final class ProgressBar: Sendable {
  private let latest: Locked<(@Sendable () -> ProgressLine)?>
  private let id: Int

  init(isShown: Bool) {
    let latest = Locked<(@Sendable () -> ProgressLine)?>(nil)
    self.latest = latest
    id = isShown ? StatusLine.standardError.follow { _ in latest.withLock { $0 }.map { [$0().text()] } ?? [] } : 0
  }

  func show(_ progress: @autoclosure @escaping @Sendable () -> ProgressLine) {
    latest.withLock { $0 = progress }
    // Work that never suspends can keep the thread that redraws.
    StatusLine.standardError.redrawIfDue()
  }

  /// Removes the line.
  func clear() { StatusLine.standardError.unfollow(id) }
}

/// The progress of something, on one line.
struct ProgressLine {
  /// The fraction that is done, 0 to 1.
  let fraction: Double
  /// The text after the bar.
  let words: String

  func text(cells: Int = 24) -> String {
    let done = Int(min(1, max(0, fraction)) * Double(cells))
    return "[\(String(repeating: "#", count: done))\(String(repeating: ".", count: cells - done))] \(words)"
  }
}

extension ProgressLine {
  /// Scenarios that have ended.
  init(scenarios: Int, of total: Int) {
    fraction = Double(scenarios) / Double(max(1, total))
    words = "\(scenarios)/\(total) scenarios"
  }

  init(_ progress: ContractCheck.Progress) {
    fraction = Double(progress.rpcs) / Double(max(1, progress.total))
    words =
      "\(progress.rpcs)/\(progress.total) \(progress.requests) requests, \(progress.breaking) breaking, \(progress.rpc)"
  }

  init(_ progress: FixtureProgress) {
    fraction = progress.fraction
    words = "\(Int(progress.fraction * 100)) % \(progress.records) records, \(progress.file)"
  }
}
