import ArgumentParser
import NovaContract
import NovaCore

struct ContractMergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the shards of a check or of a suite into its report.",
    usage: "nova contract merge <file>... [--baseline <file>] [--report <format>] [<options>]",
    discussion: """
      nova contract merge shards
      nova contract merge shards/*.json
      nova contract merge shards/*.json --report table --report junit=contract.xml
      nova contract merge shards/*.json --baseline contract-baseline.json

      Each file is a shard that `nova contract check --shard` or `nova contract suite --shard` wrote; of a directory, \
      each .json file is. The order does not matter. The report has the findings, counts, and coverage of a run without shards, in the same order, and \
      the command ends with the exit code of that run.

      All shards must be there once, and of one run: the same target, RPCs or scenarios, options, and version of nova. \
      Durations are those of the shards; the start is that of the first one. What a check left behind is listed for \
      all shards, because each one registers accounts.

      EXIT CODES:
        0    no differences that fail the check, or only known ones; all scenarios passed
        1    differences that fail the check, a failed scenario, or nothing was checked; an RPC responded to all \
      requests with 429 or 503; or the report or the baseline cannot be written
        4    nothing that fails the check, but some RPCs require authentication or another account
        64   invalid usage
        65   a file is missing or not a shard, a shard is missing, or the shards are of different runs; the baseline \
      is missing or invalid
      """)

  @Argument(
    help: .value("file", "The files of all shards, or the directory that has them."),
    completion: .file(extensions: ["json"]))
  var shards: [String]

  @Option(help: .value("grade", "Least severe grade that fails the check: breaking or tolerated."))
  var failOn = FailingGrade.breaking

  @OptionGroup(title: "Baseline") var baseline: ContractBaselineOptions
  @OptionGroup(title: "Report") var format: ContractReportOptions
  @OptionGroup(title: "Report") var extent: ContractCoverageOptions

  func validate() throws { try format.validate(baseline: baseline.baseline) }

  func run() async throws {
    let files = try shards.flatMap(Self.files).map { (path: $0.shownPath, bytes: try read($0)) }
    if let suite = files.first(where: { ContractSuiteShard.isKind(of: $0.bytes) }) {
      if let other = files.first(where: { !ContractSuiteShard.isKind(of: $0.bytes) }) {
        throw Failure(
          "cannot merge \(suite.path) and \(other.path): only the first is a shard of a suite",
          hint: "Merge checks and suites separately.", .badData)
      }
      return try mergeSuite(files)
    }
    let known = try baseline.read()
    var report = try merged(files, reading: ContractCheckShard.init(jsonUTF8:), merging: ContractCheckShard.merged)
    report.failsOn = failOn.grade
    report.showsCoverage = extent.coverage
    let written = Result { try baseline.finish(known, &report) }
    try ContractReportWriter(options: format).write(report)
    report.warnAboutStaleEntries()
    try written.get()
    if let failure = ContractCheckCommand.failure(report, signIn: "nova login") { throw failure }
  }

  private func mergeSuite(_ files: [(path: String, bytes: [UInt8])]) throws {
    let report = try merged(files, reading: ContractSuiteShard.init(jsonUTF8:), merging: ContractSuiteShard.merged)
    for destination in format.destinations where ![.table, .json, .junit, .ctrf].contains(destination.format) {
      throw ValidationError("a suite has no \(destination.format) report; choose table, json, junit, or ctrf")
    }
    if baseline.baseline != nil || extent.coverage || failOn != .breaking {
      throw ValidationError("--baseline, --coverage, and --fail-on are for checks, and these are shards of a suite")
    }
    try ContractReportWriter(options: format).write(report)
    if let failure = ContractSuiteCommand.failure(report) { throw failure }
  }

  /// The JSON files of a directory; otherwise the path.
  private static func files(in path: String) -> [String] {
    let names = SystemIO.fileNames(in: path).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
    return names.isEmpty ? [path] : names.map { "\(path)/\($0)" }
  }

  private func read(_ path: String) throws -> [UInt8] {
    guard path == "-" || System.fileExists(path) else {
      throw Failure(
        "cannot read the shard \(path.shownPath): there is no such file",
        hint: "Write it with --shard and --out.", .badData)
    }
    guard !System.isDirectory(path) else {
      throw Failure(
        "cannot read shards: the directory \(path.shownPath) has no .json files",
        hint: "Write them with --shard and --out.", .badData)
    }
    return try Input.read(path).bytes
  }

  /// Reads and merges shards, and reports problems with them as invalid data.
  private func merged<Shard, Report>(
    _ files: [(path: String, bytes: [UInt8])], reading read: ([UInt8]) throws(ContractShardError) -> Shard,
    merging merge: ([(shard: Shard, place: String)]) throws(ContractShardError) -> Report
  ) throws -> Report {
    var shards: [(shard: Shard, place: String)] = []
    for file in files {
      do throws(ContractShardError) {
        shards.append((try read(file.bytes), file.path))
      } catch {
        throw Failure("cannot read the shard \(file.path): \(error)", .badData)
      }
    }
    do throws(ContractShardError) {
      return try merge(shards)
    } catch {
      throw Failure("cannot merge: \(error)", .badData)
    }
  }
}
