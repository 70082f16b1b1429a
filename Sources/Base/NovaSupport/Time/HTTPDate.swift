/// Converts the dates of HTTP headers (RFC 9110, 5.6.7) to and from Unix seconds.
package enum HTTPDate {
  // Each name has three letters.
  private static let months = "JanFebMarAprMayJunJulAugSepOctNovDec".utf8Bytes
  private static let days = "ThuFriSatSunMonTueWed".utf8Bytes
  private static let longDays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

  // Each `?` is a digit or a letter; its position determines its meaning.
  private static let current = "???, ?? ??? ???? ??:??:?? GMT".utf8Bytes
  private static let asctime = "??? ??? ?? ??:??:?? ????".utf8Bytes
  /// The form of RFC 850, after the name of the day.
  private static let rfc850 = ", ??-???-?? ??:??:?? GMT".utf8Bytes

  /// Parses the three forms of HTTP dates, strictly by RFC 9110; nil for anything else. Does not check that the day of
  /// the week matches the date.
  ///
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`
  package static func seconds(_ text: String) -> Int64? { text.readUTF8(seconds) }

  private static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    // The three forms differ in length.
    switch bytes.count {
    case current.count:
      guard matches(bytes[...], current), place(of: bytes[..<3], in: days) != nil else { return nil }
      return seconds(
        day: number(bytes[5..<7]), month: bytes[8..<11], year: number(bytes[12..<16]), time: bytes[17..<25])
    case asctime.count:
      guard matches(bytes[...], asctime), place(of: bytes[..<3], in: days) != nil else { return nil }
      // A one-digit day is padded with a space.
      let day = bytes[8] == UInt8(ascii: " ") ? number(bytes[9..<10]) : number(bytes[8..<10])
      return seconds(day: day, month: bytes[4..<7], year: number(bytes[20..<24]), time: bytes[11..<19])
    case rfc850.count + 6...rfc850.count + 9:
      let name = bytes.count - rfc850.count
      guard matches(bytes[name...], rfc850), longDays.contains(String(decoding: bytes[..<name], as: UTF8.self)) else {
        return nil
      }
      let date = UnsafeBufferPointer(rebasing: bytes[(name + 2)...])
      // Two-digit years are from 1970 to 2069.
      let year = number(date[7..<9]).map { $0 < 70 ? 2000 + $0 : 1900 + $0 }
      return seconds(day: number(date[0..<2]), month: date[3..<6], year: year, time: date[10..<18])
    default: return nil
    }
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private static func matches(_ bytes: Bytes, _ form: [UInt8]) -> Bool {
    for index in form.indices where form[index] != UInt8(ascii: "?") {
      if form[index] != bytes[bytes.startIndex + index] { return false }
    }
    return true
  }

  /// The index of a name in a list.
  private static func place(of name: Bytes, in names: [UInt8]) -> Int? {
    let start = name.startIndex
    for place in stride(from: 0, to: names.count, by: 3)
    where names[place] == name[start] && names[place + 1] == name[start + 1] && names[place + 2] == name[start + 2] {
      return place / 3
    }
    return nil
  }

  private static func name(_ place: Int, in names: [UInt8]) -> String {
    String(decoding: names[3 * place..<3 * place + 3], as: UTF8.self)
  }

  /// The value of the digits; nil for anything else.
  private static func number(_ bytes: Bytes) -> Int? {
    var value = 0
    for byte in bytes {
      guard byte.isASCIIDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// - Parameter time: `08:49:37`. A leap second (60) counts as the first second of the next minute.
  private static func seconds(day: Int?, month: Bytes, year: Int?, time: Bytes) -> Int64? {
    let start = time.startIndex
    guard let year, let month = place(of: month, in: months), let day,
      let hour = number(time[start..<start + 2]), let minute = number(time[start + 3..<start + 5]),
      let second = number(time[start + 6..<start + 8]),
      (1...CivilDate.daysInMonth(month + 1, year: year)).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return Int64(CivilDate.toDays(year: year, month: month + 1, day: day)) * 86_400
      + Int64(hour * 3600 + minute * 60 + second)
  }

  /// The preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ seconds: Int64) -> String {
    let time = Int((seconds % 86_400 + 86_400) % 86_400)
    let day = Int((seconds - Int64(time)) / 86_400)
    let (year, month, date) = CivilDate.fromDays(day)
    let clock = CivilDate.clock(time)
    let (dayName, monthName) = (name((day % 7 + 7) % 7, in: days), name(month - 1, in: months))
    return "\(dayName), \(date.padded(to: 2)) \(monthName) \(year.padded(to: 4)) \(clock) GMT"
  }
}
