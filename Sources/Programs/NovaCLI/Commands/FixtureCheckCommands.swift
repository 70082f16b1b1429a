import ArgumentParser
import NovaFixtureFiles

struct FixturesCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a directory against its manifest and the contract.",
    usage: "nova fixtures check <directory>",
    discussion: """
      The directory must contain exactly the files in the manifest, with their SHA-256. Every record of a JSON file \
      must be a valid message in the dialect of the set, and follow the contract's rules.

      \(FixtureExit.help)
      """)

  @Argument(help: .value("directory", "The directory."), completion: .directory)
  var directory: String

  func run() async throws {
    Interruption.begin()
    let bar = ProgressBar(isShown: true)
    let report = try await FixtureExit.translating {
      defer { bar.clear() }
      return try FixtureCheck.run(directory) { bar.show(ProgressLine($0)) }
    }
    let (manifest, count) = (report.manifest, report.problems.count)
    guard count > 0 else {
      return try StandardOutput.print(
        "\(manifest.seed): \(manifest.files.count) files match the manifest, \(report.recordsRead) records read")
    }
    try StandardOutput.print(report.problems.map { "\($0)".displayed })
    throw Failure(
      "\(directory): \(count) \(count == 1 ? "problem" : "problems")",
      hint: "Write the set again with `nova fixtures generate --force`.", .badData)
  }
}

struct FixturesDiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two fixture sets.",
    usage: "nova fixtures diff <directory> <directory>",
    discussion: """
      Prints nothing if all files are equal. For each file that differs, prints up to five differences: the value in \
      the first set, a bar, and the value in the second set.

      EXIT CODES:
        0    the same
        1    different, or not readable
        65   not a set of fixtures
      """)

  @Argument(help: .value("directory", "The first directory."), completion: .directory)
  var first: String

  @Argument(help: .value("directory", "The second directory."), completion: .directory)
  var second: String

  func run() async throws {
    Interruption.begin()
    let differences = try await FixtureExit.translating { try FixtureDiff.run(first, second) }
    try StandardOutput.print(differences.flatMap { [$0.file.displayed] + $0.details.map { "  \($0.displayed)" } })
    let count = differences.count
    if count > 0 { throw Failure("\(count) \(count == 1 ? "file differs" : "files differ")", .failed) }
  }
}

/// The exit codes of the commands for fixtures.
enum FixtureExit {
  static let help = """
    EXIT CODES:
      0    success
      1    not written or not readable, or the directory cannot be replaced
      64   invalid usage, or options that cannot be combined
      65   not a set of fixtures, or different from its manifest
      130  interrupted (Ctrl-C)
    """

  /// Runs `body`, and translates its errors.
  static func translating<T: Sendable>(_ body: () async throws -> T) async throws -> T {
    do { return try await body() } catch { throw translated(error) }
  }

  private static func translated(_ error: any Error) -> any Error {
    guard let error = error as? FixtureError else { return error }
    return switch error {
    case .options(let text): Failure(text, .usage)
    case .refused(let text), .failed(let text): Failure(text, .failed)
    case .unreadable(let text): Failure(text, .badData)
    case .cancelled: Interrupted()
    }
  }
}
