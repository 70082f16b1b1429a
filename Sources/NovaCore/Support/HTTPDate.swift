/// The times of HTTP headers (RFC 9110, 5.6.7), to and from Unix seconds.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// Reads each of the three forms that HTTP has known; nil for anything else.
  ///
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`
  package static func seconds(_ text: String) -> Int64? {
    if let seconds = current(text) { return seconds }
    guard text.utf8.count <= 40 else { return nil }
    let isAsctime = !text.contains(",")
    var words = text.split(separator: " ").map(String.init)
    if words.count == 4 {
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      words.replaceSubrange(1...1, with: date)
    }
    guard words.count == (isAsctime ? 5 : 6), isAsctime || words[5] == "GMT" else { return nil }
    let (day, month, year, time) =
      isAsctime ? (words[2], words[1], words[4], words[3]) : (words[1], words[2], words[3], words[4])
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
    guard let month = months.firstIndex(of: month), let day = number(day[...], digits: 1...2),
      let year = fullYear(year), clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (1...CivilDate.daysInMonth(month + 1, year: year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return Int64(CivilDate.toDays(year: year, month: month + 1, day: day)) * 86_400
      + Int64(hour * 3600 + minute * 60 + second)
  }

  /// The first form, which is nearly every response's `Date`, byte by byte; nil for what needs a closer look.
  private static func current(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes -> Int64? in
      func number(_ range: Range<Int>) -> Int? {
        var value = 0
        for byte in bytes[range] {
          guard byte.isASCIIDigit else { return nil }
          value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
      }
      guard bytes.count == 29, zip([3, 4, 7, 11, 16, 19, 22, 25], ",    :: ".utf8).allSatisfy({ bytes[$0] == $1 }),
        bytes[26...].elementsEqual("GMT".utf8),
        let month = months.firstIndex(where: { $0.utf8.elementsEqual(bytes[8..<11]) }),
        let day = number(5..<7), let year = number(12..<16), let hour = number(17..<19), let minute = number(20..<22),
        let second = number(23..<25),
        (1...CivilDate.daysInMonth(month + 1, year: year)).contains(day), hour < 24, minute < 60, second <= 60
      else { return nil }
      return Int64(CivilDate.toDays(year: year, month: month + 1, day: day)) * 86_400
        + Int64(hour * 3600 + minute * 60 + second)
    }
  }

  /// The form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ seconds: Int64) -> String {
    let time = Int((seconds % 86_400 + 86_400) % 86_400)
    let day = Int((seconds - Int64(time)) / 86_400)
    let (year, month, date) = CivilDate.fromDays(day)
    let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
    return "\(days[(day % 7 + 7) % 7]), \(padded(date, 2)) \(months[month - 1]) \(padded(year, 4)) \(clock) GMT"
  }

  /// Two digits mean a year from 1970 to 2069.
  private static func fullYear(_ text: String) -> Int? {
    guard let year = number(text[...], digits: 2...4), text.utf8.count != 3 else { return nil }
    if text.utf8.count == 4 { return year }
    return year < 70 ? 2000 + year : 1900 + year
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    digits.contains(text.utf8.count) && text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
  }

  private static func padded(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
