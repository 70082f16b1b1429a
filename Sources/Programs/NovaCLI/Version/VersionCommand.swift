import ArgumentParser
import NovaCore

struct VersionCommand: ParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Show the versions of nova, its libraries, and the system.",
    usage: "nova version [--output <output>]",
    discussion: """
      nova version
      nova version --json
      nova version --jq .commit

      Shows the version and commit of nova, the package traits that were compiled in, and the libraries that nova loads \
      when it first needs them: libcurl and its TLS library, OpenSSL, SQLite, libpq, nghttp2, and zlib. For a missing \
      library, it shows what does not work, and how to install it. The commit is unknown in builds other than those of \
      `make release`. `nova --version` prints the version alone. Include the output in reports of faults.
      """)

  @Flag(help: "Print JSON, as --output json does.") var json = false
  @OptionGroup var output: OutputOptions<ResultFormat>
  @OptionGroup var filter: FilterOptions

  func validate() throws {
    try checkOutput()
    if json, filter.isUsed || output.format != nil {
      throw ValidationError("--json cannot be combined with --output, --jq, or --template")
    }
  }

  func run() throws {
    let version = ProgramVersion()
    let (format, record) = (json ? .json : format, version.json)
    try filter.template?.check(record)
    let output = try filter.standardOutput()
    switch format {
    case .table, .ids: try output.writeRows(version.rows)
    case .json, .ndjson: try output.writeLine(record, as: format)
    }
    try output.finish()
  }
}
