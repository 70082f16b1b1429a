import NovaCore

/// What was removed while responses were on their way: they must not be stored anymore.
final class Removals: Sendable {
  private enum Part: Hashable {
    case url(HTTPURL)
    /// Everything in memory.
    case memory
  }

  private let changes = Locked(LastChanges<Part>(capacity: 1024))

  /// The current mark, to ask later what was removed after it.
  var mark: Int { changes.withLock { $0.now } }

  /// Notes that a URL was removed, or, with nil, all of them.
  func note(_ url: HTTPURL?) { changes.withLock { $0.note(url.map { .url($0) }) } }

  /// Notes that the memory was emptied.
  func noteMemory() { changes.withLock { $0.note(.memory) } }

  /// Whether a URL was not removed since `mark`.
  func isCurrent(_ url: HTTPURL, since mark: Int) -> Bool {
    changes.withLock { !$0.hasChanged(.url(url), since: mark) }
  }

  /// Whether a URL was not removed, and the memory not emptied, since `mark`.
  func isCurrentInMemory(_ url: HTTPURL, since mark: Int) -> Bool {
    changes.withLock { !$0.hasChanged(.url(url), since: mark) && !$0.hasChanged(.memory, since: mark) }
  }
}
