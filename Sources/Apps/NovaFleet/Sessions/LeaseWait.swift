internal import NovaCore

/// The waits of a machine while another one refreshes: until a notification, or for a pause. Without notifications, it is
/// short, and grows with the time waited.
struct LeaseWait {
  private let clock: any CallClock
  private let maximumPause: Duration
  private let start: ContinuousClock.Instant
  private let signal = WakeSignal()
  private let isListening = Locked(false)
  /// How many changes were announced.
  private let announced = Locked(0)
  private var listener: Task<Void, Never>?

  init(clock: any CallClock, maximumPause: Duration) {
    (self.clock, self.maximumPause) = (clock, maximumPause)
    start = clock.now
  }

  /// Waits. The first wait also begins to listen for changes; without them, the pauses are enough.
  ///
  /// - Parameter remaining: for how long the other lease is valid, by the store's clock.
  /// - Returns: whether a change was announced.
  @discardableResult
  mutating func next(remaining: Duration, changes: () -> AsyncStream<Void>) async -> Bool {
    let before = announced.withLock { $0 }
    if listener == nil {
      let (stream, signal, isListening, announced) = (changes(), signal, isListening, announced)
      listener = Task {
        // The first element says that changes arrive from now on.
        for await _ in stream {
          let isFirst = isListening.withLock { isListening in
            defer { isListening = true }
            return !isListening
          }
          if !isFirst { announced.withLock { $0 += 1 } }
          signal.wake()
        }
        isListening.withLock { $0 = false }
      }
    }
    let waited = start.duration(to: clock.now)
    let pause = isListening.withLock { $0 } ? maximumPause : max(waited / 2, .milliseconds(10))
    let longest = min(pause, maximumPause, max(remaining, .milliseconds(5)))
    // Random, so that machines that began together do not look together.
    await signal.wait(until: clock.now.advanced(by: longest * Double.random(in: 0.5...1)), clock)
    return announced.withLock { $0 } > before
  }

  func end() { listener?.cancel() }
}
