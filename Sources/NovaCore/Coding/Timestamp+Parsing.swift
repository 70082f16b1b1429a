extension Timestamp {
  /// Reads `yyyy-MM-dd`, then `T` or a space, `HH:mm:ss`, an optional fraction and an optional offset. Without an offset
  /// the time is UTC. Nil for anything else, for days and hours that do not exist, and outside years 1 to 9999.
  init?(lenient text: String) {
    var text = text
    let time = text.withUTF8 { bytes in
      var parser = TimestampParser(bytes: bytes)
      return parser.parse()
    }
    guard let time else { return nil }
    self = time
  }
}

private struct TimestampParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

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

  /// Nanoseconds; 0 without a fraction, nil for an empty or too long one.
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

  /// Seconds east of UTC; 0 without an offset.
  private mutating func offset() -> Int? {
    if position == bytes.count || take("Z") || take("z") { return 0 }
    let sign: Int
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = number(2), hours < 24 else { return nil }
    // PostgreSQL leaves out the minutes: `2025-12-01 10:30:00+00`.
    if position == bytes.count { return sign * hours * 3600 }
    _ = take(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}

/// The proleptic Gregorian calendar, after Howard Hinnant's "chrono-compatible low-level date algorithms": years are
/// counted from March, in eras of 400 years.
enum CivilDate {
  /// Days since 1970-01-01.
  static func toDays(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func fromDays(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
