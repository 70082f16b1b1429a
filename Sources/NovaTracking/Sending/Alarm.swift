import NovaCore

/// Waits for a time or a ring, whichever comes first. One task waits at a time.
final class Alarm: Sendable {
  private struct State {
    var hasRung = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Ends the wait, or the next one.
  func ring() {
    let waiter = state.withLock { state in
      let waiter = state.waiter
      state.waiter = nil
      state.hasRung = waiter == nil
      return waiter
    }
    waiter?.resume()
  }

  /// Returns at the deadline, after a ring, or when the task is cancelled.
  func wait(until deadline: ContinuousClock.Instant?, _ clock: any CallClock) async {
    let timer = deadline.map { deadline in
      Task {
        try await clock.sleep(until: deadline, tolerance: nil)
        ring()
      }
    }
    defer { timer?.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if !state.hasRung { state.waiter = continuation }
          defer { state.hasRung = false }
          return state.hasRung
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }
}
