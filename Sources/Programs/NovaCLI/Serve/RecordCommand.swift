import ArgumentParser
import NovaCore
import NovaMock

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record the requests to a gateway, and its responses.",
    usage: "nova record --target <URL> --out <file> [<options>]",
    discussion: """
      Listens on 127.0.0.1, passes every request on to the gateway, and writes each request with its response to the \
      file. Point your client at the printed address, use it, and stop with Ctrl-C. Secrets are replaced by \
      placeholders; e-mail addresses and other personal data are recorded. `nova serve --replay` responds from the \
      file, and so do tests with NovaRecording.
      """)

  @OptionGroup var options: RecorderOptions

  /// The recorder is a part of the server's program, which has the same options after this word.
  func run() throws {
    try Serve.becomeServer(try CommandLineOrder.arranged(ProcessArguments.checked()))
  }
}

/// The options of `nova record`.
struct RecorderOptions: ParsableArguments {
  @Option(help: .value("URL", "The base URL of the gateway."))
  var target: String

  @Option(help: .value("file", "The cassette to write. Its folder must exist."), completion: .file())
  var out: String

  @Option(
    help: .value(
      "file",
      "Also write the requests as an HTTP Archive (HAR 1.2) when the recorder stops, for browsers and other tools."),
    completion: .file())
  var har: String?

  @Flag(help: "Replace an existing file. Default: an existing file is an error.")
  var force = false

  @Option(help: "The port; 0 for any free port.")
  var port: UInt16 = 8081

  @Option(
    name: .customLong("allowed-host"),
    help: .value("name", "Allow this name in the Host header, besides localhost and IP addresses. Can be repeated."))
  var allowedHosts: [String] = []

  @Option(
    name: .customLong("allow-origin"),
    help: .value(
      "origin",
      "Let web pages of this origin use the recorder: http://localhost:5173, http://localhost:* for every port, or https://*.example.com. Can be repeated. Default: none."
    ))
  var allowedOrigins: [String] = []

  @Flag(help: "Log each request to standard error.")
  var log = false

  func validate() throws {
    _ = try url
    if out.isEmpty { throw ValidationError("invalid --out: expected the path of a file, got an empty text") }
    if har == "" { throw ValidationError("invalid --har: expected the path of a file, got an empty text") }
    if har == out { throw ValidationError("invalid --har: --out has the same file") }
    try allowedHosts.validateAsHostNames()
    try OriginPattern.validate(allowedOrigins)
  }

  var url: HTTPURL { get throws { try HTTPURL(target: target, option: "--target") } }
}

/// `nova-serve record`, which `nova record` runs.
struct NovaRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nova-serve record", abstract: Record.configuration.abstract,
    usage: "nova-serve record --target <URL> --out <file> [<options>]",
    discussion: Record.configuration.discussion, version: NovaSDKVersion.current)

  @OptionGroup var options: RecorderOptions
}
