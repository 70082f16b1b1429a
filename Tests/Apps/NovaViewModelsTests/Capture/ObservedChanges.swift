import Observation

/// Waits for the next change of the properties that `read` reads, with `withObservationTracking`.
@MainActor final class ObservedChanges {
  private let stream: AsyncStream<Void>

  init<Value>(_ read: @MainActor () -> Value) {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    self.stream = stream
    withObservationTracking {
      _ = read()
    } onChange: {
      continuation.finish()
    }
  }

  /// Returns after a change has been announced and made. It is made as soon as the main actor is free again.
  func next() async {
    for await _ in stream {}
    await Task.yield()
  }
}
