import ArgumentParser
import NovaCore
import NovaFixtureFiles
import NovaFixtures
import NovaMockWorlds

struct Fixtures: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixtures", abstract: "Write, check, and compare test data: a network generated from a seed.",
    subcommands: [
      FixturesGenerateCommand.self, FixturesMergeCommand.self, FixturesCheckCommand.self, FixturesDiffCommand.self,
      FixturesListCommand.self,
      FixturesSchemaCommand.self,
    ])
}

struct FixturesGenerateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write a set of test data to a directory.",
    usage:
      "nova fixtures generate --out <directory> [--seed <seed>] [--users <count>] [--format <formats>] [<options>]",
    discussion: """
      nova fixtures generate --out fixtures
      nova fixtures generate --seed nova1:42 --users 100000 --out fixtures
      nova fixtures generate --format json --dialect canonical --out fixtures
      nova fixtures generate --entities users,posts --format sqlite --out fixtures
      nova fixtures generate --format postgresql --out fixtures
      nova fixtures generate --users 100 --edge all --export wiremock,postman --out fixtures
      nova fixtures generate --users 1000000 --shard 2/8 --out shards/2

      The same options give the same bytes, on every machine and in every version that supports the seed's scheme. \
      manifest.json in the directory lists the options and the SHA-256 of each file.

      With --shard, several processes or machines each write a part; `nova fixtures merge` makes the complete set \
      of all parts, with the same bytes as without --shard.

      The directory is replaced atomically when everything is written; if something fails, it is unchanged. Files \
      that were changed, or not written by nova fixtures, are replaced only with --force.

      \(FixtureExit.help)
      """)

  @Option(
    help: .value("seed", "The seed of all values: nova1: and a number. Default: nova1:1."),
    transform: FixtureArgument.seed)
  var seed = Seed(1)

  @OptionGroup(title: "Size") var size: FixtureSizeOptions

  @Option(
    help: ArgumentHelp(
      "json, ndjson, proto-binary, csv, sqlite, or postgresql, separated by commas. Default: ndjson.",
      valueName: "formats"), completion: Completions.list { FixtureFormat.allCases.map(\.rawValue) },
    transform: FixtureArgument.names)
  var format: [FixtureFormat] = [.ndjson]

  @Option(
    help: ArgumentHelp(
      "The JSON dialect: wire, canonical, camel, defaults-omitted or legacy-times. Default: wire, the contract's.",
      valueName: "dialect"), completion: Completions.names { FixtureDialect.allCases.map(\.rawValue) },
    transform: FixtureArgument.name)
  var dialect = FixtureDialect.wire

  @Option(
    help: ArgumentHelp("The entities to write, separated by commas. Default: all.", valueName: "entities"),
    completion: Completions.list { FixtureEntity.allCases.map(\.rawValue) },
    transform: FixtureArgument.names)
  var entities: [FixtureEntity] = FixtureEntity.allCases

  @Option(
    help: .value(
      "text",
      "The password of all accounts in `nova serve --fixtures`: test data, never a real one. Default: fixture-password."
    ),
    transform: FixtureArgument.password)
  var password = WorldPassword.standard

  @OptionGroup(title: "Requests with responses") var exchanges: FixtureExchangeOptions

  @Option(
    help: .value("shard", "Write one part of the set: 2/8 for the second of eight, or index:1/8, counted from 0."),
    transform: ShardArgument.shard)
  var shard: WorkShard?

  @Option(help: .value("directory", "The directory to write."), completion: .directory)
  var out: String

  @Flag(help: "Replace the directory, whatever its content.")
  var force = false

  func run() async throws {
    Interruption.begin(grace: 10)
    let bar = ProgressBar(isShown: true)
    let manifest = try await FixtureExit.translating {
      let options = try FixtureOptions(
        seed: seed, size: size.size, formats: format, dialect: dialect, entities: entities, password: password)
      // First, because the directory may contain other files, and the responses take time.
      let directory = try OutputDirectory(for: out, force: force)
      let part = shard.map { FixtureShard($0, exchanges: exchanges.names(options)) }
      let files = part?.hasExchanges == false ? nil : try await exchanges.files(options)
      let set = FixtureSet(options, exchanges: files, shard: part)
      defer { bar.clear() }
      return try set.write(into: directory) { bar.show(ProgressLine($0)) }
    }
    let part = shard.map { ", shard \($0)" } ?? ""
    try StandardOutput.print(
      "\(manifest.seed)\(part): \(manifest.recordCount) records, \(manifest.files.count) files, \(manifest.byteCount) bytes in "
        + out.displayed)
  }
}

struct FixturesListCommand: ParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the entities, formats, dialects, edge cases, and exports of a set.",
    usage: "nova fixtures list [--output <output>]",
    discussion: """
      nova fixtures list
      nova fixtures list --jq '.[] | select(.kind == "edge").name'

      Each row is a value for --entities, --format, --dialect, --edge or --export of `nova fixtures generate`.
      """)

  @OptionGroup var output: OutputOptions<ListFormat>
  @OptionGroup var filter: FilterOptions

  func run() throws {
    var table = Table("KIND", "NAME", "DESCRIPTION", fit: TableFit(texts: [2], main: 2, wrapsLast: true))
    table.rows =
      FixtureEntity.allCases.map { ["entity", $0.rawValue, $0.message.name] }
      + FixtureFormat.allCases.map { ["format", $0.rawValue, $0.summary] }
      + FixtureDialect.allCases.map { ["dialect", $0.rawValue, $0.summary] }
      + EdgeCase.all.map { ["edge", $0.name, $0.summary.withoutPeriod] }
      + FixtureExport.allCases.map { ["export", $0.rawValue, $0.summary] }
    if format == .ids { return try StandardOutput.print(table.rows.map { $0[1] }) }
    let records = table.rows.map { row in
      JSONValue.members(("kind", .string(row[0])), ("name", .string(row[1])), ("description", .string(row[2])))
    }
    try table.print(format, json: records, showing: view)
  }
}

extension FixtureFormat {
  fileprivate var summary: String {
    switch self {
    case .json: "A JSON array for each entity"
    case .ndjson: "A JSON object on each line"
    case .protoBinary: "Binary protobuf, with the schema in fixtures.proto"
    case .csv: "RFC 4180 with a header row, and scripts that load the files into PostgreSQL"
    case .sqlite: "One SQLite database with foreign keys"
    case .postgresql: "A dump for psql: tables with keys, checks, and comments, and their rows"
    }
  }
}

extension FixtureDialect {
  fileprivate var summary: String {
    switch self {
    case .wire: "The contract's dialect"
    case .canonical: "lowerCamelCase, 64-bit integers as strings"
    case .camel: "lowerCamelCase"
    case .defaultsOmitted: "Without fields that have their default value"
    case .legacyTimes: "Times as yyyy-MM-dd HH:mm:ss"
    }
  }
}

extension FixtureExport {
  fileprivate var summary: String {
    switch self {
    case .wiremock: "WireMock mappings, a stub for each request"
    case .mockoon: "A Mockoon environment"
    case .postman: "A Postman collection, version 2.1"
    case .har: "An HTTP Archive, version 1.2"
    case .pact: "A Pact contract, version 4, with provider states for nova serve"
    }
  }
}
