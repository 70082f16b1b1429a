import NovaSupport

/// A message of the contract: its name, its fields, and its rules.
public final class MessageDescriptor: Sendable {
  /// The full name, for example `nova.graph_service.v1.GetFollowersRequest`.
  public let name: String
  /// The style of field names in the JSON of the message's service.
  public let names: JSONNameStyle
  /// The fields in order of declaration; codecs refer to them by index.
  public let fields: [FieldDescriptor]
  /// The fields that are required if another field has certain values.
  public let requirements: [FieldRequirement]
  /// The index in ``fields`` of a record's ID, without which a response cannot be used; nil for other messages.
  package let recordID: Int?
  /// Whether its fields contain such records.
  package let holdsRecords: Bool
  let keys: FieldKeys
  /// The field names for Foundation's coders.
  let codingKeys: [FieldCodingKeys]
  /// Whether reading it needs a ``FieldTally``.
  let needsTally: Bool
  #if GRPC
    /// The tags of the fields in protobuf's binary format.
    @usableFromInline let tags: FieldTags
  #endif

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - recordID: the index of the field with the record's ID, if a response with a record that lacks it is invalid.
  ///   - holdsRecords: whether its fields contain such records.
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
    #if GRPC
      tags = FieldTags(fields)
    #endif
    needsTally = fields.count > 64 || fields.contains { $0.oneof != nil }
  }

  #if GRPC
    deinit { tags.deallocate() }
  #endif

  /// The name without its package: `GetFollowersRequest`.
  package var shortName: String { name.parts(between: ".", keepsEmpty: false).last ?? name }

  /// The field with this name in either style, or with this alias.
  public func field(named name: String) -> FieldDescriptor? {
    fields.first { $0.name == name || $0.jsonName == name || $0.aliases.contains(name) }
  }
}

/// A field of a message in the contract.
public struct FieldDescriptor: Sendable, Hashable {
  /// The name in `Proto/`. It is also the name in JSON, unless the service uses lowerCamelCase.
  public let name: String
  /// The lowerCamelCase form of ``name``.
  public let jsonName: String
  /// The field number.
  public let number: Int
  /// The type of the value, or of each value in a list or map.
  public let kind: FieldKind
  /// How many values the field has.
  public let cardinality: FieldCardinality
  /// Other names under which readers accept the field.
  public let aliases: [String]
  /// Whether values must never be shown or logged: passwords and tokens.
  public let isSecret: Bool
  /// The rule that the value must satisfy in a request, in addition to its type.
  public let rule: FieldRule?
  /// The name of the oneof that contains the field. At most one field of a oneof has a value.
  public let oneof: String?
  /// Whether a list of numbers is written as one value in protobuf's binary format, as is the default. Readers accept
  /// both forms.
  public let isPacked: Bool

  /// Creates a descriptor. By default, the JSON name is the name in lowerCamelCase.
  public init(
    _ name: String,
    json jsonName: String? = nil,
    number: Int,
    kind: FieldKind,
    cardinality: FieldCardinality = .singular,
    aliases: [String] = [],
    isSecret: Bool = false,
    rule: FieldRule? = nil,
    oneof: String? = nil,
    isPacked: Bool = true
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
    self.isPacked = isPacked
  }

  /// Whether `null` is a value of the field. For other fields, `null` means that the field is absent.
  var isNullAValue: Bool {
    switch (cardinality, kind) {
    case (.repeated, _), (.map, _): false
    case (_, .message("google.protobuf.Value")), (_, .enumeration("google.protobuf.NullValue")): true
    default: false
    }
  }

  /// Converts `creator_id` to `creatorId`, as protoc does.
  package static func lowerCamelCase(_ name: String) -> String {
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
  /// Unix seconds: an `int64` whose name ends in `_at`.
  case unixSeconds
  /// A `google.protobuf.Timestamp`.
  case timestamp
  /// A message, by its full name. Includes `google.protobuf.Duration` and the other well-known types.
  case message(String)
  /// An enum, by its full name.
  case enumeration(String)
}

/// How many values a field has.
public enum FieldCardinality: Sendable, Hashable {
  /// One value; an absent field has the default.
  case singular
  /// One value or none. An absent field differs from one with the default.
  case optional
  /// A list.
  case repeated
  /// A map with keys of this type.
  case map(key: FieldKind)
}

/// A rule for a request's field, in addition to its type; from `gateway.yaml`.
public enum FieldRule: Sendable, Hashable {
  /// A string with at least one character.
  case notEmpty
  /// A number that is at least 0.
  case notNegative
  /// A string with this many characters, as people count them.
  case length(minimum: Int, maximum: Int?)
  /// A list with this many values.
  case count(minimum: Int = 0, maximum: Int)
  /// A number in this range.
  case range(minimum: Int, maximum: Int)
  /// An absolute `http` or `https` URL, or an empty string.
  case httpURL
}

/// A field that a request must have if another field has one of certain values; from `gateway.yaml`.
public struct FieldRequirement: Sendable, Hashable {
  /// The required field, by its name in `Proto/`.
  public let field: String
  /// The string field that decides, by its name in `Proto/`.
  public let condition: String
  /// The values of ``condition`` for which the field is required. An empty value also matches an absent string, which
  /// means the first value.
  public let values: [String]

  /// Creates a requirement.
  public init(_ field: String, if condition: String, isOneOf values: [String]) {
    self.field = field
    self.condition = condition
    self.values = values
  }
}

/// The style of names in JSON.
public enum JSONNameStyle: Sendable, Hashable {
  /// The names of `Proto/`: `creator_id`.
  case proto
  /// `creatorId`.
  case lowerCamelCase
}
