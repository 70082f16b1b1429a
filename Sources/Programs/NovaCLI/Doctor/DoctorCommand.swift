import ArgumentParser
import NovaSDK

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check this machine, the settings, and the gateway.",
    usage: "nova doctor [--output <output>] [<options>]",
    discussion: """
      nova doctor
      nova doctor --context staging -o json

      Checks the versions of nova and its libraries, the settings and their sources, the directories it writes to, the \
      proxy, the gateway's name, connection, certificate and clock, whether it responds as a gateway, and the token or \
      session. Changes nothing, except that a session is refreshed when its token has expired. The exit code is that of \
      the first check that failed: 4 for a token, 6 for a connection, 64 or 65 for settings, 1 for others.
      """)

  @OptionGroup var options: ResultOptions

  func run() async throws {
    var report = DoctorReport()
    MachineChecks().run(&report)
    let settings = SettingsChecks(connection: options.connection, isOffline: options.storing.offline)
    if let configuration = settings.run(&report) {
      DirectoryChecks(configuration: configuration).run(&report)
      await GatewayChecks(configuration: configuration, connection: options.connection).run(&report)
    }
    try report.write(options.format, showing: options.view)
    if let failure = report.failure { throw failure }
  }
}

/// What one check has found.
struct DoctorCheck: Sendable {
  enum Result: String, Sendable {
    case ok, warning, failed, skipped
  }

  /// What was checked: `gateway`.
  let name: String
  let result: Result
  /// What was found.
  let text: String
  /// What to do about it.
  var hint: String?
  /// The exit code if it has failed.
  var status = ExitStatus.failed
}

/// The results of all checks.
struct DoctorReport {
  private(set) var checks: [DoctorCheck] = []

  mutating func ok(_ name: String, _ text: String) {
    checks.append(DoctorCheck(name: name, result: .ok, text: text))
  }

  mutating func skip(_ name: String, _ text: String) {
    checks.append(DoctorCheck(name: name, result: .skipped, text: text))
  }

  mutating func warn(_ name: String, _ text: String, hint: String? = nil) {
    checks.append(DoctorCheck(name: name, result: .warning, text: text, hint: hint))
  }

  mutating func fail(_ name: String, _ text: String, hint: String? = nil, status: ExitStatus = .failed) {
    checks.append(DoctorCheck(name: name, result: .failed, text: text, hint: hint, status: status))
  }

  /// - Throws: ``Failure`` if the output cannot be written.
  func write(_ format: OutputFormat, showing view: OutputView) throws {
    var table = Table("CHECK", "RESULT", "DETAILS", fit: TableFit(texts: [2], main: 2, wrapsLast: true))
    table.rows = checks.map { [$0.name, $0.result.rawValue, $0.text] }
    try table.print(
      format,
      json: checks.map {
        .members(
          ("check", .string($0.name)), ("result", .string($0.result.rawValue)), ("details", .string($0.text)),
          ("hint", $0.hint.map(JSONValue.string)))
      }, showing: view)
    guard format == .table else { return }
    for check in checks { if let hint = check.hint { Diagnostics.note("\(check.name): \(hint)") } }
  }

  /// The failure of the command; nil if no check has failed.
  var failure: Failure? {
    let failed = checks.filter { $0.result == .failed }
    guard let first = failed.first else { return nil }
    return Failure(
      "\(CountText.phrase(failed.count, one: "check", many: "checks")) failed: \(failed.map(\.name).joined(separator: ", "))",
      first.status)
  }
}
