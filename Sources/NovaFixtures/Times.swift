/// The time in which everything of a world happens, in Unix seconds.
enum WorldTime {
  /// 2020-01-01T00:00:00Z
  static let start: Int64 = 1_577_836_800
  /// 2025-01-01T00:00:00Z
  static let end: Int64 = 1_735_689_600
  /// Users come in the first four years, so that each has time to do something.
  static let lastArrival: Int64 = 1_704_067_200

  /// A time from `earliest` on, soon rather than late.
  static func soon(after earliest: Int64, _ draw: Draw) -> Int64 {
    earliest + Int64(draw.lowBelow(Int(max(1, end - earliest))))
  }

  /// The time of the one at `place` of `count` that happen one after the other.
  static func step(_ place: Int, of count: Int, after earliest: Int64, _ draw: Draw) -> Int64 {
    let span = Int(max(1, end - earliest))
    let (from, to) = (span * place / count, span * (place + 1) / count)
    return earliest + Int64(from + draw.below(to - from))
  }
}
