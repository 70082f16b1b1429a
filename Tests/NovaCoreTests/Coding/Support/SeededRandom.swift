/// SplitMix64: the same numbers for the same seed, on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// True in one of `count` cases.
  mutating func one(in count: Int) -> Bool { int(below: count) == 0 }

  mutating func int(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// An integer of which small values, the bounds and everything between come often.
  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
    switch int(below: 5) {
    case 0: T.random(in: 0...9, using: &self)
    case 1: [T.min, T.max, T.min + 1, T.max - 1, 0, 1][int(below: 6)]
    default: T(truncatingIfNeeded: next()) >> T(int(below: T.bitWidth))
    }
  }

  /// A text with characters of every length in UTF-8, and with those that JSON escapes.
  mutating func text() -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<int(below: one(in: 10) ? 60 : 12) { scalars.append(scalar()) }
    return String(scalars)
  }

  mutating func scalar() -> Unicode.Scalar {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x20...0x7E, 0x00...0x1F, 0x22...0x22, 0x5C...0x5C, 0x7F...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF,
      0x1_0000...0x10_FFFF,
    ]
    let range = ranges[int(below: ranges.count)]
    return Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? "?"
  }
}
