/// The times of HTTP headers (RFC 9110, 5.6.7), to and from Unix seconds.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  /// The form in use; `?` is a digit or letter.
  private static let form = Array("???, ?? ??? ???? ??:??:?? GMT".utf8)

  /// Reads each of the three forms that HTTP has known; nil for anything else.
  ///
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`
  package static func seconds(_ text: String) -> Int64? {
    // Nearly every response's `Date` has the first form, which is read byte by byte.
    if let seconds = current(Array(text.utf8)) { return seconds }
    guard text.utf8.count <= 40 else { return nil }
    let isAsctime = !text.contains(",")
    var words = text.split(separator: " ").map(String.init)
    if words.count == 4 {
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      words = [words[0]] + date + words[2...]
    }
    guard words.count == (isAsctime ? 5 : 6), isAsctime || words[5] == "GMT" else { return nil }
    let (day, month, year, time) =
      isAsctime ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard day.utf8.count <= 2, clock.count == 3, clock[0].utf8.count == 2, clock[1].utf8.count == 2,
      clock[2].utf8.count == 2
    else { return nil }
    return seconds(
      year: fullYear(year), month: month, day: Int(digits: day[...]), hour: Int(digits: clock[0][...]),
      minute: Int(digits: clock[1][...]), second: Int(digits: clock[2][...]))
  }

  private static func current(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count == form.count else { return nil }
    for (byte, expected) in zip(bytes, form) where expected != UInt8(ascii: "?") && byte != expected { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte.isASCIIDigit else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    return seconds(
      year: number(12..<16), month: String(decoding: bytes[8..<11], as: UTF8.self), day: number(5..<7),
      hour: number(17..<19), minute: number(20..<22), second: number(23..<25))
  }

  private static func seconds(
    year: Int?, month: String, day: Int?, hour: Int?, minute: Int?, second: Int?
  ) -> Int64? {
    guard let year, let month = months.firstIndex(of: month), let day, let hour, let minute, let second,
      (1...CivilDate.daysInMonth(month + 1, year: year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return Int64(CivilDate.toDays(year: year, month: month + 1, day: day)) * 86_400
      + Int64(hour * 3600 + minute * 60 + second)
  }

  /// The form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ seconds: Int64) -> String {
    let time = Int((seconds % 86_400 + 86_400) % 86_400)
    let day = Int((seconds - Int64(time)) / 86_400)
    let (year, month, date) = CivilDate.fromDays(day)
    let clock = "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
    return "\(days[(day % 7 + 7) % 7]), \(padded(date, 2)) \(months[month - 1]) \(padded(year, 4)) \(clock) GMT"
  }

  /// Two digits mean a year from 1970 to 2069.
  private static func fullYear(_ text: String) -> Int? {
    guard let year = Int(digits: text[...]) else { return nil }
    switch text.utf8.count {
    case 2: return year < 70 ? 2000 + year : 1900 + year
    case 4: return year
    default: return nil
    }
  }

  @inline(never)
  private static func padded(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
