import NovaCore

/// The fields of records that are not messages of the contract: the name and the kind of each, and how its value is read.
struct RecordFields<Source>: Sendable {
  /// A field. Records without a value for it leave it out.
  typealias Field = (name: String, kind: FieldKind, value: @Sendable (Source) -> JSONValue?)

  let descriptor: MessageDescriptor
  private let fields: [Field]

  init(_ name: String, _ fields: [Field]) {
    self.fields = fields
    descriptor = MessageDescriptor(
      name, fields: fields.enumerated().map { FieldDescriptor($1.name, number: $0 + 1, kind: $1.kind) })
  }

  /// A record as JSON.
  func json(_ source: Source) -> JSONValue {
    .object(fields.compactMap { name, _, value in value(source).map { .init(name: name, value: $0) } })
  }
}

extension JSONValue {
  static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}
