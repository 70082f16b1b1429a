/// The time span of a world in Unix seconds.
enum WorldTime {
  /// 2020-01-01T00:00:00Z
  static let start: Int64 = 1_577_836_800
  /// 2025-01-01T00:00:00Z
  static let end: Int64 = 1_735_689_600
  /// Users join in the first four years, so that each has time for activity.
  static let lastArrival: Int64 = 1_704_067_200

  /// Returns a time after `earliest`; early times are more frequent.
  static func soon(after earliest: Int64, _ draw: Draw) -> Int64 {
    earliest + Int64(draw.lowBelow(Int(max(1, end - earliest))))
  }

  /// Returns the time of one of `count` successive events.
  static func step(_ place: Int, of count: Int, after earliest: Int64, _ draw: Draw) -> Int64 {
    let span = Int(max(1, end - earliest))
    let (from, to) = (span * place / count, span * (place + 1) / count)
    return earliest + Int64(from + draw.below(to - from))
  }
}
