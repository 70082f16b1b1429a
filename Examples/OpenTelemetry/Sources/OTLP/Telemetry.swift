import CoreMetrics
import NovaSDK
import Tracing

/// Traces and metrics of a program: set up at its start, shut down at its end.
///
/// ```swift
/// let telemetry = try Telemetry(serviceName: "shop")
/// telemetry.bootstrap()
/// // … create the client, and work …
/// await telemetry.shutdown()
/// ```
public struct Telemetry: Sendable {
  /// Creates spans.
  public let tracer: OTLPTracer
  /// Keeps the values of metrics.
  public let metrics: OTLPMetricsFactory
  /// Sends both.
  public let exporter: OTLPExporter

  /// Starts to export, with OpenTelemetry's variables.
  ///
  /// - Parameter serviceName: the name of the service, unless a variable sets it.
  /// - Throws: ``TelemetryError`` that names an invalid variable.
  public init(
    serviceName: String, environment: [String: String] = APIConfiguration.processVariables()
  ) throws {
    metrics = OTLPMetricsFactory()
    exporter = OTLPExporter(
      try ExportOptions(environment: environment),
      resource: try Resource(environment: environment, serviceName: serviceName), metrics: metrics)
    tracer = OTLPTracer(exporter)
  }

  /// Makes the SDK, and everything else in this process, report here. Once per process, before clients are created.
  public func bootstrap() {
    InstrumentationSystem.bootstrap(tracer)
    MetricsSystem.bootstrap(metrics)
  }

  /// Sends what is left. Call it last: what ends later is lost.
  public func shutdown() async { await exporter.shutdown() }
}
