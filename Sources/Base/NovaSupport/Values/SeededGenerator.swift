/// SplitMix64: the same numbers for the same seed, on every machine and in every version.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// A number from 0 up to, but not including, `bound`. (The standard library may change how its own methods use a
  /// generator. This method must not change.)
  package mutating func next(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// The numbers 0..<count in random order.
  package mutating func permutation(_ count: Int) -> [Int] {
    var numbers = Array(0..<count)
    for index in stride(from: count - 1, to: 0, by: -1) { numbers.swapAt(index, next(below: index + 1)) }
    return numbers
  }

  /// True with a probability of one in `count`.
  package mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
