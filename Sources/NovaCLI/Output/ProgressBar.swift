import NovaContract
import NovaCore

/// A line on the terminal that tells how far a check is; nothing where standard error is no terminal.
final class ProgressBar: Sendable {
  private static let cells = 24
  private static let pause = Duration.milliseconds(50)

  private let width: Int?
  private let last = Locked<ContinuousClock.Instant?>(nil)

  init(isShown: Bool) { width = isShown ? System.terminalWidth(System.standardError) : nil }

  func show(_ progress: ContractCheck.Progress) {
    guard let width, isDue() else { return }
    write("\r\(Self.line(progress).cut(to: width - 1))\u{1B}[K")
  }

  /// Takes the line away again.
  func clear() { if width != nil { write("\r\u{1B}[K") } }

  static func line(_ progress: ContractCheck.Progress) -> String {
    let done = min(cells, cells * progress.rpcs / max(1, progress.total))
    let bar = String(repeating: "#", count: done) + String(repeating: ".", count: cells - done)
    return "[\(bar)] \(progress.rpcs)/\(progress.total) \(progress.requests) requests, \(progress.breaking) breaking, "
      + progress.rpc
  }

  private func isDue() -> Bool {
    let now = ContinuousClock.now
    return last.withLock { last in
      if let shown = last, shown.duration(to: now) < Self.pause { return false }
      last = now
      return true
    }
  }

  private func write(_ text: String) { try? System.write(text.utf8, to: System.standardError) }
}
