#if GRPC
  package import NovaCoding
  import NovaSupport

  /// A message type of descriptors.
  package final class SchemaMessage: Sendable {
    /// The full name: `acme.shop.v1.Order`.
    package let name: String
    /// The fields in order of declaration, without extensions.
    package let fields: [SchemaField]
    /// The names of the oneofs.
    package let oneofs: [String]
    /// Whether it is the entry of a map, with a key as field 1 and a value as field 2.
    package let isMapEntry: Bool
    /// Whether other files can add fields to it.
    package let isExtendable: Bool
    /// The full names of the types declared within it, entries of maps excluded.
    package let nestedNames: [String]

    private let byNumber: [Int: SchemaField]
    private let byName: [String: SchemaField]

    init(
      _ name: String, fields: [SchemaField], oneofs: [String], isMapEntry: Bool, isExtendable: Bool,
      nestedNames: [String]
    ) {
      self.name = name
      self.fields = fields
      self.oneofs = oneofs
      self.isMapEntry = isMapEntry
      self.isExtendable = isExtendable
      self.nestedNames = nestedNames
      byNumber = Dictionary(fields.map { ($0.number, $0) }) { first, _ in first }
      // A JSON name takes precedence over a name of another field.
      byName = Dictionary(fields.map { ($0.jsonName, $0) } + fields.map { ($0.name, $0) }) { first, _ in first }
    }

    func field(numbered number: Int) -> SchemaField? { byNumber[number] }

    /// The field with this name in JSON, or in the .proto file.
    func field(named name: String) -> SchemaField? { byName[name] }
  }

  /// A field of a message type, or an extension of one.
  package struct SchemaField: Sendable {
    package let name: String
    package let jsonName: String
    package let number: Int
    package let kind: FieldKind
    package let isRepeated: Bool
    package let isRequired: Bool
    /// Whether an absent field differs from one with the default.
    package let hasPresence: Bool
    /// Whether a list of numbers is written as one value.
    package let isPacked: Bool
    /// Whether a message is written as a group.
    package let isGroup: Bool
    /// Whether bytes of a string must be UTF-8.
    package let checksUTF8: Bool
    /// The index of the oneof, unless it is the one of an `optional` field.
    package let oneof: Int?
    /// The full name of the message that it extends; nil for a field.
    package let extendee: String?
    /// The full name, with the message or the scope of an extension.
    package let fullName: String

    /// The name in JSON: an extension has its full name in brackets.
    var key: String { extendee == nil ? jsonName : "[\(fullName)]" }
  }

  /// An enum type of descriptors.
  package final class SchemaEnum: Sendable {
    /// The full name.
    package let name: String
    /// The values in order of declaration.
    package let values: [(name: String, number: Int32)]
    /// Whether other numbers are invalid, as in proto2.
    package let isClosed: Bool

    private let byName: [String: Int32]
    private let byNumber: [Int32: String]

    init(_ name: String, values: [(name: String, number: Int32)], isClosed: Bool) {
      self.name = name
      self.values = values
      self.isClosed = isClosed
      byName = Dictionary(values.map { ($0.name, $0.number) }) { first, _ in first }
      byNumber = Dictionary(values.map { ($0.number, $0.name) }) { first, _ in first }
    }

    func number(of name: String) -> Int32? { byName[name] }
    func name(of number: Int32) -> String? { byNumber[number] }
  }

  /// A service of descriptors.
  package struct SchemaService: Sendable {
    /// The full name.
    package let name: String
    package let methods: [SchemaMethod]

    package func method(named name: String) -> SchemaMethod? { methods.first { $0.name == name } }
  }

  /// An RPC of descriptors.
  package struct SchemaMethod: Sendable {
    package let name: String
    /// The full name of the service.
    package let service: String
    /// The full names of the messages.
    package let requestType: String
    package let responseType: String
    package let isClientStreaming: Bool
    package let isServerStreaming: Bool
    package let effect: Effect

    /// What repeating a call does, if the descriptor says so: `idempotency_level`.
    package enum Effect: UInt64, Sendable { case unknown, noSideEffects, idempotent }

    /// The path of its calls: `/acme.shop.v1.Shop/GetOrder`.
    package var path: String { "/\(service)/\(name)" }
  }
#endif
