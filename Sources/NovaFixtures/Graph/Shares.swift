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
    // Dividing 128 bits is slow. An estimate is off by one at most, and then put right, so it is exact everywhere.
    var rank = Int(Double(owners) * Self.power(Double(stub) / Double(stubs), skew))
    while UInt128(rank) * whole > share { rank -= 1 }
    while UInt128(rank + 1) * whole <= share { rank += 1 }
    return rank
  }

  /// The stubs of the owner of a rank.
  func stubs(of rank: Int) -> Range<Int> { first(rank)..<first(rank + 1) }

  /// The first stub that belongs to this rank or one behind it.
  private func first(_ rank: Int) -> Int {
    guard stubs > 0 else { return 0 }
    let wanted = UInt128(rank) * whole
    func isThere(_ stub: Int) -> Bool { UInt128(owners) * Self.power(stub, skew) >= wanted }
    // An estimate, put right as above.
    var stub = min(stubs, Int(Double(stubs) * Self.root(Double(rank) / Double(owners), skew)))
    while stub > 0, isThere(stub - 1) { stub -= 1 }
    while stub < stubs, !isThere(stub) { stub += 1 }
    return stub
  }

  @inline(__always)
  private static func power(_ share: Double, _ skew: Skew) -> Double {
    switch skew {
    case .none: share
    case .mild: share * share
    case .strong: share * share * share
    }
  }

  @inline(__always)
  private static func root(_ share: Double, _ skew: Skew) -> Double {
    switch skew {
    case .none: share
    case .mild: share.squareRoot()
    case .strong: cubeRoot(share)
    }
  }

  /// Halley's method, from a third of the exponent on.
  @inline(__always)
  private static func cubeRoot(_ number: Double) -> Double {
    guard number > 0 else { return 0 }
    var root = Double(bitPattern: number.bitPattern / 3 + 0x2A9F_7893_0000_0000)
    for _ in 0..<3 {
      let cube = root * root * root
      root *= (cube + 2 * number) / (2 * cube + number)
    }
    return root
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
