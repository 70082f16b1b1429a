import NovaSupport

/// Tells any number of observers that something has changed. Changes while an observer is busy are one.
struct ChangeSignal: Sendable {
  /// How many changes there were.
  private let count = LatestValue(0)

  var isObserved: Bool { count.isObserved }

  /// A stream with an element now, and one for each change from now on; over after ``end()``.
  func changes() -> AsyncStream<Int> { count.stream() }

  func send() { count.update { $0 += 1 } }

  /// Ends all streams, and those that are asked for later at once.
  func end() { count.finish() }
}
