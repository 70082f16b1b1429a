import Dispatch
import Foundation

/// Ctrl-C, and SIGTERM of service managers.
enum Interruption {
  /// Runs `body`, and cancels its task when a signal arrives.
  ///
  /// - Throws: `CancellationError` if it was cancelled, whatever `body` throws then.
  static func cancelling<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await body() }
    let sources = [SIGINT, SIGTERM].map { number in
      // Otherwise the signal ends the program before the task can.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      // From here on, a second Ctrl-C ends the program at once.
      for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    do {
      return try await task.value
    } catch {
      throw task.isCancelled ? CancellationError() : error
    }
  }
}
