import Foundation

/// Standard error: notes for people, apart from the result.
enum Terminal {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Writes a text as it is. A note that cannot be written is not worth a failure.
  static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

  /// Writes a line.
  static func note(_ text: String) { write("top-followers: \(text)\n") }
}

/// A line that shows how far the work is, on a terminal only.
struct ProgressLine {
  func show(_ done: Int, of total: Int) {
    if Terminal.isTerminal { Terminal.write("\r\u{1B}[K\(done) of \(total) followers") }
  }

  func clear() {
    if Terminal.isTerminal { Terminal.write("\r\u{1B}[K") }
  }
}
