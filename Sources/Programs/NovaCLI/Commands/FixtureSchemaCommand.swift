import ArgumentParser
import NovaFixtureFiles

struct FixturesSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the fields of the records as a .proto file.",
    usage: "nova fixtures schema [--entities <entities>]",
    discussion: """
      nova fixtures schema
      nova fixtures schema --entities users,posts > fixtures.proto

      For each entity, there is a message that has all of its records, and the message of a record. Converters take the \
      types of columns from it.
      """)

  @Option(
    help: ArgumentHelp("The entities, separated by commas. Default: all.", valueName: "entities"),
    completion: Completions.list { FixtureEntity.allCases.map(\.rawValue) },
    transform: FixtureArgument.names)
  var entities: [FixtureEntity] = FixtureEntity.allCases

  func run() throws {
    try StandardOutput.print(
      FixtureSchema.proto(of: entities).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
        String.init))
  }
}
