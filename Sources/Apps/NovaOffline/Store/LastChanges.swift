import NovaCore

/// When something last changed for each identity. Moments are counted, not timed. Keeps little memory for any number of
/// identities: those that were dropped count as changed.
struct LastChanges: Sendable {
  /// The present moment.
  private(set) var now = 0
  private var last: [Identity: Int] = [:]
  /// When the identities that are not in `last` may have changed.
  private var others = 0

  /// How many identities are told apart.
  private static let capacity = 1_000

  var identityCount: Int { last.count }

  /// Notes a change for an identity; nil for all.
  mutating func note(_ identity: Identity?) {
    now += 1
    if identity == nil || last.count >= Self.capacity { (last, others) = ([:], now) }
    if let identity { last[identity] = now }
  }

  func hasChanged(_ identity: Identity, since moment: Int) -> Bool { last[identity] ?? others > moment }
}
