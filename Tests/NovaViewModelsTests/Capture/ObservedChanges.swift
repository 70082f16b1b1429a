import Observation

/// Tells of the next change of what `read` looks at, as `withObservationTracking` does it.
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

  /// Returns once it has changed; the change itself has been made when the main actor is free again.
  func next() async {
    for await _ in stream {}
    await Task.yield()
  }
}
