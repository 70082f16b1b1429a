import Foundation
import Testing

@testable import NovaSupport

@Suite struct CivilDateTests {
  @Test func daysAndDatesAreInverse() {
    for days in stride(from: -719_162, through: 2_932_896, by: 17) {
      let (year, month, day) = CivilDate.fromDays(days)
      #expect(CivilDate.toDays(year: year, month: month, day: day) == days)
      #expect((1...12).contains(month) && day >= 1 && day <= CivilDate.daysInMonth(month, year: year))
    }
  }

  @Test func datesAreThoseOfFoundation() throws {
    // Foundation uses the Julian calendar before October 1582; the proleptic Gregorian calendar does not.
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
    var random = SeededGenerator(seed: 8)
    for _ in 0..<2000 {
      let days = Int.random(in: -140_000...2_932_896, using: &random)
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86_400))
      let (year, month, day) = CivilDate.fromDays(days)
      #expect([year, month, day] == [parts.year, parts.month, parts.day], "day \(days)")
    }
  }

  @Test(arguments: [
    (1600, 29), (1700, 28), (1800, 28), (1900, 28), (2000, 29), (2023, 28), (2024, 29), (2100, 28), (2200, 28),
    (2400, 29),
  ])
  func leapYears(_ year: Int, _ days: Int) { #expect(CivilDate.daysInMonth(2, year: year) == days) }
}
