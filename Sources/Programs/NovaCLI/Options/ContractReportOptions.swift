import ArgumentParser
import NovaCore

/// The formats and the destinations of a contract report.
struct ContractReportOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("report")],
    help: .value(
      "format",
      "Report to write: table, json, junit, or ctrf; contract check also has markdown, sarif, and github. With =<file> into a file. Can be repeated. Default: table."
    ),
    completion: .list(ContractReportFormat.allCases.map(\.rawValue)))
  private var reports: [ContractReportDestination] = []

  @Option(help: .value("file", "File for the report without a file (default: standard output)."), completion: .file())
  var out: String?

  /// Whether a report was asked for.
  var isGiven: Bool { !reports.isEmpty }

  /// What to write where; nil for standard output.
  var destinations: [ContractReportDestination] {
    let all = reports.isEmpty ? [ContractReportDestination(format: .table, path: nil)] : reports
    return all.map { ContractReportDestination(format: $0.format, path: $0.path ?? out) }
  }

  func validate() throws {
    if reports.count(where: { $0.path == nil }) > 1 {
      throw ValidationError("only one report can go to standard output or --out; write the others with =<file>")
    }
    if out != nil, !reports.isEmpty, !reports.contains(where: { $0.path == nil }) {
      throw ValidationError("--out has no report to write: every --report has a file of its own")
    }
    let paths = destinations.compactMap(\.path)
    if paths.contains("") { throw ValidationError("invalid --report or --out: expected the path of a file") }
    if Self.hasRepetition(paths) { throw ValidationError("two reports have the same file") }
  }

  /// Checks before a long run that the reports can be written.
  func checkFiles() throws {
    for path in destinations.compactMap(\.path) { try Failure.writing(path) { try System.checkWritable(path) } }
  }

  /// Refuses to write a report over the baseline.
  func validate(baseline: String?) throws {
    for path in destinations.compactMap(\.path) {
      if let baseline, Self.hasRepetition([path, baseline]) {
        throw ValidationError("a report and the baseline have the same file \(path.quoted)")
      }
    }
  }

  /// Whether two paths are those of the same file.
  private static func hasRepetition(_ paths: [String]) -> Bool {
    Set(paths.map { ((try? System.canonicalPath($0)) ?? $0).byteKey }).count < paths.count
  }
}

/// Whether a check reports its coverage.
struct ContractCoverageOptions: ParsableArguments {
  @Flag(
    help:
      "Also report how much of the contract was tried, and what was not: statuses, fields, and constraints of each RPC, by the way they come."
  )
  var coverage = false
}

/// A format, and the file to write it to: `junit=contract.xml`.
struct ContractReportDestination: ExpressibleByArgument {
  let format: ContractReportFormat
  /// Nil for standard output.
  let path: String?

  init(format: ContractReportFormat, path: String?) {
    self.format = format
    self.path = path
  }

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let format = ContractReportFormat(rawValue: parts[0]) else { return nil }
    self.init(format: format, path: parts.count > 1 ? parts[1] : nil)
  }
}

enum ContractReportFormat: String, CaseIterable {
  /// For people.
  case table
  case json
  /// XML as CI servers read it.
  case junit
  /// JSON as ctrf.io defines it.
  case ctrf
  case markdown
  /// For code scanning.
  case sarif
  /// Annotations of GitHub Actions.
  case github
}
