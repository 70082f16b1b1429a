/// A point in time, as `google.protobuf.Timestamp` has it: UTC, to the nanosecond, from year 1 to year 9999.
///
/// ```swift
/// Timestamp("2025-12-01T10:30:00.5Z")?.seconds  // 1764585000
/// ```
public struct Timestamp: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z.
  public var seconds: Int64
  /// Nanoseconds of the second, 0…999,999,999, counted forward also before 1970.
  public var nanoseconds: Int32

  /// The seconds that have an ISO 8601 form: years 1 to 9999.
  public static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Creates a time; the default is the epoch.
  public init(seconds: Int64 = 0, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Whether the time is within ``validSeconds`` and the nanoseconds within a second.
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
    let text = try container.decode(String.self)
    guard let time = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected an ISO 8601 time, found \"\(text.shortened(to: 40))\"")
    }
    self = time
  }

  public func encode(to encoder: any Encoder) throws {
    guard isValid else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "Expected a time from year 1 to 9999"))
    }
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
  /// Reads ISO 8601 as backends send it: `2025-12-01T10:30:00.123456Z`, with an offset (`+02:00`) or without one (UTC),
  /// with a fraction of one to nine digits or without, and with a space in place of the `T`.
  public init?(_ description: String) { self.init(lenient: description) }

  /// RFC 3339 in UTC with 0, 3, 6 or 9 digits of fraction: `2025-12-01T10:30:00.500Z`.
  public var description: String {
    guard isValid else { return "Timestamp(seconds: \(seconds), nanoseconds: \(nanoseconds))" }
    let days = (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    let time = Int(seconds - days * 86_400)
    let (year, month, day) = CivilDate.fromDays(Int(days))
    let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    let clock = "\(digits(time / 3600, 2)):\(digits(time / 60 % 60, 2)):\(digits(time % 60, 2))"
    return "\(date)T\(clock)\(fraction)Z"
  }

  /// `yyyy-MM-dd HH:mm:ss` in UTC, without a fraction.
  package var legacyDescription: String { String(description.prefix(19)).replacing("T", with: " ") }

  private var fraction: String {
    let nanoseconds = Int(nanoseconds)
    if nanoseconds == 0 { return "" }
    if nanoseconds % 1_000_000 == 0 { return "." + digits(nanoseconds / 1_000_000, 3) }
    if nanoseconds % 1000 == 0 { return "." + digits(nanoseconds / 1000, 6) }
    return "." + digits(nanoseconds, 9)
  }

  private func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
