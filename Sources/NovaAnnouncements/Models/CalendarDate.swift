public import NovaCore

/// A day of the calendar, without a time of day or a place: years 1 to 9999.
///
/// A day that is read as midnight somewhere is another day elsewhere; this one stays the same for everybody.
public struct CalendarDate: Sendable, Hashable {
  /// 1…9999.
  public let year: Int
  /// 1…12.
  public let month: Int
  /// 1…31.
  public let day: Int

  /// A day; nil if there is no such day.
  public init?(year: Int, month: Int, day: Int) { self.init(Self.text(year, month, day)) }

  /// Midnight UTC at which the day begins in Greenwich.
  public var startInUTC: Timestamp { Timestamp("\(description)T00:00:00Z") ?? Timestamp() }
}

extension CalendarDate: LosslessStringConvertible {
  /// Reads `2025-11-20`; nil for anything else and for days that do not exist.
  public init?(_ description: String) {
    // The reader of times knows which days there are.
    guard description.utf8.count == 10, Timestamp("\(description)T00:00:00Z") != nil else { return nil }
    let parts = description.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    (year, month, day) = (parts[0], parts[1], parts[2])
  }

  /// `2025-11-20`
  public var description: String { Self.text(year, month, day) }

  private static func text(_ year: Int, _ month: Int, _ day: Int) -> String {
    [(year, 4), (month, 2), (day, 2)].map { number, width in
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }.joined(separator: "-")
  }
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
