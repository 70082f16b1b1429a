import NovaSupport
import Testing

@Suite struct MomentTests {
  private static let spans: [Duration] = [
    .zero, .nanoseconds(1), .nanoseconds(-1), .milliseconds(1), .seconds(-86_400), .seconds(300), .seconds(1 << 40),
    Duration(secondsComponent: 7, attosecondsComponent: 1),
  ]

  /// Deadlines are converted between callers' instants and moments, and must not shift.
  @Test(arguments: spans) func anInstantIsTheSameAfterwards(span: Duration) {
    let instant = ContinuousClock.now.advanced(by: span)
    #expect(Moment(instant).instant == instant)
  }

  @Test(arguments: spans) func momentsDifferAsInstantsDo(span: Duration) {
    let now = ContinuousClock.now
    let (moment, other) = (Moment(now), Moment(now.advanced(by: span)))
    #expect(moment.advanced(by: span) == other)
    #expect(moment.duration(to: other) == span)
    #expect((moment < other) == (now < now.advanced(by: span)))
  }

  @Test func aClockTellsIt() {
    let clock = ContinuousClock()
    let before = clock.now
    let moment = clock.moment
    #expect(before <= moment.instant && moment.instant <= clock.now)
  }
}
