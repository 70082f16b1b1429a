import NovaCoding
import NovaSupport
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0), ("1970-01-01t00:00:00z", 0, 0), ("1970-01-01 00:00:00", 0, 0),
    ("1970-01-01T00:00:00", 0, 0), ("1970-01-01 00:00:00Z", 0, 0), ("1969-12-31T23:59:59Z", -1, 0),
    ("1969-12-31T23:59:59.5Z", -1, 500_000_000), ("2025-12-01T10:30:00Z", 1_764_585_000, 0),
    ("2025-12-01 10:30:00", 1_764_585_000, 0), ("2025-12-01T12:30:00+02:00", 1_764_585_000, 0),
    ("2025-12-01T12:30:00+0200", 1_764_585_000, 0), ("2025-12-01 12:30:00+02", 1_764_585_000, 0),
    ("2025-12-01 10:30:00+00", 1_764_585_000, 0), ("2025-12-01 10:30:00.25-00", 1_764_585_000, 250_000_000),
    ("2025-12-01T05:00:00-05:30", 1_764_585_000, 0), ("2025-12-02T10:29:00+23:59", 1_764_585_000, 0),
    ("2025-11-30T10:31:00-23:59", 1_764_585_000, 0), ("2025-12-01T10:30:00-00:00", 1_764_585_000, 0),
    ("2025-12-01T10:30:00.1Z", 1_764_585_000, 100_000_000), ("2025-12-01T10:30:00.12Z", 1_764_585_000, 120_000_000),
    ("2025-12-01T10:30:00.123Z", 1_764_585_000, 123_000_000), ("2025-12-01T10:30:00.1234Z", 1_764_585_000, 123_400_000),
    ("2025-12-01T10:30:00.12345", 1_764_585_000, 123_450_000),
    ("2025-12-01T10:30:00.123456", 1_764_585_000, 123_456_000),
    ("2025-12-01 10:30:00.1234567", 1_764_585_000, 123_456_700), ("2025-12-01T10:30:00.00000001Z", 1_764_585_000, 10),
    ("2025-12-01T12:30:00.123456789+02:00", 1_764_585_000, 123_456_789), ("2000-02-29T00:00:00Z", 951_782_400, 0),
    ("2024-02-29T23:59:59Z", 1_709_251_199, 0), ("1900-02-28T00:00:00Z", -2_203_977_600, 0),
    ("2038-01-19T03:14:08Z", 2_147_483_648, 0), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
    ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999), ("0001-01-01T01:00:00+01:00", -62_135_596_800, 0),
    ("9999-12-31T22:59:59-01:00", 253_402_300_799, 0),
  ])
  func timesAreRead(text: String, seconds: Int, nanoseconds: Int) {
    let expected = Timestamp(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds))
    #expect(Timestamp(text) == expected)
    #expect(accepted(Scalars.self, "{\"occurred\":\"\(text)\"}")?.occurred == expected)
    #expect(accepted(Scalars.self, "{\"created_at\":\"\(text)\"}")?.createdAt == Int64(seconds))
  }

  @Test(arguments: [
    "", " ", "T", "Z", "2025", "2025-12", "2025-12-01", "2025-12-01T", "2025-12-01T10", "2025-12-01T10:30",
    "2025-12-01T10:30Z", "2025-12-01T10:30:0", "2025-12-01T10:30:000Z", "20251201T103000Z", "2025-12-01_10:30:00",
    "2025-12-01  10:30:00", " 2025-12-01T10:30:00Z", "2025-12-01T10:30:00Z ", "2025-12-01T10:30:00ZZ",
    "2025-12-01T10:30:00 Z", "2025-12-01T10:30:00.", "2025-12-01T10:30:00.Z", "2025-12-01T10:30:00.1234567891Z",
    "2025-12-01T10:30:00,5Z", "2025-12-01T10:30:00.-5Z", "2025-12-01T10:30:00+", "2025-12-01T10:30:00+1",
    "2025-12-01T10:30:00+2:00", "2025-12-01T10:30:00+02:0", "2025-12-01T10:30:00+02:", "2025-12-01T10:30:00+020",
    "2025-12-01T10:30:00+24:00", "2025-12-01T10:30:00+02:60", "2025-12-01T10:30:00+02:00Z", "2025-12-01T10:30:00UTC",
    "2025-12-01T10:30:00 +02:00", "2025-12-01T10:30:00+02:00:00",
    // Days, hours, and years that do not exist.
    "2025-00-01T00:00:00Z", "2025-13-01T00:00:00Z", "2025-01-00T00:00:00Z", "2025-01-32T00:00:00Z",
    "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
    "2025-04-31T00:00:00Z", "2025-06-31T00:00:00Z", "2025-09-31T00:00:00Z", "2025-11-31T00:00:00Z",
    "2025-12-01T24:00:00Z", "2025-12-01T23:60:00Z", "2025-12-01T23:59:60Z", "2025-12-01T99:99:99Z",
    "0000-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "+2025-01-01T00:00:00Z", "02025-01-01T00:00:00Z",
    "２０２５-12-01T10:30:00Z", "2025-12-01T10:30:00Z\\u0000", "today", "1764585000",
  ])
  func whatIsNoTimeIsRefused(_ text: String) {
    #expect(Timestamp(text) == nil)
    #expect(accepted(Scalars.self, "{\"occurred\":\"\(text)\"}") == nil)
    if Int(text) == nil { #expect(accepted(Scalars.self, "{\"created_at\":\"\(text)\"}") == nil) }
  }

  @Test(arguments: [
    (Timestamp(), "1970-01-01T00:00:00Z"), (Timestamp(seconds: -1), "1969-12-31T23:59:59Z"),
    (Timestamp(seconds: -1, nanoseconds: 500_000_000), "1969-12-31T23:59:59.500Z"),
    (Timestamp(seconds: 0, nanoseconds: 1), "1970-01-01T00:00:00.000000001Z"),
    (Timestamp(seconds: 0, nanoseconds: 1000), "1970-01-01T00:00:00.000001Z"),
    (Timestamp(seconds: 0, nanoseconds: 1_000_000), "1970-01-01T00:00:00.001Z"),
    (Timestamp(seconds: 0, nanoseconds: 120_000_000), "1970-01-01T00:00:00.120Z"),
    (Timestamp(seconds: Timestamp.validSeconds.lowerBound), "0001-01-01T00:00:00Z"),
    (Timestamp(seconds: Timestamp.validSeconds.upperBound, nanoseconds: 999_999_999), "9999-12-31T23:59:59.999999999Z"),
  ])
  func timesAreWritten(_ time: Timestamp, _ text: String) throws {
    #expect(time.description == text)
    #expect(try Repeated(times: [time]).json(.request) == "{\"times\":[\"\(text)\"]}")
  }

  @Test(arguments: [
    Timestamp(seconds: .min), Timestamp(seconds: .max), Timestamp(seconds: Timestamp.validSeconds.lowerBound - 1),
    Timestamp(seconds: Timestamp.validSeconds.upperBound + 1), Timestamp(nanoseconds: -1),
    Timestamp(nanoseconds: 1_000_000_000), Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max),
  ])
  func timesBeyondTheRangeAreNotWritten(_ time: Timestamp) throws {
    let error = try #require(throws: ProtoJSONError.self) { try Scalars(occurred: time).jsonUTF8() }
    #expect(error.path == "occurred")
    #expect(error.expected == "a time from year 1 to 9999")
    #expect(Timestamp(time.description) == nil)
  }

  @Test func randomTimesSurvive() {
    var source = RandomSource(random: SeededGenerator(seed: 6))
    for _ in 0..<10_000 {
      let time = TimestampCodec.random(from: &source)
      #expect(Timestamp(time.description) == time, "\(time)")
    }
  }

  @Test func orderIsTheOrderOfTimeAndOfText() {
    var source = RandomSource(random: SeededGenerator(seed: 7))
    let times = (0..<500).map { _ in TimestampCodec.random(from: &source) }.sorted()
    for (one, next) in zip(times, times.dropFirst()) {
      #expect(one.description.prefix(19) <= next.description.prefix(19), "\(one) before \(next)")
    }
  }

  @Test(arguments: [
    ("0", 0), ("-5", -5), ("1764585000", 1_764_585_000), ("\"1764585000\"", 1_764_585_000),
    ("1.764585e9", 1_764_585_000),
    ("null", 0),
  ])
  func unixSecondsAreReadAsTheyAre(_ value: String, _ seconds: Int) {
    #expect(accepted(Scalars.self, "{\"created_at\":\(value)}")?.createdAt == Int64(seconds))
    let optional = accepted(Optionals.self, "{\"deletedAt\":\(value)}")
    #expect(optional?.deletedAt == (value == "null" ? nil : Int64(seconds)))
  }
}
