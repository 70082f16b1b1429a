import NovaCore

/// What has changed for which identity, since moments that a common count tells. Keeps little for any number of identities:
/// those that it no longer knows count as changed.
struct LastChanges: Sendable {
  private var count = 0
  private var last: [Identity: Int] = [:]
  /// When those that are not in `last` may have changed.
  private var others = 0

  /// How many identities are told apart.
  private static let capacity = 1_000

  var identityCount: Int { last.count }

  /// The present moment.
  var now: Int { count }

  /// There is a change for an identity; nil for all.
  mutating func note(_ identity: Identity?) {
    count += 1
    if identity == nil || last.count >= Self.capacity { (last, others) = ([:], count) }
    if let identity { last[identity] = count }
  }

  func hasChanged(_ identity: Identity, since moment: Int) -> Bool { last[identity] ?? others > moment }
}
