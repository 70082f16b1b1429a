public import NovaCore

/// A day of the calendar, without a time of day or a time zone: years 1 to 9999.
///
/// Unlike midnight in some time zone, it is the same day everywhere.
public struct CalendarDate: Sendable, Hashable {
  /// 1…9999.
  public let year: Int
  /// 1…12.
  public let month: Int
  /// 1…31.
  public let day: Int

  /// Creates a day; nil if it does not exist.
  public init?(year: Int, month: Int, day: Int) { self.init(CivilDate.text(year: year, month: month, day: day)) }

  /// Midnight UTC, when the day begins in Greenwich.
  public var startInUTC: Timestamp { Timestamp("\(description)T00:00:00Z") ?? Timestamp() }
}

extension CalendarDate: LosslessStringConvertible {
  /// Reads `2025-11-20`; nil for anything else and for days that do not exist.
  public init?(_ description: String) {
    // The parser of timestamps accepts only days that exist.
    guard description.utf8.count == 10, Timestamp("\(description)T00:00:00Z") != nil else { return nil }
    let parts = description.parts(between: "-", keepsEmpty: false)
    guard parts.count == 3, let year = Int(digits: parts[0][...]), let month = Int(digits: parts[1][...]),
      let day = Int(digits: parts[2][...])
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// `2025-11-20`
  public var description: String { CivilDate.text(year: year, month: month, day: day) }
}

extension CalendarDate: Comparable {
  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CalendarDate: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = CalendarDate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected a date as yyyy-MM-dd, found \"\(text.shortened(to: 40))\"")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
