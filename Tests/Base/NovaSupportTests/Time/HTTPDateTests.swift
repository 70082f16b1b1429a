import NovaSupport
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Wed Nov 16 08:49:37 1994", 784_975_777),
    ("Wednesday, 16-Nov-94 08:49:37 GMT", 784_975_777), ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
    ("Tuesday, 31-Dec-69 23:59:59 GMT", 3_155_759_999),
    // The day of the week is not compared with the date.
    ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
  ])
  func readsEachForm(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "now", "784111777", "1994-11-06T08:49:37Z",
    // The current form.
    "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT",
    "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT",
    "Sun, 06  Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
    "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
    "Sot, 06 Nov 1994 08:49:37 GMT", "1st, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nom 1994 08:49:37 GMT",
    "Sun 06 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT",
    // The form of RFC 850.
    "Sun, 06-Nov-94 08:49:37 GMT", "Someday, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37", "Sunday,06-Nov-94 08:49:37 GMT", "sunday, 06-Nov-94 08:49:37 GMT",
    // The form of asctime.
    "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37  1994",
    "Sun, Nov  6 08:49:37 1994", "Sunday Nov  6 08:49:37 1994", "San Nov  6 08:49:37 1994", "Sun Nov 6  08:49:37 1994",
    "Sun Nov    08:49:37 1994", "Sun 06 Nov 08:49:37 1994", "Sün, 06 Nov 1994 08:49:37 GMT",
  ])
  func refusesEverythingElse(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }

  /// A time in all forms. The RFC 850 form has two-digit years.
  private func forms(_ seconds: Int64) -> [String] {
    let text = HTTPDate.text(seconds)
    let words = text.split(separator: " ").map(String.init)
    let (name, day, month, year, time) = (String(words[0].dropLast()), words[1], words[2], words[3], words[4])
    let paddedDay = day.hasPrefix("0") ? " \(day.dropFirst())" : day
    var forms = [text, "\(name) \(month) \(paddedDay) \(time) \(year)", "\(name) \(month) \(day) \(time) \(year)"]
    if let number = Int(year), (1970..<2070).contains(number) {
      let ends = ["Tue": "sday", "Wed": "nesday", "Thu": "rsday", "Sat": "urday"]
      forms.append("\(name)\(ends[name] ?? "day"), \(day)-\(month)-\(year.suffix(2)) \(time) GMT")
    }
    return forms
  }

  @Test func whatIsWrittenIsReadAgain() {
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799)
      for text in forms(seconds) { #expect(HTTPDate.seconds(text) == seconds, "\(text)") }
      let recent = Int64.random(in: 0..<3_155_760_000)
      for text in forms(recent) { #expect(HTTPDate.seconds(text) == recent, "\(text)") }
    }
    #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  /// If a character of a date is changed, the result is no date, or exactly the changed one.
  @Test func aChangedCharacterIsNeverIgnored() {
    let alphabet = Array("0123456789 ,-:+AGMNSTadnouv\t".utf8)
    for _ in 0..<5000 {
      for text in forms(Int64.random(in: 0..<3_155_760_000)) {
        var bytes = Array(text.utf8)
        bytes[Int.random(in: 0..<bytes.count)] = alphabet[Int.random(in: 0..<alphabet.count)]
        let changed = String(decoding: bytes, as: UTF8.self)
        guard let seconds = HTTPDate.seconds(changed), !changed.contains(":60") else { continue }
        // The name of the day may differ.
        let tails = forms(seconds).map { $0.drop { $0.isLetter } }
        #expect(tails.contains(changed.drop { $0.isLetter }), "\(changed)")
      }
    }
  }
}
