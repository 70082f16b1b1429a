import Logging
import NovaCore

extension APIConfiguration {
  /// The logger of calls if the program passes none; nil if requests are not logged.
  ///
  /// Debug builds log requests by default, but swift-log's default handler writes to standard error, which must not fill
  /// up in programs that never asked for logs. So the program's own logging setup decides whether `debug` is shown,
  /// unless the flag is set explicitly.
  var requestLogger: Logger? {
    guard logsRequests else { return nil }
    var logger = Logger(label: "NovaSDK")
    if let level = logLevel ?? (asksForRequestLogs ? .debug : nil) { logger.logLevel = level }
    return logger
  }

  /// Whether the flag was set explicitly, not by the kind of build.
  package var asksForRequestLogs: Bool {
    logsRequests && entries.contains { $0.key == "flags.request_logging" && $0.source != .builtIn }
  }
}
