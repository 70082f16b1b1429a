import CoreMetrics
import NovaSDK
import Synchronization

/// One metric with one set of labels.
protocol Instrument: AnyObject, Sendable {
  /// Its data point now; nil if it has no value yet. Times are nanoseconds since 1970.
  func point(at time: UInt64, labels: JSONValue) -> JSONValue?
}

/// A sum that only grows.
final class SumInstrument: CounterHandler, Instrument {
  private let state = Mutex<(value: Int64, start: UInt64)>((0, Moment.now))

  func increment(by amount: Int64) {
    state.withLock { $0.value = $0.value.addingReportingOverflow(amount).overflow ? .max : $0.value + amount }
  }

  func reset() { state.withLock { $0 = (0, Moment.now) } }

  func point(at time: UInt64, labels: JSONValue) -> JSONValue? {
    let (value, start) = state.withLock { $0 }
    return [
      "attributes": labels, "startTimeUnixNano": .int64(start), "timeUnixNano": .int64(time), "asInt": .int64(value),
    ]
  }
}

/// The last value.
final class GaugeInstrument: MeterHandler, RecorderHandler, Instrument {
  private let value = Mutex<Double?>(nil)

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { self.value.withLock { $0 = value } }
  func increment(by amount: Double) { value.withLock { $0 = ($0 ?? 0) + amount } }
  func decrement(by amount: Double) { increment(by: -amount) }
  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }

  func point(at time: UInt64, labels: JSONValue) -> JSONValue? {
    value.withLock { $0 }.map { ["attributes": labels, "timeUnixNano": .int64(time), "asDouble": .double($0)] }
  }
}

/// How values are distributed.
final class HistogramInstrument: RecorderHandler, TimerHandler, Instrument {
  /// The boundaries that OpenTelemetry's conventions recommend for durations of requests in seconds.
  static let boundaries: [Double] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

  private struct State {
    var counts = [UInt64](repeating: 0, count: boundaries.count + 1)
    var count: UInt64 = 0
    var sum = 0.0
    var least = Double.infinity
    var most = -Double.infinity
  }

  private let start = Moment.now
  private let state = Mutex(State())

  func record(_ value: Int64) { record(Double(value)) }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  func record(_ value: Double) {
    // One value that is no number would make the sum useless for ever.
    guard value.isFinite else { return }
    // A boundary belongs to the bucket below it.
    let bucket = Self.boundaries.firstIndex { value <= $0 } ?? Self.boundaries.count
    state.withLock {
      $0.counts[bucket] += 1
      $0.count += 1
      $0.sum += value
      ($0.least, $0.most) = (min($0.least, value), max($0.most, value))
    }
  }

  func point(at time: UInt64, labels: JSONValue) -> JSONValue? {
    let state = state.withLock { $0 }
    guard state.count > 0 else { return nil }
    return [
      "attributes": labels, "startTimeUnixNano": .int64(start), "timeUnixNano": .int64(time),
      "count": .int64(state.count), "sum": .double(state.sum), "min": .double(state.least), "max": .double(state.most),
      "bucketCounts": .array(state.counts.map { .int64($0) }),
      "explicitBounds": .array(Self.boundaries.map { .double($0) }),
    ]
  }
}
