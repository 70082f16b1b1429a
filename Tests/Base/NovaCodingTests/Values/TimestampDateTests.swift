import Foundation
import NovaCoding
import Testing

@Suite struct TimestampDateTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00Z", 978_307_200), ("2026-11-22T02:41:54Z", 1_795_315_314),
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func wholeSecondsAreExact(text: String, seconds: Double) throws {
    let time = try #require(Timestamp(text))
    #expect(Date(time) == Date(timeIntervalSince1970: seconds))
    #expect(Timestamp(Date(time)) == time)
  }

  /// Every date in the range survives a round trip, except those that are more precise than a nanosecond.
  @Test func datesReturnFromARoundTrip() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let seconds = Double.random(in: -63_113_904_000..<252_423_993_599, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let time = try #require(Timestamp(date))
      #expect(time.isValid)
      if abs(seconds) > 8_388_608 { #expect(Date(time) == date, "\(seconds)") }
      #expect(abs(Date(time).timeIntervalSince(date)) <= 1e-9)
    }
  }

  /// Every timestamp becomes the nearest date, and survives the round trip if `Date` can represent it.
  @Test func timestampsBecomeTheNearestDate() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let time = Timestamp(
        seconds: Int64.random(in: Timestamp.validSeconds, using: &random),
        nanoseconds: Int32.random(in: 0..<1_000_000_000, using: &random))
      let date = Date(time)
      let step = date.timeIntervalSinceReferenceDate.ulp
      let back = try #require(Timestamp(date) ?? (time.seconds == Timestamp.validSeconds.upperBound ? time : nil))
      let difference = Double(back.seconds - time.seconds) + Double(back.nanoseconds - time.nanoseconds) / 1e9
      #expect(abs(difference) <= step, "\(time)")
    }
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, 1e300, -1e300, -63_113_904_000.5, 252_423_993_600, 252_423_993_599.999_99,
  ])
  func datesOutsideOfTheRangeHaveNoTimestamp(interval: Double) {
    let date = Date(timeIntervalSinceReferenceDate: interval)
    let isInside = interval < 252_423_993_600 && interval >= -63_113_904_000
    #expect((Timestamp(date) != nil) == isInside, "\(interval)")
  }

  @Test func fractionsRoundUpToTheNextSecond() {
    // Just below one second after the reference date, where dates are more precise than nanoseconds.
    let date = Date(timeIntervalSinceReferenceDate: 1.0.nextDown)
    #expect(Timestamp(date) == Timestamp(seconds: 978_307_201))
  }

  @Test func anAbsentTimeHasNoDate() {
    let (none, some): (Timestamp?, Timestamp?) = (nil, Timestamp(seconds: 1))
    #expect(Date(none) == nil)
    #expect(Date(some) == Date(timeIntervalSince1970: 1))
  }
}
