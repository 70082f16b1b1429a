/// The number of retries that all calls to a gateway may make together: a tenth of the calls, and a small reserve.
///
/// If every call to an overloaded backend is retried, its load multiplies. With the default budget, the load grows by 10 %
/// at most once the reserve is used up.
///
/// Several clients can share a budget; see ``Resilience`` for those that do by default.
public final class RetryBudget: Sendable {
  /// In thousandths of a retry, so that sums are exact.
  private let balance: Locked<Int>
  private let deposit: Int
  private let reserve: Int

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - ratio: the part of a retry that each call adds, 0…1. Default 0.1.
  ///   - reserve: the maximum and initial number of retries. Default 10.
  public init(ratio: Double = 0.1, reserve: Int = 10) {
    // NaN counts as 0.
    deposit = ratio > 0 ? Int((min(ratio, 1) * 1000).rounded()) : 0
    self.reserve = min(max(reserve, 0), 1_000_000) * 1000
    balance = Locked(self.reserve)
  }

  /// Adds a call's share of a retry.
  func earn() {
    guard deposit > 0 else { return }
    balance.withLock { $0 = min(reserve, $0 + deposit) }
  }

  /// Takes one retry. Returns false if less than one is left.
  func spend() -> Bool {
    balance.withLock { balance in
      guard balance >= 1000 else { return false }
      balance -= 1000
      return true
    }
  }
}
