import NovaSupport

/// A message of any type, as in `google.protobuf.Any`: its JSON, unchanged, with the name of its type.
///
/// ```swift
/// for detail in status.details {
///   if let info = try detail.message(as: ErrorInfo.self) { print(info.reason) }
/// }
/// ```
public struct ProtoAny: Sendable, Hashable {
  /// The object with `@type` and the message's fields, or with `@type` and `value` for a well-known type with a JSON
  /// form of its own, such as `Duration`. Empty without a message.
  public let json: JSONValue

  /// Creates a value without a message.
  public init() { json = .object([]) }

  /// Creates a value from its JSON; nil unless it is an empty object or one with a string `@type`.
  public init?(json: JSONValue) {
    guard let members = json.memberList, members.isEmpty || json["@type"]?.stringValue != nil else { return nil }
    self.json = json
  }

  /// Packs a message.
  ///
  /// - Throws: ``ProtoJSONError`` if a value does not fit the type of its field.
  public init(_ message: some ProtoMessage) throws(ProtoJSONError) {
    let descriptor = type(of: message).descriptor
    let options = ProtoJSONOptions(names: descriptor.names, includesDefaults: false)
    let type = JSONValue.string("type.googleapis.com/" + descriptor.name)
    let fields = try JSONValue(jsonUTF8: message.jsonUTF8(options)).memberList ?? []
    json = .object([JSONValue.Member(name: Self.typeName, value: type)] + fields)
  }

  /// The URL of the type: `type.googleapis.com/acme.orders.v1.Order`. Empty without a message.
  public var typeURL: String { json[Self.typeName]?.stringValue ?? "" }

  /// Unpacks the message.
  ///
  /// - Parameter type: the type of the message.
  /// - Returns: the message; nil if this is a message of another type.
  /// - Throws: ``ProtoJSONError`` if the JSON does not match the type.
  public func message<M: ProtoMessage>(as type: M.Type) throws(ProtoJSONError) -> M? {
    guard typeURL.parts(between: "/", keepsEmpty: true).last == M.descriptor.name else { return nil }
    #if GRPC
      if let bytes { return try message(as: type, from: bytes) }
    #endif
    let fields = (json.memberList ?? []).filter { $0.name != Self.typeName }
    return try M(jsonUTF8: JSONValue.object(fields).jsonUTF8)
  }

  static let typeName = "@type"
}

extension ProtoAny: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = ProtoAny(json: try container.decode(JSONValue.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected \(AnyCodec.expected)")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// `google.protobuf.Any`.
public struct AnyCodec: ProtoCodec {
  public typealias Coded = ProtoAny
  static var expected: StaticString { "an object with a text \"@type\"" }
  public init() {}
  public static var defaultValue: ProtoAny { ProtoAny() }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> ProtoAny {
    _ = reader.peek()
    let start = reader.position
    guard let value = ProtoAny(json: try reader.jsonValue(keepsRepeats: false)) else {
      reader.position = start
      throw reader.unexpected(expected)
    }
    return value
  }

  public static func write(_ value: ProtoAny, to writer: inout ProtoJSONWriter) { writer.append(json: value.json) }

  public static func plain(_ value: ProtoAny) -> PlainValue { .json(value.json) }
}

extension ProtoCodec where Self == AnyCodec {
  /// `google.protobuf.Any` as ``ProtoAny``.
  public static var any: Self { Self() }
}

/// `google.protobuf.Empty`: a message without fields.
public struct ProtoEmpty: ProtoMessage {
  public static let descriptor = MessageDescriptor("google.protobuf.Empty", fields: [])

  /// Creates the message.
  public init() {}

  public mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure) {}

  public func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {}
}
