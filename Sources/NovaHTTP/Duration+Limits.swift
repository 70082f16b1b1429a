extension Duration {
  /// The whole nanoseconds, clamped to 64 bits (292 years).
  package var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return whole.addingClamped(attoseconds / 1_000_000_000)
  }

  /// The duration with two or three digits for people: `12 ms`, `1.3 s`, `75 s`. Slightly less than three seconds is `3
  /// s`.
  package var formatted: String {
    let milliseconds = self / .milliseconds(1)
    if milliseconds < 9.95 { return "\(Self.tenths(milliseconds * 10)) ms" }
    if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
    if milliseconds < 9950 { return "\(Self.tenths(milliseconds / 100)) s" }
    return "\(Int(min(milliseconds / 1000, 1e15).rounded())) s"
  }

  /// Formats tenths, without a zero after the point.
  private static func tenths(_ number: Double) -> String {
    let text = String(number.rounded() / 10)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension Int64 {
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
