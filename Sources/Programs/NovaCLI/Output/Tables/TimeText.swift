import ArgumentParser
import NovaCore

/// How times are shown.
enum TimeStyle: String, ExpressibleByArgument, CaseIterable {
  /// ISO 8601 in UTC: `2024-09-02T22:19:51Z`.
  case iso
  /// Seconds since 1970-01-01T00:00:00Z.
  case unix
  /// `3 hours ago`.
  case relative
}

/// Writes times for people and scripts: the one place that decides how a time looks.
struct TimeText: Sendable {
  let style: TimeStyle
  /// Now, in seconds since 1970-01-01T00:00:00Z.
  private let now: Int64

  init(_ style: TimeStyle, clock: some CallClock = ContinuousClock()) {
    self.style = style
    now = Int64(clock.unixTime)
  }

  /// The default: relative on a terminal, ISO 8601 elsewhere.
  static func standard(onTerminal isTerminal: Bool) -> TimeText { TimeText(isTerminal ? .relative : .iso) }

  /// A time in the style.
  func text(_ time: Timestamp) -> String {
    switch style {
    case .iso: time.isValid ? Timestamp(seconds: time.seconds).description : String(time.seconds)
    case .unix: String(time.seconds)
    case .relative: relative(time.seconds)
    }
  }

  /// The day of a time, which for people also has its distance: `2024-01-01 (2 years ago)`.
  func day(_ time: Timestamp) -> String {
    let isDay = style != .unix && time.isValid
    guard isDay else { return text(time) }
    let day = String(time.description.prefix(10))
    return style == .relative ? "\(day) (\(relative(time.seconds)))" : day
  }

  private func relative(_ seconds: Int64) -> String {
    let (distance, overflow) = now.subtractingReportingOverflow(seconds)
    guard !overflow, distance != .min else { return String(seconds) }
    let passed = abs(distance)
    guard passed >= 10 else { return "just now" }
    let unit = Self.units.last { passed >= $0.seconds } ?? Self.units[0]
    let count = passed / unit.seconds
    let text = "\(count) \(unit.name)\(count == 1 ? "" : "s")"
    return distance > 0 ? "\(text) ago" : "in \(text)"
  }

  private static let units: [(seconds: Int64, name: String)] = [
    (1, "second"), (60, "minute"), (3600, "hour"), (86_400, "day"), (7 * 86_400, "week"), (30 * 86_400, "month"),
    (365 * 86_400, "year"),
  ]
}
