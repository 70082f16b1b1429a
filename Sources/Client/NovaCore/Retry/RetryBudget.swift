/// How many retries all calls to a gateway together may make: a tenth of its calls, and a small reserve.
///
/// When everything fails, retrying every call multiplies the load on a backend that is down because of its load. With
/// the default budget the load grows by 10 % at most, once the reserve is used up.
///
/// One budget may serve several clients; see ``Resilience`` for those that share one by default.
public final class RetryBudget: Sendable {
  /// In thousandths of a retry, so that adding up is exact.
  private let balance: Locked<Int>
  private let deposit: Int
  private let reserve: Int

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - ratio: how many retries a call pays for, 0…1. Default 0.1.
  ///   - reserve: how many retries can be saved up, and are there at first. Default 10.
  public init(ratio: Double = 0.1, reserve: Int = 10) {
    // Not a number, it is none.
    deposit = ratio > 0 ? Int((min(ratio, 1) * 1000).rounded()) : 0
    self.reserve = min(max(reserve, 0), 1_000_000) * 1000
    balance = Locked(self.reserve)
  }

  /// A call begins.
  func earn() {
    guard deposit > 0 else { return }
    balance.withLock { $0 = min(reserve, $0 + deposit) }
  }

  /// Pays for a retry, if there is enough.
  func spend() -> Bool {
    balance.withLock { balance in
      guard balance >= 1000 else { return false }
      balance -= 1000
      return true
    }
  }
}
