import ArgumentParser
import NovaFixtureFiles

struct FixturesMergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the shards of a set into the complete set.",
    usage: "nova fixtures merge <directory>... --out <directory> [--force]",
    discussion: """
      nova fixtures merge shards --out fixtures
      nova fixtures merge shards/* --out fixtures

      Each directory is a shard that `nova fixtures generate --shard` wrote, or has shards. The order does not matter. The result has \
      the same bytes as a set that one process wrote, in every format.

      All shards must be there once, and of one set: the same seed, size, formats, dialect, entities, password, and \
      requests with responses. Their files must be unchanged. The shards remain: the directory to write can't be one of \
      them, contain one, or be in one, even with --force. Of a directory that has shards, everything without manifest.json \
      is ignored.

      \(FixtureExit.help)
      """)

  @Argument(
    help: .value("directory", "The directories of all shards, or the one that has them."), completion: .directory)
  var shards: [String]

  @Option(help: .value("directory", "The directory to write."), completion: .directory)
  var out: String

  @Flag(help: "Replace the directory, whatever its content, except shards.")
  var force = false

  func run() async throws {
    Interruption.begin(grace: 10)
    let bar = ProgressBar(isShown: true)
    let manifest = try await FixtureExit.translating {
      defer { bar.clear() }
      return try FixtureMerge.run(shards, to: out, force: force) { bar.show(ProgressLine($0)) }
    }
    try StandardOutput.print(
      "\(manifest.seed): \(manifest.recordCount) records, \(manifest.files.count) files, \(manifest.byteCount) bytes in "
        + out.displayed)
  }
}
