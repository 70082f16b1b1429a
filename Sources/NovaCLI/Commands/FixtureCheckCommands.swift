import ArgumentParser
import NovaFixtureFiles

struct FixturesCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell whether a directory holds what its manifest and the contract say.",
    usage: "nova fixtures check <directory>",
    discussion: """
      Every file must be there with its SHA-256, and no other. Every record of a JSON file must read as its message, \
      stand as the dialect says, and keep the contract's rules.

      \(FixtureExit.help)
      """)

  @Argument(help: ArgumentHelp("The directory.", valueName: "directory"), completion: .directory)
  var directory: String

  func run() async throws {
    Interruption.begin()
    let bar = ProgressBar(isShown: true)
    let report = try await FixtureExit.translating {
      defer { bar.clear() }
      return try FixtureCheck.run(directory) { bar.show(ProgressLine($0)) }
    }
    let output = StandardOutput()
    for problem in report.problems { try output.writeLine("\(problem)".displayed) }
    if report.problems.isEmpty {
      try output.writeLine(
        "\(report.manifest.seed): \(report.manifest.files.count) files as the manifest says, \(report.recordsRead) records read"
      )
    }
    try output.flush()
    guard report.problems.isEmpty else {
      let count = report.problems.count
      throw Failure(
        "\(directory): \(count) \(count == 1 ? "problem" : "problems")",
        hint: "Write the set anew with `nova fixtures generate --force`.", .badData)
    }
  }
}

struct FixturesDiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell where two sets differ.",
    usage: "nova fixtures diff <directory> <directory>",
    discussion: """
      Says nothing when all files are the same. Of each file that differs the first five differences are shown, the first \
      set's value before the bar and the second's behind it.

      EXIT CODES:
        0    the same
        1    different, or they could not be read to the end
        65   one of them is no set of fixtures
      """)

  @Argument(help: ArgumentHelp("The one directory.", valueName: "directory"), completion: .directory)
  var first: String

  @Argument(help: ArgumentHelp("The other.", valueName: "directory"), completion: .directory)
  var second: String

  func run() async throws {
    Interruption.begin()
    let differences = try await FixtureExit.translating { try FixtureDiff.run(first, second) }
    let output = StandardOutput()
    for difference in differences {
      try output.writeLine(difference.file.displayed)
      for detail in difference.details { try output.writeLine("  \(detail.displayed)") }
    }
    try output.flush()
    guard differences.isEmpty else {
      let count = differences.count
      throw Failure("\(count) \(count == 1 ? "file differs" : "files differ")", .failed)
    }
  }
}

/// How the commands for fixtures end.
enum FixtureExit {
  static let help = """
    EXIT CODES:
      0    done
      1    could not be written or read, or something is in the way
      64   wrong usage, options that contradict each other
      65   no set of fixtures, or not what its manifest says
      130  interrupted (Ctrl-C)
    """

  /// Runs `body`, and says what went wrong as the program does.
  static func translating<T: Sendable>(_ body: () async throws -> T) async throws -> T {
    do { return try await body() } catch { throw translated(error) }
  }

  private static func translated(_ error: any Error) -> any Error {
    guard let error = error as? FixtureError else { return error }
    return switch error {
    case .options(let text): Failure(text, .usage)
    case .refused(let text): Failure(text, hint: "Choose another --out, or add --force.", .failed)
    case .failed(let text): Failure(text, .failed)
    case .unreadable(let text): Failure(text, .badData)
    case .cancelled: Interrupted()
    }
  }
}
