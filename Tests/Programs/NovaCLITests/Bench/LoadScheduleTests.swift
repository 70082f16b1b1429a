import NovaCore
import Testing

@testable import NovaCLI

@Suite struct LoadScheduleTests {
  @Test(arguments: [
    (50.0, 1.0, 10.0, 50, 500), (0.1, 0, 1, 0, 1), (0.5, 3, 10, 2, 5), (1000, 0.5, 0.1, 500, 100), (3, 0, 0.1, 0, 1),
    (33.3, 1, 3, 33, 100),
  ])
  func requestsAreCounted(_ rate: Double, warmUp: Double, duration: Double, before: Int, measured: Int) {
    let schedule = LoadSchedule(rate: rate, warmUp: .seconds(1) * warmUp, duration: .seconds(1) * duration)
    #expect(schedule.warmUpCount == before && schedule.count == measured && schedule.total == before + measured)
  }

  /// Rounding does not add up: the last of a million requests is due in time.
  @Test(arguments: [0.1, 1, 3, 7.7, 333.3, 100_000]) func startsAreEvenlySpread(_ rate: Double) {
    let schedule = LoadSchedule(rate: rate, warmUp: .zero, duration: .seconds(10))
    for index in [0, 1, 2, 999, 1_000_000] {
      let error = schedule.start(of: index) / .seconds(1) - Double(index) / rate
      #expect(abs(error) < 1e-8 * max(1, Double(index) / rate), "\(index): \(error)")
    }
  }

  @Test(arguments: [1, 7, 10, 11, 500]) func slicesCoverTheMeasuredRequests(_ count: Int) {
    let schedule = LoadSchedule(rate: Double(count), warmUp: .seconds(2), duration: .seconds(1))
    let slices = (schedule.warmUpCount..<schedule.total).map(schedule.slice)
    #expect(slices.count == count && slices.first == 0 && slices == slices.sorted())
    #expect(slices.allSatisfy { (0..<LoadSchedule.slices).contains($0) })
    if count >= LoadSchedule.slices { #expect(Set(slices).count == LoadSchedule.slices, "\(slices)") }
  }
}
