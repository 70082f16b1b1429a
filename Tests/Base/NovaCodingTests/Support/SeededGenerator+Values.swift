import NovaCoding
import NovaSupport

extension SeededGenerator {
  mutating func int(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// A random integer. Small values and the bounds are more likely.
  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
    switch int(below: 5) {
    case 0: T.random(in: 0...9, using: &self)
    case 1: [T.min, T.max, T.min + 1, T.max - 1, 0, 1][int(below: 6)]
    default: T(truncatingIfNeeded: next()) >> T(int(below: T.bitWidth))
    }
  }

  /// A random text with characters of every length in UTF-8, and with those that JSON escapes.
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
