import ArgumentParser
import NovaCore

// The kinds of commands. Each makes one call, whose arguments it reads before a signal can cancel it, and prints the
// response in one of the formats.

/// A command that changes something: prints a confirmation, or the response as JSON.
protocol ChangeCommand: AsyncParsableCommand {
  associatedtype Response: ProtoMessage

  var options: ResultOptions { get }
  /// Reads the arguments, and returns the call.
  func call() throws -> (CommandContext) async throws -> Response
  /// The confirmation.
  func sentence(for response: Response) -> String
}

extension ChangeCommand {
  func run() async throws {
    try options.check(Response.descriptor)
    let call = try call()
    try await CommandContext.run(options) { context in
      let response = try await call(context)
      try context.confirm(response, as: options.format, sentence: sentence(for: response))
    }
  }
}

/// A command that shows one record.
protocol RecordCommand: AsyncParsableCommand, FieldSelecting {
  associatedtype Record: ProtoMessage

  var options: RecordOptions { get }
  /// Reads the arguments, and returns the call.
  func call() throws -> (CommandContext) async throws -> Record
}

extension RecordCommand {
  static var selectable: MessageDescriptor { Record.descriptor }

  func run() async throws {
    let shape = try options.shape(Record.self)
    let call = try call()
    try await CommandContext.run(options) { context in
      try context.show(try await call(context), in: shape)
    }
  }
}

/// A command that lists records.
protocol ListCommand: AsyncParsableCommand, FieldSelecting {
  /// The columns of the table.
  static var columns: [String] { get }
  /// The name of the list in JSON.
  static var key: String { get }
}

extension ListCommand {
  fileprivate func userNames(_ context: CommandContext) -> RecordSupplement? {
    (self as? any UserNaming).flatMap { context.userNames(for: type(of: $0).user, $0.names) }
  }
}

/// A list whose tables show the names of users.
protocol UserNaming {
  /// The column with the IDs of the users.
  static var user: String { get }
  var names: NameOptions { get }
}

/// A command that lists records that come at once.
protocol RecordListCommand: ListCommand {
  associatedtype Record: ProtoMessage

  /// The words for one record and for many.
  static var unit: (one: String, many: String) { get }
  var options: RecordListOptions { get }
  func load(_ context: CommandContext) async throws -> [Record]
}

extension RecordListCommand {
  static var selectable: MessageDescriptor { Record.descriptor }

  func run() async throws {
    let shape = try options.shape(Record.self, columns: Self.columns)
    try await CommandContext.run(options) { context in
      let records = try await load(context).map { try $0.jsonValue() }
      try await context.list(
        records, in: shape, key: Self.key, counting: Self.unit, supplement: userNames(context))
    }
  }
}

/// A command that lists records page by page.
protocol PagedRecordCommand: ListCommand {
  associatedtype Record: ProtoMessage & Hashable

  var options: PagedOptions { get }
  func list(_ context: CommandContext) async throws -> PagedList<Record>
}

extension PagedRecordCommand {
  static var selectable: MessageDescriptor { Record.descriptor }

  func run() async throws {
    let shape = try options.shape(Record.self, columns: Self.columns)
    try await CommandContext.run(options) { context in
      let writer = RecordWriter<Record>(context.output, in: shape, key: Self.key, supplement: userNames(context)) {
        try $0.jsonValue()
      }
      try await list(context).write(options.part, to: writer)
    }
  }
}
