/// A distribution of items among ranked owners: the first has the most, and the numbers follow a power law. The owner of
/// an item and the items of an owner are computed instead of stored, in integer arithmetic that is the same on every
/// machine.
struct RankDistribution: Sendable {
  /// The inequality of the distribution.
  enum Skew: Int, Sendable {
    /// All owners have about the same number.
    case none = 1
    /// The first of N has √N times the average, the last half of it.
    case mild = 2
    /// The first of N has N^(2/3) times the average, the last a third of it.
    case strong = 3
  }

  let owners: Int
  let items: Int
  private let skew: Skew
  private let whole: UInt128

  init(owners: Int, items: Int, _ skew: Skew) {
    self.owners = owners
    self.items = items
    self.skew = skew
    whole = Self.power(UInt128(items), skew)
  }

  /// Returns the rank of the owner of an item: owners · (item / items)^skew.
  @inline(__always)
  func owner(of item: Int) -> Int {
    let share = UInt128(owners) * Self.power(UInt128(item), skew)
    // Dividing 128 bits is slow. The estimate is off by at most one and then corrected, so it is exact on every
    // machine.
    var rank = Int(Double(owners) * Self.power(Double(item) / Double(items), skew))
    while UInt128(rank) * whole > share { rank -= 1 }
    while UInt128(rank + 1) * whole <= share { rank += 1 }
    return rank
  }

  /// Returns the items of the owner with a rank.
  func items(of rank: Int) -> Range<Int> { first(rank)..<first(rank + 1) }

  /// Returns the first item that belongs to this rank or a later one.
  private func first(_ rank: Int) -> Int {
    guard items > 0 else { return 0 }
    let wanted = UInt128(rank) * whole
    func isThere(_ item: Int) -> Bool { UInt128(owners) * Self.power(UInt128(item), skew) >= wanted }
    // An estimate, corrected as above.
    var item = min(items, Int(Double(items) * Self.root(Double(rank) / Double(owners), skew)))
    while item > 0, isThere(item - 1) { item -= 1 }
    while item < items, !isThere(item) { item += 1 }
    return item
  }

  @inline(__always)
  private static func power<Number: Numeric>(_ number: Number, _ skew: Skew) -> Number {
    switch skew {
    case .none: number
    case .mild: number * number
    case .strong: number * number * number
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

  /// Halley's method, starting at a third of the exponent.
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
}
