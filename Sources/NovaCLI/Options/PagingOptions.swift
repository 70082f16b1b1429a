import ArgumentParser

/// The part of a list to read.
struct PagingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Maximum number of items. Default: the server's, usually 50.", valueName: "count"))
  var limit: Int?

  @Option(help: ArgumentHelp("Number of items to skip.", valueName: "count"))
  var offset: Int?

  @Flag(
    help: ArgumentHelp(
      "Read all pages, or up to --limit items.",
      discussion: "Without --limit, stops after 1000000 items with exit code 1. --timeout limits each page."))
  var all = false

  var part: ListPart { all ? .all(maximum: limit) : .page(limit: limit ?? 0, offset: offset ?? 0) }

  func validate() throws {
    if let limit, !(1...Int(Int32.max)).contains(limit) {
      throw ValidationError("invalid --limit: must be 1 or more, got \(limit)")
    }
    if let offset, !(0...Int(Int32.max)).contains(offset) {
      throw ValidationError("invalid --offset: must be 0 or more, got \(offset)")
    }
    if all, offset != nil { throw ValidationError("--all and --offset cannot be combined") }
  }
}

/// The maximum length of a list without pages.
struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Maximum number of items. Default: the server's.", valueName: "count"))
  var limit: Int?

  func validate() throws {
    if let limit, !(1...Int(Int32.max)).contains(limit) {
      throw ValidationError("invalid --limit: must be 1 or more, got \(limit)")
    }
  }
}

/// The part of a list with cursors to read.
struct CursorOptions: ParsableArguments {
  @OptionGroup var limit: LimitOptions

  @Option(help: ArgumentHelp("Where to begin: next_cursor of the previous page.", valueName: "cursor"))
  var cursor: String?

  @Flag(help: "Read all pages, or up to --limit items.")
  var all = false

  func validate() throws {
    if all, cursor != nil { throw ValidationError("--all and --cursor cannot be combined") }
  }
}
