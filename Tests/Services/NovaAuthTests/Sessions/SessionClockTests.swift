import NovaCore
import Testing

@testable import NovaAuth

/// What is believed of the clocks that responses report.
@Suite struct SessionClockTests {
  private static let start = 1_764_583_200.5

  private func clock(_ reported: [Int64], isDecisive: Bool = false) -> SessionClock {
    var clock = SessionClock()
    for (number, ahead) in reported.enumerated() {
      let time = Self.start + Double(number)
      // No clock in use shows such a time: it is ignored.
      guard let reading = ClockReading(Int64(time) + ahead, at: time) else { continue }
      clock.note(reading, isDecisive: isDecisive)
    }
    return clock
  }

  private static let to1970: Int64 = -1_764_583_200
  private static let to2099: Int64 = 2_303_000_000
  private static let to2150: Int64 = 3_900_000_000

  @Test(
    arguments: [
      ([], 0), ([-7200], -7200), ([7200], 7200), ([to2099], to2099), ([0, 20], 20), ([0, -30], -30),
      // One response among many is not believed, the next one of its kind is.
      ([0, 31], 0), ([0, -7200], 0), ([0, to2099], 0), ([0, -7200, 0], 0), ([0, -7200, -7210], -7210),
      ([-7200, 0, 3600, 0, 3600], -7200), ([7200, 0, 0, 7200], 0), ([7200, 0, 0, 7200, 7200], 7200),
      // Nor is a clock that was never set.
      ([to1970], 0), ([to1970, to1970], 0), ([to2150, to2150], 0), ([-7200, to1970, to1970, to2150, to2150], -7200),
    ] as [([Int64], Int64)])
  func aContradictionIsBelievedTheSecondTime(reported: [Int64], ahead: Int64) {
    #expect(clock(reported).secondsAhead(at: Self.start + 60) == ahead)
  }

  @Test func aRefreshIsBelievedAtOnce() {
    #expect(clock([0, -7200], isDecisive: true).secondsAhead(at: Self.start + 60) == -7200)
    #expect(clock([0, Self.to1970], isDecisive: true).secondsAhead(at: Self.start + 60) == 0)
  }

  /// The machine's clock was wrong when the difference was found out, and is set back.
  @Test func aClockThatIsSetBackIsNoticed() {
    let clock = clock([-7200])
    #expect(clock.secondsAhead(at: Self.start - 29) == -7200)
    #expect(clock.secondsAhead(at: Self.start - 7200) == 0 && clock.current(at: Self.start - 7200) == nil)
    #expect(clock.time(at: Self.start - 7200) == Self.start - 7200)
    var corrected = clock
    if let reading = ClockReading(Int64(Self.start) - 7200, at: Self.start - 7200) {
      corrected.note(reading, isDecisive: false)
    }
    #expect(corrected.current(at: Self.start)?.secondsAhead == 0)
  }

  @Test(
    arguments: [
      // Newer, older, of the future, and what no program wrote.
      (-60, 1, 60), (-60, -1, -60), (-60, 7200, -60), (nil, -9999, 60), (nil, 7200, nil),
      (nil, Int64.max - 1_764_583_200, nil),
    ] as [(Int64?, Int64, Int64?)])
  func theNewerOfTwoProcessesIsRight(own: Int64?, later: Int64, expected: Int64?) {
    var clock = clock(own.map { [$0] } ?? [])
    clock.adopt(ServerClock(secondsAhead: 60, readAt: Int64(Self.start) + later), at: Self.start)
    #expect(clock.current(at: Self.start)?.secondsAhead == expected)
  }

  @Test(arguments: [Int64.min, Int64.max, 5_000_000_000, -5_000_000_000])
  func aDifferenceThatNoClocksHaveIsIgnored(ahead: Int64) {
    var clock = SessionClock()
    for readAt in [Int64.min, 0, Int64.max] {
      clock.adopt(ServerClock(secondsAhead: ahead, readAt: readAt), at: Self.start)
      #expect(clock.current(at: Self.start) == nil && clock.time(at: Self.start) == Self.start)
      // What is stored may be anything, too.
      _ = clock.takeSave(over: ServerClock(secondsAhead: ahead, readAt: readAt), at: Self.start)
    }
  }

  @Test(
    arguments: [
      ([-7200], [-7195, nil, nil, nil], [false, true, false, false]),
      ([8], [nil, -7200, -7200], [false, true, false]),
      ([], [nil, -7200], [false, false]),
      // One that is not believed is not saved.
      ([0, -7200], [nil, 0], [false, false]),
    ] as [([Int64], [Int64?], [Bool])])
  func eachChangeIsSavedOnce(reported: [Int64], stored: [Int64?], saves: [Bool]) {
    var clock = clock(reported)
    let taken = stored.map { ahead in
      let stored = ahead.map { ServerClock(secondsAhead: $0, readAt: Int64(Self.start)) }
      return clock.takeSave(over: stored, at: Self.start + 60)
    }
    #expect(taken == saves)
  }
}
