import Foundation
import NovaLibc

/// A process that gets a signal from the server that it talks to.
enum KilledProcess {
  /// Sends the signal, and returns when the process cannot do anything more.
  ///
  /// - Parameter victim: the process; nil as long as it is not known.
  static func end(with signal: Int32, _ victim: () -> Int32?) {
    var isSent = false
    for _ in 0..<10_000 {
      if let victim = victim() {
        if !isSent { kill(victim, signal) }
        isSent = true
        // Foundation reaps it. Until then it is a zombie.
        guard kill(victim, 0) == 0, !isZombie(victim) else { return }
      }
      usleep(1000)
    }
  }

  private static func isZombie(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = status.lastIndex(of: ")")
    else { return true }
    return "ZX".contains(status[end...].dropFirst(2).prefix(1))
  }
}
