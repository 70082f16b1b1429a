import ArgumentParser
import NovaSDK

// Option groups are not nested more deeply than a command's options: a debug build of the parser checks each group four
// times for every group around it.

/// The formats that a command can print.
protocol OutputFormats: RawRepresentable<String>, ExpressibleByArgument, CaseIterable, Sendable {
  static var help: ArgumentHelp { get }
  /// How tables show times unless an option says otherwise.
  static var defaultTime: String { get }
  /// Whether a table, or what is printed in its place, goes to standard output.
  static var printsTables: Bool { get }
}

extension OutputFormats {
  static var defaultTime: String { "relative on a terminal, otherwise iso" }
  static var printsTables: Bool { true }
}

/// The formats of a list.
enum ListFormat: String, OutputFormats {
  case table, json, ndjson, ids

  static let help = ArgumentHelp(
    "The format of the output. Default: table.",
    discussion: """
      ids prints one ID per line. It fails with exit code 65 for an ID that a script could misread: one with a \
      control or invisible character, white space, a quotation mark, a backslash, or a leading hyphen. On a terminal, \
      JSON escapes characters that are unsafe to display.
      """)
}

/// The formats of a single result.
enum ResultFormat: String, OutputFormats {
  case table, json, ndjson

  static let help: ArgumentHelp = "The format of the output."
  /// Changes are confirmed on standard error.
  static let printsTables = false
}

/// The output format of results.
struct OutputOptions<Format: OutputFormats>: ParsableArguments {
  @Option(name: [.customShort("o"), .customLong("output")], help: Format.help)
  var chosen: Format?

  @Option(help: .value("style", "How tables show times: iso, unix, or relative. Default: \(Format.defaultTime)."))
  var time: TimeStyle?

  var format: OutputFormat? { chosen.flatMap { OutputFormat(rawValue: $0.rawValue) } }
}

/// What is done with results before they are printed; the same for all commands with data.
struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Filter the JSON output with a jq expression; requires the program jq.",
      discussion: """
        Strings are printed without quotation marks. With -o ndjson, jq gets each item of a list as soon as it is read.
        """,
      valueName: "expression"))
  var jq: String?

  @Option(
    help: ArgumentHelp(
      "Print each record with this template: '{{id}}\\t{{content}}'.",
      discussion: """
        {{name}} is a field, and {{name.name}} a field within it. \\n and \\t are a line break and a tab, \\{ and \\} are \
        braces.
        """,
      valueName: "template"), transform: OutputTemplate.init(parsing:))
  var template: OutputTemplate?

  func validate() throws {
    if jq != nil, template != nil { throw ValidationError("--jq and --template cannot be combined") }
  }

  var isUsed: Bool { jq != nil || template != nil }

  /// Writes what the filter makes of one record, and nothing else, to standard output.
  ///
  /// - Throws: ``Failure`` if jq cannot be run or does not accept the expression.
  func write(_ record: JSONValue) throws {
    let output = try standardOutput()
    // A template reads lines.
    try output.writeLine(record, as: template == nil ? .json : .ndjson)
    try output.finish()
  }

  /// Standard output, with what the filter makes of it.
  ///
  /// - Throws: ``Failure`` if jq cannot be run or does not accept the expression.
  func standardOutput() throws -> StandardOutput {
    if let template { return StandardOutput(filter: TemplateFilter(template)) }
    if let jq {
      // Before anything is sent.
      try JQFilter.check(jq)
      return StandardOutput(filter: try JQFilter(jq))
    }
    return StandardOutput()
  }
}

/// What is shown of a list of records.
struct FieldOptions: ParsableArguments {
  @Option(help: .value("names", "Fields to show, separated by commas."), completion: Completions.fields)
  var fields: String?
}
