import NovaCore
import NovaTesting
import Testing

@testable import NovaCLI

/// Times and counts, for people and scripts.
@Suite struct ValueTextTests {
  private static let now: Int64 = 1_764_585_000

  private func text(_ style: TimeStyle, _ seconds: Int64) -> String {
    TimeText(style, clock: ManualClock(unixTime: Double(Self.now))).text(Timestamp(seconds: seconds))
  }

  private static let distances: [(Int64, String)] = [
    (0, "just now"), (9, "just now"), (-9, "just now"), (10, "10 seconds ago"), (59, "59 seconds ago"),
    (60, "1 minute ago"),
    (119, "1 minute ago"), (3599, "59 minutes ago"), (3600, "1 hour ago"), (3 * 3600, "3 hours ago"),
    (86_399, "23 hours ago"), (86_400, "1 day ago"), (6 * 86_400, "6 days ago"), (7 * 86_400, "1 week ago"),
    (29 * 86_400, "4 weeks ago"), (30 * 86_400, "1 month ago"), (364 * 86_400, "12 months ago"),
    (365 * 86_400, "1 year ago"), (-3600, "in 1 hour"), (-2 * 86_400, "in 2 days"),
  ]

  @Test(arguments: distances)
  func relativeTimesAreDistances(_ ago: Int64, _ expected: String) {
    #expect(text(.relative, Self.now - ago) == expected)
  }

  @Test(arguments: [Int64.min, .max, 0, 1, -62_135_596_801, 253_402_300_800]) func everyTimeHasAText(_ seconds: Int64) {
    for style in TimeStyle.allCases { #expect(!text(style, seconds).isEmpty) }
    #expect(text(.unix, seconds) == String(seconds))
  }

  @Test func timesForScriptsAreUTC() {
    #expect(text(.iso, Self.now) == "2025-12-01T10:30:00Z")
    #expect(text(.unix, Self.now) == "1764585000")
    let field = FieldDescriptor("created_at", json: "createdAt", number: 1, kind: .timestamp)
    let cells = CellText(isTerminal: false)
    #expect(cells.text(.string("2025-12-01T10:30:00.5Z"), field) == "2025-12-01T10:30:00Z")
    #expect(cells.text(.string("soon"), field) == "soon")
  }

  @Test func daysOfCards() {
    let clock = ManualClock(unixTime: Double(Self.now))
    let day = Timestamp(seconds: Self.now - 400 * 86_400)
    #expect(TimeText(.relative, clock: clock).day(day) == "2024-10-27 (1 year ago)")
    #expect(TimeText(.iso, clock: clock).day(day) == "2024-10-27")
    #expect(TimeText(.unix, clock: clock).day(day) == "\(day.seconds)")
  }

  private static let counts: [(Int, String, String)] = [
    (0, "0", "0"), (999, "999", "999"), (1000, "1,000", "1.0K"), (3021, "3,021", "3.0K"), (9999, "9,999", "9.9K"),
    (10_000, "10,000", "10K"), (999_999, "999,999", "999K"), (1_000_000, "1,000,000", "1.0M"),
    (2_147_483_647, "2,147,483,647", "2.1B"), (-1234, "-1,234", "-1.2K"),
    (Int.max, "9,223,372,036,854,775,807", "9223372036B"), (Int.min, "-9,223,372,036,854,775,808", "-9223372036B"),
  ]

  @Test(arguments: counts)
  func countsAreGroupedOrCompact(count: Int, full: String, compact: String) {
    #expect(CountText.full(count) == full)
    #expect(CountText.compact(count) == compact)
  }

  @Test func countsAreGroupedOnTerminalsOnly() {
    let count = FieldDescriptor("like_count", number: 1, kind: .int64)
    let size = FieldDescriptor("file_size", number: 1, kind: .int64)
    let (terminal, pipe) = (CellText(isTerminal: true), CellText(isTerminal: false))
    #expect(terminal.cell(.number("3021"), count) == TableCell("3,021", short: "3.0K"))
    #expect(terminal.text(.number("3021"), count) == "3,021")
    #expect(pipe.cell(.number("3021"), count) == "3021")
    #expect(terminal.cell(.number("3021"), size) == "3.0 kB")
    #expect(pipe.cell(.number("3021"), size) == "3021")
  }
}
