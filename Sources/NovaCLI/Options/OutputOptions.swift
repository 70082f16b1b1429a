import ArgumentParser
import NovaCore
import NovaSDK

/// How results are shown; the same for all commands with data.
struct ViewOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Filter the JSON output with a jq expression; requires the program jq.",
      discussion: """
        Texts are printed without quotation marks. With -o ndjson, jq gets each item of a list as soon as it is read.
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

  @Option(
    help: ArgumentHelp(
      "How tables show times: iso, unix or relative. Default: relative on a terminal, otherwise iso.",
      valueName: "style"))
  var time: TimeStyle?

  /// The format of the output if the user chose `chosen`.
  func format(_ chosen: OutputFormat?) -> OutputFormat? {
    if template != nil { return .ndjson }
    return jq == nil ? chosen : chosen ?? .json
  }

  /// - Throws: ValidationError for options that exclude each other.
  func check(_ chosen: OutputFormat?) throws {
    if jq != nil, template != nil { throw ValidationError("--jq and --template cannot be combined") }
    if template != nil, chosen != nil { throw ValidationError("--template and --output cannot be combined") }
    if jq != nil, chosen == .table || chosen == .ids {
      throw ValidationError("invalid --output: --jq reads JSON; use json or ndjson")
    }
    if time != nil, let format = format(chosen), format != .table {
      throw ValidationError("--time applies to tables only: JSON has the times of the server")
    }
  }

  /// Standard output behind the filter, if there is one.
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

  /// How values look in tables.
  var cells: CellText {
    let isTerminal = System.isTerminal(System.standardOutput)
    let times = time.map { TimeText($0) } ?? .standard(onTerminal: isTerminal)
    return CellText(times: times, isForTerminal: isTerminal)
  }
}

/// The output options of a command.
protocol OutputChoice: ParsableArguments {
  var view: ViewOptions { get }
}

extension OutputChoice {
  /// - Throws: ``Failure`` for a field of the template that the message does not have.
  func check(_ descriptor: MessageDescriptor) throws { try view.template?.check(descriptor) }
}

/// The output format of a list.
struct ListOutputOptions: OutputChoice {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The format of the output. Default: table.",
      discussion: """
        ids prints one ID per line. It fails with exit code 65 for an ID that a script could misread: one with a control \
        or invisible character, white space, a quotation mark or a backslash, or with a leading hyphen. On a terminal, \
        JSON escapes characters that are unsafe to display.
        """))
  var chosen: OutputFormat?

  @OptionGroup var view: ViewOptions

  var output: OutputFormat { view.format(chosen) ?? .table }

  func validate() throws { try view.check(chosen) }
}

/// The output format of a list of IDs.
struct IDListOutputOptions: OutputChoice {
  @OptionGroup var list: ListOutputOptions
  @OptionGroup var selection: FieldOptions
  @OptionGroup var names: NameOptions

  var view: ViewOptions { list.view }
  var output: OutputFormat { list.output }

  func validate() throws {
    try selection.check(output)
    if names.ids, selection.fields != nil { throw ValidationError("--ids and --fields cannot be combined") }
  }

  /// The shape of a list of these IDs.
  ///
  /// - Parameters:
  ///   - key: the name of an ID: `user_id`.
  ///   - column: the field of the record behind an ID that tables show.
  func shape(_ key: String, column: String) throws -> RecordShape {
    let descriptor = IDWriter.descriptor(key)
    try check(descriptor)
    // A template selects the fields that it names.
    let named = view.template?.names ?? []
    let picked = selection.fields ?? (named.isEmpty ? nil : named.joined(separator: ","))
    return try RecordShape(
      descriptor, columns: names.ids ? [key] : [key, column], picked: picked, id: key, format: output, cells: view.cells
    )
  }
}

/// The fields to show.
struct FieldOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Fields to show, separated by commas.", valueName: "names"))
  var fields: String?

  /// - Throws: ValidationError if the format has no fields.
  func check(_ format: OutputFormat) throws {
    if fields != nil, format == .ids { throw ValidationError("--output ids and --fields cannot be combined") }
  }
}

/// The output format of a single result.
struct ResultOutputOptions: OutputChoice {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The format of the output: table, json or ndjson.", valueName: "output"))
  var chosen: OutputFormat?

  @OptionGroup var view: ViewOptions

  var output: OutputFormat? { view.format(chosen) }

  func validate() throws {
    if chosen == .ids {
      throw ValidationError("invalid --output: this command lists no ids; use table, json or ndjson")
    }
    try view.check(chosen)
  }
}

/// The output format of records.
struct RecordOutputOptions: OutputChoice {
  @OptionGroup var list: ListOutputOptions
  @OptionGroup var selection: FieldOptions

  var view: ViewOptions { list.view }
  var output: OutputFormat { list.output }
  var fields: String? { selection.fields }

  func validate() throws { try selection.check(output) }

  /// The shape of records of a type.
  func shape(_ type: any ProtoMessage.Type, columns: [String]? = nil) throws -> RecordShape {
    try shape(type.descriptor, columns: columns)
  }

  /// The shape of records that a descriptor describes.
  func shape(_ descriptor: MessageDescriptor, columns: [String]? = nil, id: String = "id") throws -> RecordShape {
    try check(descriptor)
    return try RecordShape(
      descriptor, columns: columns, picked: fields, id: id, format: output, cells: view.cells)
  }
}
