import NovaSupport

/// A point in time, as in `google.protobuf.Timestamp`: UTC, with nanoseconds, from year 1 to year 9999.
///
/// ```swift
/// Timestamp("2025-12-01T10:30:00.5Z")?.seconds  // 1764585000
/// ```
public struct Timestamp: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public var seconds: Int64
  /// The nanoseconds within the second, 0…999,999,999. They count forward, even before 1970.
  public var nanoseconds: Int32

  /// The seconds that ISO 8601 can express: years 1 to 9999.
  public static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Creates a timestamp. The default is the epoch.
  public init(seconds: Int64 = 0, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Whether the seconds are in ``validSeconds`` and the nanoseconds are less than a second.
  public var isValid: Bool { Self.validSeconds.contains(seconds) && (0..<1_000_000_000).contains(nanoseconds) }
}

extension Timestamp: Comparable {
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = try container.convert(try container.decode(String.self), to: "an ISO 8601 time") { Timestamp($0) }
  }

  public func encode(to encoder: any Encoder) throws {
    guard isValid else {
      throw encoder.invalid(self, expected: "a time from year 1 to 9999")
    }
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
  /// Parses ISO 8601 in the forms that backends use: `2025-12-01T10:30:00.123456Z`; with an offset (`+02:00`) or
  /// without one (UTC); with a fraction of one to nine digits or without one; with a space instead of `T`.
  public init?(_ description: String) { self.init(lenient: description) }

  /// RFC 3339 in UTC with 0, 3, 6, or 9 digits of fraction: `2025-12-01T10:30:00.500Z`.
  public var description: String {
    guard isValid else { return "Timestamp(seconds: \(seconds), nanoseconds: \(nanoseconds))" }
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let time = Int(seconds - days * 86_400)
    let (year, month, day) = CivilDate.fromDays(Int(days))
    let date = CivilDate.text(year: year, month: month, day: day)
    let clock = CivilDate.clock(time)
    return "\(date)T\(clock)\(Int(nanoseconds).fractionOfSecond)Z"
  }

  /// `yyyy-MM-dd HH:mm:ss` in UTC, without a fraction.
  package var legacyDescription: String { String(description.prefix(19)).replacing("T", with: " ") }
}

extension Int {
  /// Nanoseconds as the fraction of a second, with three, six, or nine digits; empty for zero.
  var fractionOfSecond: String {
    if self == 0 { return "" }
    if self % 1_000_000 == 0 { return "." + (self / 1_000_000).padded(to: 3) }
    if self % 1000 == 0 { return "." + (self / 1000).padded(to: 6) }
    return "." + padded(to: 9)
  }
}

extension Timestamp {
  /// Parses `yyyy-MM-dd`, then `T` or a space, `HH:mm:ss`, an optional fraction, and an optional offset. Without an
  /// offset, the time is UTC. Nil for anything else, for days and hours that do not exist, and outside the years 1 to
  /// 9999.
  init?(lenient text: String) {
    var time: Timestamp?
    text.readUTF8 { bytes in
      var parser = TimestampParser(bytes: bytes)
      time = parser.parse()
    }
    guard let time else { return nil }
    self = time
  }
}

private struct TimestampParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  mutating func parse() -> Timestamp? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      take("T") || take("t") || take(" "),
      let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
      year >= 1, (1...12).contains(month), day >= 1, day <= CivilDate.daysInMonth(month, year: year),
      hour < 24, minute < 60, second < 60,
      let nanoseconds = fraction(), let offset = offset(), position == bytes.count
    else { return nil }
    let days = CivilDate.toDays(year: year, month: month, day: day)
    let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    return time.isValid ? time : nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 else { return nil }
    position += 1
    return Int(bytes[position - 1] - UInt8(ascii: "0"))
  }

  private mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// The nanoseconds; 0 if there is no fraction, nil if it is empty or too long.
  private mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    var value: Int32 = 0
    var count = 0
    while let digit = digit() {
      count += 1
      guard count <= 9 else { return nil }
      value = value * 10 + Int32(digit)
    }
    guard count > 0 else { return nil }
    for _ in count..<9 { value *= 10 }
    return value
  }

  /// The offset in seconds east of UTC; 0 if absent.
  private mutating func offset() -> Int? {
    if position == bytes.count || take("Z") || take("z") { return 0 }
    let sign: Int
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = number(2), hours < 24 else { return nil }
    // PostgreSQL omits the minutes: `2025-12-01 10:30:00+00`.
    if position == bytes.count { return sign * hours * 3600 }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
