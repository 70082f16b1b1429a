/// A string whose known values have names in Swift: `ContentType.image`. The type is open: a value that this version
/// does not know is kept, and written as it was read.
///
/// `gateway.yaml` lists the fields of such a type under `typed_texts`. In JSON and in `Codable`, a value is a string.
public protocol TypedText: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
where RawValue == String, StringLiteralType == String {
  /// Creates a value from its text, known or unknown.
  init(rawValue: String)
}

extension TypedText {
  public init(stringLiteral text: String) { self.init(rawValue: text) }

  /// The text, as it is sent.
  public var description: String { rawValue }

  /// Whether the text is empty, as in an absent field.
  public var isEmpty: Bool { rawValue.isEmpty }
}

/// `string`, as a ``TypedText``.
public struct TypedTextCodec<T: TypedText>: ProtoCodec {
  public typealias Coded = T
  public init() {}
  public static var defaultValue: T { T(rawValue: "") }
  @inlinable public static func isDefault(_ value: T) -> Bool { value.isEmpty }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> T {
    T(rawValue: try reader.string())
  }

  public static func write(_ value: T, to writer: inout ProtoJSONWriter) { writer.append(string: value.rawValue) }

  public static func plain(_ value: T) -> PlainValue { .string(value.rawValue) }
}

extension ProtoCodec {
  /// `string` as a value of the given type.
  public static func text<T>(_ type: T.Type) -> Self where Self == TypedTextCodec<T> { Self() }
}
