/// How a number of stubs is shared out among owners, ranked: the first has the most, and the degrees fall with a power of
/// the rank. Nothing is stored: whose a stub is, and which stubs an owner has, is computed, in whole numbers, so that it
/// is the same on every machine.
struct Shares: Sendable {
  /// How unequal.
  enum Skew: Int, Sendable {
    /// Everybody has about as many.
    case none = 1
    /// The first of N has √N times the average, the last half of it.
    case mild = 2
    /// The first of N has N^(2/3) times the average, the last a third of it.
    case strong = 3
  }

  let owners: Int
  let stubs: Int
  private let skew: Skew
  private let whole: UInt128

  init(owners: Int, stubs: Int, _ skew: Skew) {
    self.owners = owners
    self.stubs = stubs
    self.skew = skew
    whole = Self.power(stubs, skew)
  }

  /// The rank of the owner of a stub: owners · (stub / stubs)^skew.
  @inline(__always)
  func owner(of stub: Int) -> Int {
    let share = UInt128(owners) * Self.power(stub, skew)
    return Int(truncatingIfNeeded: share / whole)
  }

  /// The stubs of the owner of a rank.
  func stubs(of rank: Int) -> Range<Int> { first(rank)..<first(rank + 1) }

  /// The first stub that belongs to this rank or one behind it.
  private func first(_ rank: Int) -> Int {
    guard stubs > 0 else { return 0 }
    let wanted = UInt128(rank) * whole
    var (low, high) = (0, stubs)
    while low < high {
      let middle = (low + high) / 2
      if UInt128(owners) * Self.power(middle, skew) >= wanted { high = middle } else { low = middle + 1 }
    }
    return low
  }

  @inline(__always)
  private static func power(_ number: Int, _ skew: Skew) -> UInt128 {
    let base = UInt128(number)
    return switch skew {
    case .none: base
    case .mild: base * base
    case .strong: base * base * base
    }
  }
}
