import NovaSDK

/// Where telemetry goes, how often, and how much of it is kept.
public struct ExportOptions: Sendable {
  /// The URL of the collector, to which `/v1/traces` and `/v1/metrics` are added.
  public var endpoint: String
  /// Header fields of every request, such as an API key.
  public var headers: [(String, String)] = []
  /// How often ended spans are sent, unless a batch is full before.
  public var spanInterval: Duration = .seconds(5)
  /// How often metrics are sent.
  public var metricInterval: Duration = .seconds(60)
  /// How long an export may take, all its attempts together.
  public var timeout: Duration = .seconds(10)
  /// The most spans that wait; more are dropped.
  public var maximumQueue = 2048
  /// The most spans in one request.
  public var maximumBatch = 512

  /// Creates options for a collector. Default: OpenTelemetry's, on this machine.
  public init(endpoint: String = "http://localhost:4318") { self.endpoint = endpoint }

  /// Reads OpenTelemetry's variables: `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`,
  /// `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_BSP_SCHEDULE_DELAY`, `OTEL_METRIC_EXPORT_INTERVAL` (the last three in
  /// milliseconds).
  public init(environment: [String: String]) throws {
    self.init()
    if let url = environment["OTEL_EXPORTER_OTLP_ENDPOINT"], !url.isEmpty { endpoint = url }
    while endpoint.hasSuffix("/") { endpoint.removeLast() }
    guard (try? HTTPURL(parsing: endpoint)) != nil else {
      throw TelemetryError(description: "OTEL_EXPORTER_OTLP_ENDPOINT is invalid: expected http://collector:4318")
    }
    headers = try Pairs(environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "", of: "OTEL_EXPORTER_OTLP_HEADERS").list
    try Self.read("OTEL_EXPORTER_OTLP_TIMEOUT", of: environment, into: &timeout)
    try Self.read("OTEL_BSP_SCHEDULE_DELAY", of: environment, into: &spanInterval)
    try Self.read("OTEL_METRIC_EXPORT_INTERVAL", of: environment, into: &metricInterval)
  }

  private static func read(
    _ name: String, of environment: [String: String], into duration: inout Duration
  ) throws {
    guard let text = environment[name], !text.isEmpty else { return }
    guard let milliseconds = Int(text), (1...86_400_000).contains(milliseconds) else {
      throw TelemetryError(description: "\(name) is invalid: expected milliseconds, such as 5000")
    }
    duration = .milliseconds(milliseconds)
  }
}
