import ArgumentParser

// The options of lists, each declared once: what a list supports is a combination of them.

/// The maximum length of a list.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum number of items. Default: the server's, usually 50; with --all, no maximum.", valueName: "count"))
  var limit: Int?

  func validate() throws {
    if let limit, !(1...Int(Int32.max)).contains(limit) {
      throw ValidationError("invalid --limit: must be 1 or more, got \(limit)")
    }
  }
}

/// How much of a list with pages to read.
struct ExtentOptions: ParsableArguments {
  @OptionGroup var limit: LimitOptions

  @Flag(
    help: ArgumentHelp(
      "Read all pages, or up to --limit items.",
      discussion: "Without --limit, stops after 1000000 items with exit code 1. --timeout limits each page."))
  var all = false
}

/// The part of a list to read.
struct PagingOptions: ParsableArguments {
  @OptionGroup var extent: ExtentOptions

  @Option(help: ArgumentHelp("Number of items to skip.", valueName: "count"))
  var offset: Int?

  var part: ListPart {
    let limit = extent.limit.limit
    return extent.all ? .all(maximum: limit) : .page(limit: limit ?? 0, offset: offset ?? 0)
  }

  func validate() throws {
    if let offset, !(0...Int(Int32.max)).contains(offset) {
      throw ValidationError("invalid --offset: must be 0 or more, got \(offset)")
    }
    if extent.all, offset != nil { throw ValidationError("--all and --offset cannot be combined") }
  }
}

/// The part of a list with cursors to read.
struct CursorOptions: ParsableArguments {
  @OptionGroup var extent: ExtentOptions

  @Option(help: ArgumentHelp("Where to begin: next_cursor of the previous page.", valueName: "cursor"))
  var cursor: String?

  var limit: Int? { extent.limit.limit }
  var all: Bool { extent.all }

  func validate() throws {
    if all, cursor != nil { throw ValidationError("--all and --cursor cannot be combined") }
  }
}
