import ArgumentParser
import NovaCore

/// How results are shown.
struct OutputView {
  let filter: FilterOptions
  let time: TimeStyle?
  /// Whether the results go to standard output, and not only a confirmation to standard error.
  let usesOutput: Bool

  /// How values look in tables.
  var cells: CellText {
    let isTerminal = System.isTerminal(System.standardOutput)
    let times = time.map { TimeText($0) } ?? .standard(onTerminal: isTerminal)
    return CellText(times: times, isForTerminal: isTerminal)
  }
}

/// A choice of an output format and a filter: a command, or the options of one.
protocol OutputChoice: ParsableArguments {
  associatedtype Format: OutputFormats

  var output: OutputOptions<Format> { get }
  var filter: FilterOptions { get }
}

extension OutputChoice {
  var view: OutputView {
    OutputView(filter: filter, time: output.time, usesOutput: Format.printsTables || format != .table)
  }

  /// The chosen format, or what a filter reads; nil for the command's default.
  var chosenFormat: OutputFormat? {
    if filter.template != nil { return .ndjson }
    return filter.jq == nil ? output.format : output.format ?? .json
  }

  /// The chosen format, or else a table.
  var format: OutputFormat { chosenFormat ?? .table }

  func validate() throws { try checkOutput() }

  /// - Throws: ValidationError for options that exclude each other.
  func checkOutput() throws {
    if filter.template != nil, output.format != nil {
      throw ValidationError("--template and --output cannot be combined")
    }
    if filter.jq != nil, output.format == .table || output.format == .ids {
      throw ValidationError("invalid --output: --jq reads JSON; use json or ndjson")
    }
    if output.time != nil, let chosenFormat, chosenFormat != .table {
      throw ValidationError("--time applies to tables only: JSON has the times of the server")
    }
  }

  /// - Throws: ``Failure`` for a field of the template that the message does not have.
  func check(_ descriptor: MessageDescriptor) throws { try filter.template?.check(descriptor) }
}

/// The options of a command that makes calls and shows the results.
protocol CommandOptions: OutputChoice {
  var connection: ConnectionOptions { get }
  var storing: StoreOptions { get }
}

/// The options of a command that shows a result.
struct ResultOptions: CommandOptions {
  @OptionGroup var output: OutputOptions<ResultFormat>
  @OptionGroup var filter: FilterOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions
  @OptionGroup(title: "Connection") var storing: StoreOptions
}

/// The options of a command that shows records, of which the user can pick fields.
protocol RecordShowing: CommandOptions {
  var selection: FieldOptions { get }
}

extension RecordShowing {
  var fields: String? { selection.fields }

  func validate() throws { try checkFields() }

  /// - Throws: ValidationError for options that exclude each other.
  func checkFields() throws {
    try checkOutput()
    if fields != nil, filter.template != nil {
      throw ValidationError("--template and --fields cannot be combined: the template names the fields")
    }
    if fields != nil, format == .ids { throw ValidationError("--output ids and --fields cannot be combined") }
  }

  /// The shape of records of a type.
  func shape(_ type: any ProtoMessage.Type, columns: [String]? = nil) throws -> RecordShape {
    try shape(type.descriptor, columns: columns)
  }

  /// The shape of records that a descriptor describes.
  ///
  /// - Parameter picked: the selected fields if no option selects any.
  func shape(
    _ descriptor: MessageDescriptor, columns: [String]? = nil, picked: String? = nil, id: String = "id"
  ) throws -> RecordShape {
    try check(descriptor)
    return try RecordShape(
      descriptor, columns: columns, picked: fields ?? picked, id: id, format: format, cells: view.cells)
  }
}

/// The options of a command that shows one record.
struct RecordOptions: RecordShowing {
  @OptionGroup var output: OutputOptions<ListFormat>
  @OptionGroup var filter: FilterOptions
  @OptionGroup var selection: FieldOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions
  @OptionGroup(title: "Connection") var storing: StoreOptions
}

/// The options of a command that lists records that come at once.
struct RecordListOptions: RecordShowing {
  @OptionGroup(title: "List") var output: OutputOptions<ListFormat>
  @OptionGroup(title: "List") var filter: FilterOptions
  @OptionGroup(title: "List") var selection: FieldOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions
  @OptionGroup(title: "Connection") var storing: StoreOptions
}

/// The options of a command that lists records page by page.
struct PagedOptions: RecordShowing {
  @OptionGroup(title: "List") var limit: LimitOptions
  @OptionGroup(title: "List") var extent: ExtentOptions
  @OptionGroup(title: "List") var start: OffsetOptions
  @OptionGroup(title: "List") var output: OutputOptions<ListFormat>
  @OptionGroup(title: "List") var filter: FilterOptions
  @OptionGroup(title: "List") var selection: FieldOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions
  @OptionGroup(title: "Connection") var storing: StoreOptions

  func validate() throws {
    try checkFields()
    if extent.all, start.offset != nil { throw ValidationError("--all and --offset cannot be combined") }
  }

  /// The part of the list to read.
  var part: ListPart {
    extent.all ? .all(maximum: limit.limit) : .page(limit: limit.limit ?? 0, offset: start.offset ?? 0)
  }
}
