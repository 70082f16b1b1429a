import NovaCore

/// The number of bytes that all connections of a server use: incoming bodies and outgoing responses.
///
/// Each connection has a small allowance of its own, so that ordinary calls succeed while others use up the shared
/// part.
final class MemoryBudget: Sendable {
  /// What all connections share, in bytes.
  static let defaultLimit = 128 << 20
  /// What each connection holds besides, in bytes. Requests and answers of most calls fit.
  static let defaultAllowance = 64 << 10

  let limit: Int
  let allowance: Int
  private let shared = Locked(0)

  init(limit: Int = defaultLimit, allowance: Int = defaultAllowance) {
    (self.limit, self.allowance) = (limit, allowance)
  }

  /// What is held of the shared part.
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

/// What one connection holds of a budget. It belongs to the connection's event loop.
final class MemoryLease {
  private let budget: MemoryBudget
  private var held = 0

  init(_ budget: MemoryBudget) { self.budget = budget }

  deinit { removeAll() }

  /// False if the budget is exhausted; nothing is then reserved.
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
