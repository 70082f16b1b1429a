import Logging
import NovaCore

extension APIConfiguration {
  /// Where calls are logged when the program brings no logger of its own; nil when they are not.
  ///
  /// Debug builds log requests by default, and yet a program that never asked for logs must not be flooded: the default
  /// handler of swift-log writes to standard error. So by default the program's own set-up decides whether `debug` is
  /// shown, which swift-log does not unless told to. Whoever sets the flag asks for the logs, and gets them.
  var requestLogger: Logger? {
    guard logsRequests else { return nil }
    var logger = Logger(label: "NovaSDK")
    if let level = logLevel ?? (asksForRequestLogs ? .debug : nil) { logger.logLevel = level }
    return logger
  }

  /// Whether somebody set the flag, rather than the kind of build.
  package var asksForRequestLogs: Bool {
    logsRequests && entries.contains { $0.key == "flags.request_logging" && $0.source != .builtIn }
  }
}
