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

  /// The rank of the owner of a stub: owners · (stub / stubs)^skew, rounded down.
  @inline(__always)
  func owner(of stub: Int) -> Int {
    // Estimated in floating point, which is quick, and put right in whole numbers, which are exact.
    let part = Double(stub) / Double(stubs)
    var rank = min(owners - 1, Int(Double(owners) * Self.power(part, skew)))
    let share = UInt128(owners) * Self.power(stub, skew)
    while share < UInt128(rank) * whole { rank -= 1 }
    while share >= UInt128(rank + 1) * whole { rank += 1 }
    return rank
  }

  /// The stubs of the owner of a rank.
  func stubs(of rank: Int) -> Range<Int> { first(rank)..<first(rank + 1) }

  /// The first stub that belongs to this rank or one behind it.
  private func first(_ rank: Int) -> Int {
    guard stubs > 0 else { return 0 }
    let wanted = UInt128(rank) * whole
    var stub = estimate(rank)
    while stub > 0, UInt128(owners) * Self.power(stub - 1, skew) >= wanted { stub -= 1 }
    while UInt128(owners) * Self.power(stub, skew) < wanted { stub += 1 }
    return stub
  }

  /// About the first stub of a rank: halved in floating point, without a library's roots, which differ.
  private func estimate(_ rank: Int) -> Int {
    let wanted = Double(rank) / Double(owners)
    var (low, high) = (0.0, 1.0)
    // To within a stub, of which there are at most 2³¹.
    for _ in 0..<33 {
      let middle = (low + high) / 2
      if Self.power(middle, skew) < wanted { low = middle } else { high = middle }
    }
    return min(stubs, Int(high * Double(stubs)))
  }

  @inline(__always)
  private static func power(_ number: Double, _ skew: Skew) -> Double {
    switch skew {
    case .none: number
    case .mild: number * number
    case .strong: number * number * number
    }
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
