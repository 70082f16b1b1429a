import CoreMetrics
import NovaSDK
import Synchronization
import Tracing

/// The time now, in nanoseconds since 1970.
enum Moment {
  static var now: UInt64 { DefaultTracerClock.now.nanosecondsSinceEpoch }
}

/// Keeps the values of metrics, from which an exporter reads them: counters become sums, meters and gauges gauges, timers
/// (in seconds) and recorders histograms. All are cumulative.
public final class OTLPMetricsFactory: MetricsFactory {
  fileprivate enum Form: Hashable { case sum, gauge, histogram }

  fileprivate struct Key: Hashable {
    var form: Form
    var name: String
    var unit: String
    var labels: [[String]] = []

    /// What series are sorted by.
    var text: String { labels.flatMap { $0 }.joined(separator: "\0") }
  }

  private struct State {
    var instruments: [Key: any Instrument] = [:]
    var refused: UInt64 = 0
  }

  /// The most combinations of names and labels. More of them are not measured: labels made of user data must not fill the
  /// memory.
  public static let maximumSeries = 2000

  private let units: [String: String]
  private let state = Mutex(State())

  /// The units of the SDK's metrics, which swift-metrics does not pass on. Timers are always in seconds.
  public static let unitsOfNova = [
    "nova_client_calls": "{call}", "nova_client_attempts": "{attempt}", "nova_client_calls_in_flight": "{call}",
    "http.client.request.duration": "s",
  ]

  /// Creates a factory.
  ///
  /// - Parameter units: the units of metrics by name. Default: those of the SDK. All others have the unit `1`.
  public init(units: [String: String] = unitsOfNova) { self.units = units }

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    instrument(.sum, named: label, labels: dimensions) { SumInstrument() } ?? NOOPMetricsHandler.instance
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    instrument(.gauge, named: label, labels: dimensions) { GaugeInstrument() } ?? NOOPMetricsHandler.instance
  }

  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    let noop = NOOPMetricsHandler.instance
    if aggregate { return instrument(.histogram, named: label, labels: dimensions) { HistogramInstrument() } ?? noop }
    return instrument(.gauge, named: label, labels: dimensions) { GaugeInstrument() } ?? noop
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    instrument(.histogram, named: label, labels: dimensions, unit: "s") { HistogramInstrument() }
      ?? NOOPMetricsHandler.instance
  }

  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

  /// How many instruments were not measured, because there were ``maximumSeries`` of them.
  public var refusedCount: UInt64 { state.withLock { $0.refused } }

  /// The instrument with this name and these labels: the same one each time. Nil if there are too many.
  private func instrument<Made: Instrument>(
    _ form: Form, named name: String, labels: [(String, String)], unit: String? = nil, make: () -> Made
  ) -> Made? {
    // A label without a value is one that is absent.
    let labels = labels.filter { !$0.1.isEmpty }.sorted { $0.0 < $1.0 }.map { [$0.0, $0.1] }
    let key = Key(form: form, name: name, unit: unit ?? units[name] ?? "1", labels: labels)
    return state.withLock { state in
      if let found = state.instruments[key] { return found as? Made }
      guard state.instruments.count < Self.maximumSeries else {
        state.refused += 1
        return nil
      }
      let made = make()
      state.instruments[key] = made
      return made
    }
  }

  private func remove(_ handler: AnyObject) {
    state.withLock { state in state.instruments = state.instruments.filter { $0.value !== handler } }
  }

  /// All metrics that have a value, as `Metric` messages in the order of their names.
  func encoded(at time: UInt64) -> [JSONValue] {
    let instruments = state.withLock { $0.instruments }
    let metrics = Dictionary(grouping: instruments) { Key(form: $0.key.form, name: $0.key.name, unit: $0.key.unit) }
    return metrics.sorted { ($0.key.name, $0.key.unit) < ($1.key.name, $1.key.unit) }.compactMap { metric, series in
      let points = series.sorted { $0.key.text < $1.key.text }.compactMap { key, instrument in
        instrument.point(at: time, labels: .attributes(key.labels.map { ($0[0], $0[1]) }))
      }
      return points.isEmpty ? nil : metric.encoded(points)
    }
  }
}

extension OTLPMetricsFactory.Key {
  /// The `Metric` message with these data points.
  fileprivate func encoded(_ points: [JSONValue]) -> JSONValue {
    // 2 is AGGREGATION_TEMPORALITY_CUMULATIVE: each point counts from the start of the program.
    let data: (String, JSONValue) =
      switch form {
      case .sum: ("sum", ["aggregationTemporality": 2, "isMonotonic": true, "dataPoints": .array(points)])
      case .gauge: ("gauge", ["dataPoints": .array(points)])
      case .histogram: ("histogram", ["aggregationTemporality": 2, "dataPoints": .array(points)])
      }
    return .object([
      .init(name: "name", value: .string(name)), .init(name: "unit", value: .string(unit)),
      .init(name: data.0, value: data.1),
    ])
  }
}
