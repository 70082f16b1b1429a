import Foundation

/// Posts events at a fixed rate. Each carries the time at which it was due, so that a server that is late is not
/// favored.
struct Poster {
  static let topic = "post:busy"
  private static let ticksPerSecond = 200
  /// As many as the server takes at once.
  private static let largestBatch = 1000

  let connection: AdminConnection

  /// - Parameter everySecond: called between events.
  /// - Returns: how long it took, in seconds.
  func post(rate: Int, seconds: Int, everySecond: () -> Void = {}) throws -> Double {
    let (start, total, period) = (monotonicTime(), rate * seconds, 1_000_000_000 / Self.ticksPerSecond)
    var (posted, second) = (0, 1)
    while posted < total {
      let tick = (monotonicTime() - start) / period
      let due = min(total, (tick * rate + Self.ticksPerSecond - 1) / Self.ticksPerSecond)
      let batch = posted..<min(due, posted + Self.largestBatch)
      if batch.isEmpty {
        Self.sleep(until: start + (tick + 1) * period)
      } else {
        try send(batch.map { start + ($0 * Self.ticksPerSecond / rate + 1) * period }, to: Self.topic)
        posted = batch.upperBound
      }
      if tick >= second * Self.ticksPerSecond {
        everySecond()
        second += 1
      }
    }
    return Double(monotonicTime() - start) / 1e9
  }

  func send(_ times: [Int], to topic: String) throws {
    let events = times.map { time in
      """
      {"type":"like.created","actor_id":"user-\(1000 + time / 1000 % 9000)","subject_id":"user-1","post_id":"busy",\
      "something_id":\(time),"counts":{"like_count":\(time / 1_000_000)}}
      """
    }
    let body = #"{"topics":["\#(topic)"],"events":[\#(events.joined(separator: ","))]}"#
    try connection.send("POST", to: "/_nova/events", Array(body.utf8))
  }

  private static func sleep(until time: Int) {
    var time = timespec(tv_sec: time / 1_000_000_000, tv_nsec: time % 1_000_000_000)
    clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil)
  }
}
