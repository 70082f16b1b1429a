import NovaCore
import NovaMock

/// Reports each kind of refusal once, to the person who runs the server: browsers show pages, and the people who write them,
/// no more than that a request failed.
final class RefusalNotices: Sendable {
  /// A page can cause any number of different refusals.
  private static let limit = 20

  private let reported = Locked<Set<String>>([])
  private let write: @Sendable (String) -> Void

  /// - Parameter write: called with the reason of a refusal.
  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Reports the refusal of a request from another page, or with another host; other refusals reach who can fix them.
  func note(_ failure: MockFailure) {
    guard failure.status == .permissionDenied else { return }
    let isNew = reported.withLock { $0.count < Self.limit && $0.insert(failure.message).inserted }
    if isNew { write(failure.message) }
  }
}
