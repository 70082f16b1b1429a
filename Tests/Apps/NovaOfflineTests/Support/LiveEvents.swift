import NovaCore
import NovaEvents
import NovaTestSupport
import Testing

/// A program's subscription, which reads all that comes.
final class LiveEvents: Sendable {
  private let subscription: EventSubscription
  private let start: String?
  private let seen: Locked<Set<String>>
  private let reading: Task<Void, Never>

  init(_ client: APIClient, topics: [EventTopic], after position: String?) {
    let (subscription, seen) = (
      EventService(client: client).subscribe(topics: topics, after: position), Locked(Set<String>())
    )
    (self.subscription, self.seen, start) = (subscription, seen, position)
    reading = Task {
      do {
        for try await update in subscription {
          if case .event(let event) = update { seen.withLock { _ = $0.insert(event.id) } }
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  func begin() async throws { try await subscription.begin() }

  /// Returns when an event was delivered, or the test's time is up.
  func wait(for id: String) async {
    while !seen.withLock({ $0.contains(id) }), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Stops to read.
  ///
  /// - Returns: where to continue.
  func end() -> String? {
    reading.cancel()
    subscription.cancel()
    // It may not have begun.
    return subscription.position ?? start
  }
}
