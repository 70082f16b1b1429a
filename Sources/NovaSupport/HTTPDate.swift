/// The times of HTTP headers (RFC 9110, 5.6.7), to and from Unix seconds.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  /// The form in use; `?` is a digit or letter.
  private static let form = "???, ?? ??? ???? ??:??:?? GMT".utf8Bytes

  /// Reads each of the three forms that HTTP has known; nil for anything else.
  ///
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`
  package static func seconds(_ text: String) -> Int64? {
    // Nearly every response's `Date` has the first form, which is read byte by byte.
    if let seconds = current(text.utf8Bytes) { return seconds }
    guard text.utf8.count <= 40 else { return nil }
    let hasComma = text.parts(between: ",", keepsEmpty: true).count > 1
    let words = text.parts(between: " ", keepsEmpty: false)
    switch (words.count, hasComma) {
    case (6, true) where words[5] == "GMT": return seconds(words[4], day: words[1], month: words[2], year: words[3])
    case (4, true) where words[3] == "GMT":
      let date = words[1].parts(between: "-", keepsEmpty: true)
      return date.count == 3 ? seconds(words[2], day: date[0], month: date[1], year: date[2]) : nil
    case (5, false): return seconds(words[3], day: words[2], month: words[1], year: words[4])
    default: return nil
    }
  }

  /// Reads the words of an older form in the order of the current one. A year of two digits is one from 1970 to 2069.
  private static func seconds(_ time: String, day: String, month: String, year: String) -> Int64? {
    let day = day.utf8.count == 1 ? "0" + day : day
    let year = year.utf8.count == 2 ? (year < "70" ? "20" : "19") + year : year
    return current("???, \(day) \(month) \(year) \(time) GMT".utf8Bytes)
  }

  @inline(never)
  private static func current(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count == form.count else { return nil }
    for place in 0..<form.count where form[place] != UInt8(ascii: "?") && bytes[place] != form[place] { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for place in range {
        guard bytes[place].isASCIIDigit else { return nil }
        value = value * 10 + Int(bytes[place] - UInt8(ascii: "0"))
      }
      return value
    }
    let name = String(decoding: bytes[8..<11], as: UTF8.self)
    guard let year = number(12..<16), let month = months.firstIndex(of: name), let day = number(5..<7),
      let hour = number(17..<19), let minute = number(20..<22), let second = number(23..<25),
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
    let clock = CivilDate.clock(time)
    return "\(days[(day % 7 + 7) % 7]), \(date.padded(to: 2)) \(months[month - 1]) \(year.padded(to: 4)) \(clock) GMT"
  }
}
