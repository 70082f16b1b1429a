import ArgumentParser
public import NovaCore

/// The settings of a recorder.
public struct RecordSettings: Sendable {
  /// The base URL of the gateway.
  public let target: HTTPURL
  /// The path of the cassette.
  public let path: String
  /// Whether an existing file is replaced.
  public let replaces: Bool
  /// The port on 127.0.0.1; 0 for any free port.
  public let port: UInt16
  /// Names allowed in `Host`, besides `localhost` and IP addresses.
  public let allowedHosts: [String]
  /// The origins of web pages that may use the recorder.
  public let allowedOrigins: [String]
  /// Logs a request; nil for no log.
  public let log: (@Sendable (String) -> Void)?
  /// Reports what goes wrong without stopping the recorder: a cassette that can no longer be written, refused pages.
  public let warn: @Sendable (String) -> Void
}

/// A running recorder.
public struct RunningRecorder: Sendable {
  let url: String
  let archive: @Sendable () throws -> [UInt8]
  let stop: @Sendable () async throws -> (count: Int, incompleteCount: Int)

  /// - Parameters:
  ///   - url: the address that it listens on.
  ///   - archive: returns what was recorded as an HTTP Archive; called after `stop`.
  ///   - stop: stops the recorder, and returns the number of recorded requests, and how many of them lack their response.
  public init(
    url: String, archive: @escaping @Sendable () throws -> [UInt8],
    stop: @escaping @Sendable () async throws -> (count: Int, incompleteCount: Int)
  ) {
    (self.url, self.archive, self.stop) = (url, archive, stop)
  }
}

extension Program {
  /// The word before the options of the recorder.
  static let recordWord = "record"

  /// Runs the recorder until a signal stops it.
  static func runRecorder(
    _ arguments: [String], _ start: @Sendable (RecordSettings) async throws -> RunningRecorder
  ) async throws {
    let arguments = try ProcessArguments.checked(arguments, of: NovaRecordCommand.self)
    guard let command = try NovaRecordCommand.parseAsRoot(arguments) as? NovaRecordCommand else {
      throw CleanExit.helpRequest()
    }
    try System.requireDescriptors()
    let options = command.options
    let log: @Sendable (String) -> Void = { Diagnostics.write($0) }
    let target = try options.url
    if !target.origin.protectsSecrets {
      Diagnostics.warning(
        "the connection to \(target.origin.place) is not encrypted: others can read tokens on the way")
    }
    if let har = options.har { try checkArchive(har, replacing: options.force) }
    let recorder = try await start(
      RecordSettings(
        target: target, path: options.out, replaces: options.force, port: options.port,
        allowedHosts: options.allowedHosts, allowedOrigins: options.allowedOrigins, log: options.log ? log : nil,
        warn: { Diagnostics.warning($0) }))
    // What has passed is still written.
    Interruption.begin(Interruption.ofServer, grace: 30)
    let place = options.out.printable(to: 300)
    do {
      try StandardOutput.print(
        "nova record: listening on \(recorder.url), recording \(target.textWithoutQuery) in \(place)")
    } catch is OutputClosed {
      // The recorder is useful even if nothing reads the line.
    }
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    if Interruption.status == .interrupted, System.isTerminal(System.standardError) { Diagnostics.write("") }
    let (count, incompleteCount) = try await Task.detached { try await recorder.stop() }.value
    Diagnostics.note("Recorded \(count) \(count == 1 ? "request" : "requests") in \(place).")
    if incompleteCount > 0 {
      Diagnostics.warning(
        "\(incompleteCount) of them without the response, which was too large, damaged, or in an unknown content coding"
      )
    }
    if let har = options.har { try write(recorder, toArchive: har, replacing: options.force) }
  }

  /// Checks before anything is recorded that the archive can be written.
  private static func checkArchive(_ path: String, replacing: Bool) throws {
    if !replacing, System.fileExists(path) { throw archiveExists(path) }
    try Failure.writing(path) { try System.checkWritable(path) }
  }

  private static func write(_ recorder: RunningRecorder, toArchive path: String, replacing: Bool) throws {
    let archive: [UInt8]
    do { archive = try recorder.archive() } catch {
      throw Failure("cannot write \(path.printable(to: 300)): \(error)", .failed)
    }
    let isWritten = try Failure.writing(path) { try System.writeFile(path, archive, replaces: replacing) }
    if !isWritten { throw archiveExists(path) }
    Diagnostics.note("Wrote them as an HTTP Archive to \(path.printable(to: 300)).")
  }

  private static func archiveExists(_ path: String) -> Failure {
    Failure(
      "cannot write \(path.printable(to: 300)): the file exists", hint: "Remove it, or use --force.", .failed)
  }
}
