import Logging
import NovaSDK
import Synchronization

/// Sends spans and metrics to a collector: OTLP over HTTP, encoded as JSON.
///
/// Spans wait in a queue of bounded size, and are sent in batches by a task of its own, so that a slow collector never
/// delays calls. What does not fit is dropped and counted.
public final class OTLPExporter: Sendable {
  private struct Queue {
    var spans: [JSONValue] = []
    var dropped = 0
    var isShutDown = false
  }

  private let options: ExportOptions
  private let resource: Resource
  private let metrics: OTLPMetricsFactory
  private let sender: CollectorSender
  private let logger: Logger
  private let queue = Mutex(Queue())
  private let wakes: AsyncStream<Void>.Continuation
  private let tasks = Mutex<[Task<Void, Never>]>([])

  /// Starts to export.
  ///
  /// - Parameters:
  ///   - options: where to, how often, how much.
  ///   - resource: what all telemetry of this process has in common.
  ///   - metrics: what keeps the values of the metrics.
  ///   - logger: where failures of the export are logged.
  public init(
    _ options: ExportOptions, resource: Resource, metrics: OTLPMetricsFactory, logger: Logger = Logger(label: "otlp")
  ) {
    (self.options, self.resource, self.metrics, self.logger) = (options, resource, metrics, logger)
    sender = CollectorSender(options)
    let (stream, wakes) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.wakes = wakes
    tasks.withLock { tasks in
      // Not the exporter itself: a program that forgets to shut it down can still release it.
      tasks = [
        Task { [weak self] in for await _ in stream { await self?.sendSpans() } },
        Task { while (try? await Task.sleep(for: options.spanInterval)) != nil { wakes.yield() } },
        Task { [weak self] in
          while (try? await Task.sleep(for: options.metricInterval)) != nil { await self?.sendMetrics() }
        },
      ]
    }
  }

  deinit {
    wakes.finish()
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  /// The number of spans that were not sent: the queue was full, or the collector did not take them.
  public var droppedSpans: Int { queue.withLock { $0.dropped } }

  /// Adds a span to the queue.
  func export(_ span: JSONValue) {
    let count = queue.withLock { queue in
      if queue.isShutDown || queue.spans.count >= options.maximumQueue {
        queue.dropped += 1
      } else {
        queue.spans.append(span)
      }
      return queue.spans.count
    }
    if count >= options.maximumBatch { wakes.yield() }
  }

  /// Sends the queue soon, in the background.
  func flushSoon() { wakes.yield() }

  /// Sends everything that there is now, and returns when it was sent or has failed.
  public func flush() async {
    await sendSpans()
    await sendMetrics()
  }

  /// Sends everything, and ends the export. Spans that end later are dropped. Takes at most as long as the timeouts of its
  /// last requests.
  public func shutdown() async {
    let isFirst = queue.withLock { queue in
      defer { queue.isShutDown = true }
      return !queue.isShutDown
    }
    guard isFirst else { return }
    wakes.finish()
    // The first one ends with its batch.
    let tasks = tasks.withLock { $0 }
    for task in tasks.dropFirst() { task.cancel() }
    for task in tasks { await task.value }
    await flush()
    await sender.shutdown()
    let dropped = droppedSpans
    if dropped > 0 { logger.warning("Spans were dropped", metadata: ["count": "\(dropped)"]) }
  }

  private func sendSpans() async {
    while true {
      let batch = queue.withLock { queue in
        let batch = Array(queue.spans.prefix(options.maximumBatch))
        queue.spans.removeFirst(batch.count)
        return batch
      }
      guard !batch.isEmpty else { return }
      let spans: JSONValue = [
        "resourceSpans": [
          ["resource": resource.encoded, "scopeSpans": [["scope": Self.scope, "spans": .array(batch)]]]
        ]
      ]
      if await !send(spans, to: "/v1/traces") { queue.withLock { $0.dropped += batch.count } }
    }
  }

  private func sendMetrics() async {
    let metrics = metrics.encoded(at: Moment.now)
    guard !metrics.isEmpty else { return }
    _ = await send(
      [
        "resourceMetrics": [
          ["resource": resource.encoded, "scopeMetrics": [["scope": Self.scope, "metrics": .array(metrics)]]]
        ]
      ], to: "/v1/metrics")
  }

  private func send(_ message: JSONValue, to path: String) async -> Bool {
    do {
      if let refused = try await sender.send(message.jsonUTF8, to: path) {
        logger.warning("The collector refused a part", metadata: ["path": "\(path)", "refused": "\(refused)"])
      }
      return true
    } catch is CancellationError {
      return false
    } catch {
      logger.warning("The export failed", metadata: ["path": "\(path)", "error": "\(error)"])
      return false
    }
  }

  private static let scope: JSONValue = ["name": "otlp-example", "version": "1.0"]
}
