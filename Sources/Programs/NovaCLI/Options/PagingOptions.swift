import ArgumentParser
import NovaCore

// The options of lists, each declared once: what a list supports is a combination of them.

/// The maximum length of a list.
struct LimitOptions: ParsableArguments {
  @Option(help: .value("count", "Maximum number of items. Default: the server's, usually 50; with --all, no maximum."))
  var limit: Int?

  func validate() throws {
    if let limit, !(1...Int(Int32.max)).contains(limit) {
      throw ValidationError("invalid --limit: must be 1 or more, got \(limit)")
    }
  }
}

/// How much of a list with pages to read.
struct ExtentOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Read all pages, or up to --limit items.",
      discussion: "Without --limit, stops after 1000000 items with exit code 1. --timeout limits each page."))
  var all = false
}

/// Where to begin in a list that counts its items.
struct OffsetOptions: ParsableArguments {
  @Option(help: .value("count", "Number of items to skip."))
  var offset: Int?

  func validate() throws {
    if let offset, !(0...Int(Int32.max)).contains(offset) {
      throw ValidationError("invalid --offset: must be 0 or more, got \(offset)")
    }
  }
}
