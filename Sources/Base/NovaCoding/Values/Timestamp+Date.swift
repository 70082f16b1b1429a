#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The seconds from 1970-01-01, the epoch of ``Timestamp``, to 2001-01-01, the reference date of `Date`.
private let referenceSeconds: Int64 = 978_307_200

extension Timestamp {
  /// Creates the timestamp of a date, rounded to the nearest nanosecond.
  ///
  /// ```swift
  /// let now = Timestamp(Date.now)
  /// ```
  /// Converting it back returns the same date, except within 97 days of 2001-01-01, where `Date` is more precise than a
  /// nanosecond.
  ///
  /// - Parameter date: a date from year 1 to year 9999; nil is returned for any other.
  public init?(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    let whole = interval.rounded(.down)
    guard let seconds = Int64(exactly: whole), Self.validSeconds.contains(seconds + referenceSeconds) else {
      return nil
    }
    let nanoseconds = Int32(((interval - whole) * 1e9).rounded())
    // The fraction may round up to the next second.
    self.init(
      seconds: seconds + referenceSeconds + (nanoseconds == 1_000_000_000 ? 1 : 0),
      nanoseconds: nanoseconds == 1_000_000_000 ? 0 : nanoseconds)
    guard isValid else { return nil }
  }
}

extension Date {
  /// Creates the date of a timestamp.
  ///
  /// ```swift
  /// if let captured = Date(something.createdAt) { print(captured) }
  /// ```
  /// Whole seconds are exact. The precision of `Date` decreases with the distance from 2001-01-01: it is 0.12 µs in
  /// 2026. The result is the nearest date.
  public init(_ timestamp: Timestamp) {
    let seconds = Double(timestamp.seconds - referenceSeconds)
    self.init(timeIntervalSinceReferenceDate: seconds + Double(timestamp.nanoseconds) / 1e9)
  }

  /// Creates the date of an optional timestamp; nil if absent.
  public init?(_ timestamp: Timestamp?) {
    guard let timestamp else { return nil }
    self.init(timestamp)
  }
}
