import ArgumentParser
import NovaCore

// The options of lists, each declared once: what a list supports is a combination of them.

/// The maximum length of a list.
struct LimitOptions: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long],
    help: .value(
      "count",
      "Maximum number of items, in as many requests as needed. Default: one page, usually 50; with --all, no maximum."))
  var limit: Int?

  func validate() throws {
    if let limit { try Self.check(limit) }
  }

  /// - Throws: ValidationError for a limit that no server takes.
  static func check(_ limit: Int, named name: String = "--limit", from lowest: Int = 1) throws {
    if limit < lowest { throw ValidationError("invalid \(name): must be \(lowest) or more, got \(limit)") }
    if limit > Int(Int32.max) { throw ValidationError("invalid \(name): must be at most \(Int32.max), got \(limit)") }
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
    if let offset { try LimitOptions.check(offset, named: "--offset", from: 0) }
  }
}
