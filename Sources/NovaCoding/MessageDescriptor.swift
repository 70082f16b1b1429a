import NovaSupport

/// What the contract says about one message.
public final class MessageDescriptor: Sendable {
  /// The full name, for example `nova.graph_service.v1.GetFollowersRequest`.
  public let name: String
  /// The style of the field names in the JSON of the message's service.
  public let names: JSONNameStyle
  /// The fields in order of declaration; codecs refer to them by their place here.
  public let fields: [FieldDescriptor]
  /// The fields that a request needs if another field has certain values.
  public let requirements: [FieldRequirement]
  /// The place in ``fields`` of the id of a record, without which a response cannot be used; nil for other messages.
  package let recordID: Int?
  /// Whether its fields hold such records.
  package let holdsRecords: Bool
  let keys: FieldKeys
  /// The fields' names for Foundation's coders.
  let codingKeys: [FieldCodingKeys]
  /// Whether readers need a ``FieldTally``.
  let needsTally: Bool

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - recordID: the field with the id of a record, if responses with a record that lacks it are invalid.
  ///   - holdsRecords: whether its fields hold such records.
  public init(
    _ name: String, names: JSONNameStyle = .proto, recordID: String? = nil, holdsRecords: Bool = false,
    fields: [FieldDescriptor], requirements: [FieldRequirement] = []
  ) {
    self.name = name
    self.names = names
    self.fields = fields
    self.requirements = requirements
    self.holdsRecords = holdsRecords
    self.recordID = recordID.flatMap { id in fields.firstIndex { $0.name == id } }
    keys = FieldKeys(fields)
    codingKeys = fields.map { FieldCodingKeys($0) }
    needsTally = fields.count > 64 || fields.contains { $0.oneof != nil }
  }

  /// The name without its package: `GetFollowersRequest`.
  package var shortName: String { name.parts(between: ".", keepsEmpty: false).last ?? name }

  /// The field with this name in either style, or under an alias.
  public func field(named name: String) -> FieldDescriptor? {
    fields.first { $0.name == name || $0.jsonName == name || $0.aliases.contains(name) }
  }
}

/// What the contract says about one field.
public struct FieldDescriptor: Sendable, Hashable {
  /// The name in `Proto/`, which is the name on the wire unless the service speaks lowerCamelCase.
  public let name: String
  /// The lowerCamelCase form of ``name``.
  public let jsonName: String
  /// The field number.
  public let number: Int
  /// The type of the value, or of each value.
  public let kind: FieldKind
  /// How many values there are.
  public let cardinality: FieldCardinality
  /// Other names under which readers accept the field.
  public let aliases: [String]
  /// Whether values must never be shown or logged: passwords and tokens.
  public let isSecret: Bool
  /// What the value must be in a request, beyond its type.
  public let rule: FieldRule?
  /// The name of the oneof that the field belongs to: at most one field of a oneof has a value.
  public let oneof: String?

  /// Creates a descriptor; without a JSON name, it is the lowerCamelCase form of the name.
  public init(
    _ name: String,
    json jsonName: String? = nil,
    number: Int,
    kind: FieldKind,
    cardinality: FieldCardinality = .singular,
    aliases: [String] = [],
    isSecret: Bool = false,
    rule: FieldRule? = nil,
    oneof: String? = nil
  ) {
    self.name = name
    self.jsonName = jsonName ?? Self.lowerCamelCase(name)
    self.number = number
    self.kind = kind
    self.cardinality = cardinality
    self.aliases = aliases
    self.isSecret = isSecret
    self.rule = rule
    self.oneof = oneof
  }

  /// Whether `null` is a value of the field, where it otherwise stands for an absent one.
  var isNullAValue: Bool {
    switch (cardinality, kind) {
    case (.repeated, _), (.map, _): false
    case (_, .message("google.protobuf.Value")), (_, .enumeration("google.protobuf.NullValue")): true
    default: false
    }
  }

  /// `creator_id` as `creatorId`, as protoc derives it.
  private static func lowerCamelCase(_ name: String) -> String {
    var text: [UInt8] = []
    var isWordStart = false
    for byte in name.utf8Bytes {
      let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      if byte != UInt8(ascii: "_") { text.append(isWordStart && isLowercase ? byte - 0x20 : byte) }
      isWordStart = byte == UInt8(ascii: "_")
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The type of a field's value, as protobuf names it.
public enum FieldKind: Sendable, Hashable {
  case double, float
  case int32, int64, uint32, uint64
  case sint32, sint64, fixed32, fixed64, sfixed32, sfixed64
  case bool, string, bytes
  /// Unix seconds in an `int64` whose name ends in `_at`.
  case unixSeconds
  /// A `google.protobuf.Timestamp`.
  case timestamp
  /// A message, by its full name; `google.protobuf.Duration` and the other well-known types, too.
  case message(String)
  /// An enum, by its full name.
  case enumeration(String)
}

/// How many values a field has.
public enum FieldCardinality: Sendable, Hashable {
  /// Exactly one; absent means the default.
  case singular
  /// One or none, and the two differ.
  case optional
  /// A list.
  case repeated
  /// A map with keys of this type.
  case map(key: FieldKind)
}

/// What a request's field must be, beyond its type; from `gateway.yaml`.
public enum FieldRule: Sendable, Hashable {
  /// A text with at least one character.
  case notEmpty
  /// A number from 0.
  case notNegative
  /// A text of this many characters, as people count them.
  case length(minimum: Int, maximum: Int?)
  /// A list of this many values.
  case count(minimum: Int = 0, maximum: Int)
  /// A number in this range.
  case range(minimum: Int, maximum: Int)
  /// An absolute `http` or `https` URL, or an empty text.
  case httpURL
}

/// A field that a request needs if another field has one of some values; from `gateway.yaml`.
public struct FieldRequirement: Sendable, Hashable {
  /// The field that must have a value, by its name in `Proto/`.
  public let field: String
  /// The text field that decides, by its name in `Proto/`.
  public let condition: String
  /// The values of ``condition`` for which the field is required. An empty one stands for an absent text, and so for the
  /// first value.
  public let values: [String]

  /// Creates a requirement.
  public init(_ field: String, if condition: String, isOneOf values: [String]) {
    self.field = field
    self.condition = condition
    self.values = values
  }
}

/// How names stand in JSON.
public enum JSONNameStyle: Sendable, Hashable {
  /// The names of `Proto/`: `creator_id`.
  case proto
  /// `creatorId`.
  case lowerCamelCase
}
