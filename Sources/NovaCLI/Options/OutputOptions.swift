import ArgumentParser

/// How a list is written.
struct ListOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The format of the output.",
      discussion: """
        ids writes one id a line, and fails (exit code 65) at an id that a script could misread: one with a control or \
        invisible character, white space, a quotation mark or a backslash in it, or a hyphen in front. JSON on a \
        terminal has escapes for characters that are not safe to show.
        """))
  var output: OutputFormat = .table
}

/// How a single result is written.
struct ResultOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The format of the output: table, json or ndjson.", valueName: "output"))
  var output: OutputFormat?

  func validate() throws {
    if output == .ids { throw ValidationError("there are no ids to list here; use table, json or ndjson for --output") }
  }
}

/// Which part of a list is wanted.
struct PagingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many at most. Default: what the server gives, usually 50.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("How many of the newest to skip.", valueName: "count"))
  var offset: Int?

  @Flag(
    help: ArgumentHelp(
      "Read the list to its end, or to --limit, page by page.",
      discussion: "Without --limit it stops after 1000000 items with exit code 1. --timeout limits each page."))
  var all = false

  var part: ListPart { all ? .all(maximum: limit) : .page(limit: limit ?? 0, offset: offset ?? 0) }

  func validate() throws {
    if let limit, !(1...Int(Int32.max)).contains(limit) {
      throw ValidationError("--limit is \(limit); it must be 1 or more")
    }
    if let offset, !(0...Int(Int32.max)).contains(offset) {
      throw ValidationError("--offset is \(offset); it must not be negative")
    }
    if all, offset != nil { throw ValidationError("--all starts at the newest; leave --offset away, or --all") }
  }
}
