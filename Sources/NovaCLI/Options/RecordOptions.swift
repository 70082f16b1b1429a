import ArgumentParser
import NovaCore
import NovaSDK

/// How records are written.
struct RecordOutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "The format of the output.")
  var output: OutputFormat = .table

  @Option(help: ArgumentHelp("Which fields to show, with commas between.", valueName: "names"))
  var fields: String?

  func validate() throws {
    if fields != nil, output == .ids { throw ValidationError("--output ids shows no fields; leave --fields away") }
  }

  /// The shape of records of a type.
  func shape(
    _ type: any ProtoMessage.Type, columns: [String]? = nil
  ) throws -> RecordShape {
    try shape(type.descriptor, columns: columns)
  }

  /// The shape of records that a descriptor describes.
  func shape(_ descriptor: MessageDescriptor, columns: [String]? = nil) throws -> RecordShape {
    try RecordShape(descriptor, columns: columns, picked: fields)
  }
}

/// How much of a list that has no pages is wanted.
struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many at most. Default: what the server gives.", valueName: "count"))
  var limit: Int?

  func validate() throws {
    if let limit, !(1...Int(Int32.max)).contains(limit) {
      throw ValidationError("--limit is \(limit); it must be 1 or more")
    }
  }
}

/// How much of a list that is read by cursor is wanted.
struct CursorOptions: ParsableArguments {
  @OptionGroup var limit: LimitOptions

  @Option(help: ArgumentHelp("Where to begin: next_cursor of the page before.", valueName: "cursor"))
  var cursor: String?

  @Flag(help: "Read the list to its end, or to --limit, page by page.")
  var all = false

  func validate() throws {
    if all, cursor != nil { throw ValidationError("--all starts at the top; leave --cursor away, or --all") }
  }
}

/// On whose behalf something is done.
struct ActorOptions: ParsableArguments {
  @Option(
    name: .customLong("as"), help: ArgumentHelp("Who does it. Default: whoever is signed in.", valueName: "user-id"))
  var user: UserID?
}
