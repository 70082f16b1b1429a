import ArgumentParser
import NovaCore
import NovaSDK

/// The output format of a list of IDs.
struct ListOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The format of the output.",
      discussion: """
        ids prints one ID per line. It fails with exit code 65 for an ID that a script could misread: one with a control \
        or invisible character, white space, a quotation mark or a backslash, or with a leading hyphen. On a terminal, \
        JSON escapes characters that are unsafe to display.
        """))
  var output: OutputFormat = .table
}

/// The output format of a single result.
struct ResultOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The format of the output: table, json or ndjson.", valueName: "output"))
  var output: OutputFormat?

  func validate() throws {
    if output == .ids {
      throw ValidationError("invalid --output: this command lists no ids; use table, json or ndjson")
    }
  }
}

/// The output format of records.
struct RecordOutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "The format of the output.")
  var output: OutputFormat = .table

  @Option(help: ArgumentHelp("Fields to show, separated by commas.", valueName: "names"))
  var fields: String?

  func validate() throws {
    if fields != nil, output == .ids { throw ValidationError("--output ids and --fields cannot be combined") }
  }

  /// The shape of records of a type.
  func shape(_ type: any ProtoMessage.Type, columns: [String]? = nil) throws -> RecordShape {
    try shape(type.descriptor, columns: columns)
  }

  /// The shape of records that a descriptor describes.
  func shape(_ descriptor: MessageDescriptor, columns: [String]? = nil, id: String = "id") throws -> RecordShape {
    try RecordShape(descriptor, columns: columns, picked: fields, id: id, format: output)
  }
}
