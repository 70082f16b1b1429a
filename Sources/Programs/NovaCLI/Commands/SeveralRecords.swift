import ArgumentParser
import NovaSDK

/// A command that shows one record, or several, by their IDs.
protocol RecordsByIDCommand: AsyncParsableCommand, FieldSelecting {
  associatedtype Record: ProtoMessage

  /// The name of a list of the records in JSON: `posts`.
  static var key: String { get }
  var options: RecordOptions { get }
  var ids: IDArguments { get throws }
  func load(_ id: EntityID, _ context: CommandContext) async throws -> Record
}

extension RecordsByIDCommand {
  static var selectable: MessageDescriptor { Record.descriptor }

  func run() async throws {
    let shape = try options.shape(Record.self)
    let arguments = try ids
    let ids = try arguments.read()
    try await CommandContext.run(options) { context in
      if let id = arguments.single { return try context.show(try await load(id, context), in: shape) }
      try await context.show(ids, in: shape, key: Self.key) { try await load($0, context).jsonValue() }
    }
  }
}

extension CommandContext {
  /// Shows records one after the other: cards with an empty line between them, or a list.
  ///
  /// - Throws: ``Failure`` if one cannot be loaded; the others are shown, and the output is well-formed.
  fileprivate func show(
    _ ids: [EntityID], in shape: RecordShape, key: String, load: (EntityID) async throws -> JSONValue
  ) async throws {
    guard shape.format == .table else {
      var writer = RecordWriter<JSONValue>(output, in: shape, key: key) { $0 }
      try writer.begin()
      var failure: (any Error)?
      do { try await forEach(ids) { try await writer.write([load($0)]) } } catch { failure = error }
      try writer.end([])
      if let failure { throw failure }
      return
    }
    var isFirst = true
    try await forEach(ids) { id in
      let record = try await load(id)
      if !isFirst { try output.writeLine("") }
      isFirst = false
      try show(record, in: shape)
    }
  }
}

/// A command that deletes records by their IDs, after asking once.
protocol DeletingCommand: AsyncParsableCommand {
  associatedtype Response: ProtoMessage

  /// The word for a record, and the field of its ID: `post`, `post_id`.
  static var unit: (one: String, many: String, field: String) { get }
  var confirmation: ConfirmationOptions { get }
  var options: ResultOptions { get }
  var ids: IDArguments { get throws }
  /// Makes sure that the acting user is known, and returns the call that deletes a record.
  func deletion(_ context: CommandContext) async throws -> (EntityID) async throws -> Response
  /// A record in questions and messages: `post "post-1"`.
  func name(of id: EntityID) -> String
}

extension DeletingCommand {
  func name(of id: EntityID) -> String { "\(Self.unit.one) \"\(id.text.printable(to: 100))\"" }

  func run() async throws {
    try options.check(Response.descriptor)
    let arguments = try ids
    let ids = try arguments.read()
    let what = ids.count == 1 ? name(of: ids[0]) : "\(ids.count) \(Self.unit.many)"
    let confirmation = ids.isEmpty ? nil : try confirmation.confirmation(to: "delete \(what)")
    try await CommandContext.run(options) { context in
      let delete = try await deletion(context)
      try confirmation?.obtain(at: context.place)
      try await context.forEach(ids) { id in
        let response = try await delete(id)
        try context.confirm(
          response, as: options.format, sentence: "\(sentenceSubject(id)) is deleted",
          about: ids.count == 1 ? nil : (Self.unit.field, id.text))
      }
    }
  }

  private func sentenceSubject(_ id: EntityID) -> String {
    Self.unit.field == "id" ? "\(Self.unit.one) \(id.text)" : id.text
  }
}
