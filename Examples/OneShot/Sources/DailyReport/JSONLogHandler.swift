import Logging
import NovaSDK

// The C library only: Foundation would add milliseconds to each start.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Logs as lines of JSON on standard error, which platforms collect and search. Each is written at once and whole: nothing is
/// left in a buffer when the process ends.
struct JSONLogHandler: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var members: [JSONValue.Member] = [
      .init(name: "level", value: .string(event.level.rawValue)),
      .init(name: "message", value: .string("\(event.message)")),
    ]
    let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) where !["level", "message"].contains(name) {
      members.append(.init(name: name, value: .string("\(value)")))
    }
    let line = JSONValue.object(members).jsonUTF8 + [UInt8(ascii: "\n")]
    // A log that cannot be written does not make the job fail.
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
