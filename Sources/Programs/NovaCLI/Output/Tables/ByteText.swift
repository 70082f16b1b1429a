/// Writes sizes for people, in decimal units: `30.0 MB` are 30,000,000 bytes.
enum ByteText {
  /// `512 B`, `12.4 kB`, `30.0 MB`, `4.2 GB`.
  static func size(_ count: Int) -> String {
    let unit = unit(of: count)
    return "\(number(count, unit)) \(unit.name)"
  }

  /// A part and its whole in the unit of the whole: `9.8/30.0 MB`.
  static func part(_ count: Int, of total: Int) -> String {
    let unit = unit(of: total)
    return "\(number(count, unit))/\(size(total))"
  }

  /// `3.1 MB/s`.
  static func rate(_ bytesPerSecond: Double) -> String {
    guard bytesPerSecond.isFinite, bytesPerSecond >= 0 else { return "0 B/s" }
    return "\(size(Int(min(bytesPerSecond, 1e18))))/s"
  }

  private typealias Unit = (size: Int, name: String)

  private static let units: [Unit] = [
    (1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB"), (1, "B"),
  ]

  private static func unit(of count: Int) -> Unit { units.first { count >= $0.size } ?? (1, "B") }

  private static func number(_ count: Int, _ unit: Unit) -> String {
    guard unit.size > 1 else { return String(count) }
    // Cut, not rounded: 29,990,000 bytes are not all 30.0 MB.
    let tenths = count / (unit.size / 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension Duration {
  /// As on a clock: `0:06`, `1:02:03`; `99:59:59` at most.
  var onClock: String {
    // The division is not exact.
    let seconds = Int(max(0, min(self / .seconds(1) - 1e-6, 359_999)).rounded(.up))
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = Self.twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(Self.twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
