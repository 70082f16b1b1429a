import Dispatch
import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The program was told to stop, by Ctrl-C for example.
struct Interrupted: Error {}

/// Turns signals into the cancellation of what the program is doing.
///
/// Until ``begin(_:grace:)`` is called, signals do what they always do: a program that waits for its input ends at once.
enum Interruption {
  private struct State {
    var task: Task<Void, any Error>?
    var signals = 0
    var sources: [any DispatchSourceSignal] = []
  }

  private static let state = Locked(State())

  /// Whether a signal came.
  static var happened: Bool { state.withLock { $0.signals > 0 } }

  /// Runs the program's work as a task that signals can cancel.
  static func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await work() }
    state.withLock { $0.task = task }
    try await task.value
  }

  /// From here on the first of these signals cancels the work, and the second ends the program at once, as does work
  /// that goes on for `grace` seconds after it was cancelled.
  static func begin(_ signals: [Int32] = [SIGINT], grace: Int = 2) {
    for number in signals {
      state.withLock { $0.sources.append(source(number, grace)) }
    }
  }

  /// Returns once the signal is watched: one that came while the source was on its way would be lost.
  private static func source(_ number: Int32, _ grace: Int) -> sending any DispatchSourceSignal {
    let isWatched = DispatchSemaphore(value: 0)
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { received(grace) }
    source.setRegistrationHandler { isWatched.signal() }
    source.resume()
    isWatched.wait()
    return source
  }

  private static func received(_ grace: Int) {
    let (task, count) = state.withLock { state in
      state.signals += 1
      return (state.task, state.signals)
    }
    if count > 1 { System.exitNow(.interrupted) }
    task?.cancel()
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(grace)) { System.exitNow(.interrupted) }
  }
}
