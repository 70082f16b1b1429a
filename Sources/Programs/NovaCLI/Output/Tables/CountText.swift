/// Writes counts for people.
enum CountText {
  /// All digits, in groups: `3,021`.
  static func full(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map { String(digits[max(0, $0 - 3)..<$0]) }
    return (count < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// At most four characters and a sign, for narrow places: `3.0K`, `12K`, `4.5M`.
  static func compact(_ count: Int) -> String {
    let magnitude = count.magnitude
    guard let unit = units.first(where: { magnitude >= $0.size }) else { return String(count) }
    let sign = count < 0 ? "-" : ""
    let tenths = magnitude / (unit.size / 10)
    // Cut, not rounded: 999,999 is not a million.
    return tenths < 100 ? "\(sign)\(tenths / 10).\(tenths % 10)\(unit.name)" : "\(sign)\(tenths / 10)\(unit.name)"
  }

  private static let units: [(size: UInt, name: String)] = [
    (1_000_000_000, "B"), (1_000_000, "M"), (1000, "K"),
  ]

  /// `1 post`, `3,021 posts`, or `3.0K posts`.
  static func phrase(_ count: Int, one: String, many: String, isCompact: Bool = false) -> String {
    "\(isCompact ? compact(count) : full(count)) \(count == 1 ? one : many)"
  }
}
