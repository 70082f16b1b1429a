import Foundation
import NovaAnnouncements
import NovaCore
import Testing

@Suite struct CoordinateTests {
  @Test(arguments: [
    ("52.2297,21.0122", 52.2297, 21.0122), ("-33.9, 151.2", -33.9, 151.2), (" 0 , 0 ", 0, 0), ("90,-180", 90, -180),
    ("+5,6.", 5, 6),
  ])
  func placesAreRead(text: String, latitude: Double, longitude: Double) {
    #expect(Coordinate(text) == Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(arguments: [
    "", ",", "52", "52,", ",21", "52,21,5", "91,0", "0,181", "nan,0", "inf,0", "0x10,5", "1e1,5", "a,b", "5 2,1",
    "52;21",
  ])
  func otherTextsAreNot(_ text: String) { #expect(Coordinate(text) == nil) }

  @Test func placesComeBackFromTheirText() {
    let place = Coordinate(latitude: -12.5, longitude: 179.999)
    #expect(Coordinate(place.description) == place)
  }
}

@Suite struct CalendarDateTests {
  @Test(arguments: ["2025-11-20", "2024-02-29", "0001-01-01", "9999-12-31"])
  func daysComeBackFromTheirText(_ text: String) throws {
    let date = try #require(CalendarDate(text))
    #expect(date.description == text)
    #expect(CalendarDate(year: date.year, month: date.month, day: date.day) == date)
    #expect(date.startInUTC.description == "\(text)T00:00:00Z")
    let json = try JSONEncoder().encode([date])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([CalendarDate].self, from: json) == [date])
  }

  @Test(arguments: [
    "", "2025-11-2", "2025-11-31", "2025-13-01", "2023-02-29", "0000-01-01", "20-11-2025", "2025/11/20", "2025-11-20 ",
    "2025-11-20T00:00:00Z", "٢٠٢٥-١١-٢٠",
  ])
  func otherTextsAreNone(_ text: String) { #expect(CalendarDate(text) == nil) }

  @Test(arguments: [(2023, 2, 29), (0, 1, 1), (10_000, 1, 1), (-1, 1, 1), (2025, 13, 1), (2025, 1, 0), (2025, 1, 100)])
  func daysThatDoNotExistAreNone(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }

  @Test func daysAreInOrder() throws {
    let days = try ["2024-12-31", "2025-01-01", "2025-01-02", "2025-02-01"].map { try #require(CalendarDate($0)) }
    #expect(days.shuffled().sorted() == days)
  }
}
