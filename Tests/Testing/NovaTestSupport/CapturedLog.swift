public import Logging
import NovaCore

/// A logger whose lines a test can look at.
public struct CapturedLog: Sendable {
  private let captured = Locked<[String]>([])

  public init() {}

  /// Every line so far: level, message, and metadata sorted by key.
  public var lines: [String] { captured.withLock { $0 } }

  /// A logger that lets everything through.
  public var logger: Logger {
    Logger(label: "test") { _ in Handler(captured: captured) }
  }

  private struct Handler: LogHandler {
    let captured: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
      let facts = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      let line = "\(event.level) \(event.message) \(facts)"
      captured.withLock { $0.append(line) }
      Canary.capture(line)
    }
  }
}
