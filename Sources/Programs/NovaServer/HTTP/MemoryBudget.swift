import NovaCore

/// Limits the bytes that all connections of a server use for incoming bodies and outgoing responses.
///
/// Each connection has a small allowance of its own, so that ordinary calls succeed while the shared part is exhausted.
final class MemoryBudget: Sendable {
  /// The bytes that all connections share.
  static let defaultLimit = 128 << 20
  /// The bytes of each connection in addition, enough for the requests and responses of most calls.
  static let defaultAllowance = 64 << 10

  let limit: Int
  let allowance: Int
  private let shared = Locked(0)

  init(limit: Int = defaultLimit, allowance: Int = defaultAllowance) {
    (self.limit, self.allowance) = (limit, allowance)
  }

  /// The used bytes of the shared part.
  var heldBytes: Int { shared.withLock { $0 } }

  fileprivate func reserve(_ count: Int) -> Bool {
    shared.withLock { held in
      guard held + count <= limit else { return false }
      held += count
      return true
    }
  }

  fileprivate func release(_ count: Int) { shared.withLock { $0 -= count } }
}

/// The part of a budget that one connection uses. Confined to the connection's event loop.
final class MemoryLease {
  private let budget: MemoryBudget
  private var held = 0

  init(_ budget: MemoryBudget) { self.budget = budget }

  deinit { removeAll() }

  /// Reserves bytes; false, and nothing is reserved, if the budget is exhausted.
  func add(_ count: Int) -> Bool {
    let more = beyondAllowance(held + count) - beyondAllowance(held)
    guard more == 0 || budget.reserve(more) else { return false }
    held += count
    return true
  }

  func remove(_ count: Int) {
    let rest = max(0, held - count)
    let less = beyondAllowance(held) - beyondAllowance(rest)
    if less > 0 { budget.release(less) }
    held = rest
  }

  func removeAll() { remove(held) }

  private func beyondAllowance(_ count: Int) -> Int { max(0, count - budget.allowance) }
}
