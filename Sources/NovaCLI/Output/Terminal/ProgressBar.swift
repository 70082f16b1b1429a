import NovaContract
import NovaCore
import NovaFixtureFiles

/// A progress line on the terminal; nothing if standard error is not a terminal.
final class ProgressBar: Sendable {
  private static let cells = 24
  private static let pause = Duration.milliseconds(50)

  private let width: Int?
  private let last = Locked<ContinuousClock.Instant?>(nil)

  init(isShown: Bool) { width = isShown ? System.terminalWidth(System.standardError) : nil }

  func show(_ progress: @autoclosure () -> ProgressLine) {
    guard let width, isDue() else { return }
    // Leaves room for the terminal's echo of Ctrl-C, so that the line does not wrap.
    write("\r\(progress().text(cells: Self.cells).displayed.cut(to: max(1, width - 3)))\u{1B}[K")
  }

  /// Removes the line.
  func clear() { if width != nil { write("\r\u{1B}[K") } }

  private func isDue() -> Bool {
    let now = ContinuousClock.now
    return last.withLock { last in
      if let shown = last, shown.duration(to: now) < Self.pause { return false }
      last = now
      return true
    }
  }

  private func write(_ text: String) { try? SystemIO.write(Array(text.utf8), to: System.standardError) }
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
