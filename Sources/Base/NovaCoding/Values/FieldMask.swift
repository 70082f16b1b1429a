import NovaSupport

/// Names fields of a message, as `google.protobuf.FieldMask` does: those to read, or those to change.
///
/// ```swift
/// var request = UpdateOrderRequest(order: order)
/// request.updateMask = ["note", "address.postal_code"]
/// ```
public struct FieldMask: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The paths, with the names of the .proto file: `address.postal_code`.
  public var paths: [String]

  /// Creates a mask. By default, it has no paths.
  public init(_ paths: [String] = []) { self.paths = paths }

  public init(arrayLiteral paths: String...) { self.paths = paths }

  /// Parses the JSON form. Names in snake_case are accepted, too.
  package init(json text: String) {
    paths = text.parts(between: ",", keepsEmpty: false).map { path in
      var name: [UInt8] = []
      for byte in path.utf8Bytes {
        let isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        if isUppercase { name.append(UInt8(ascii: "_")) }
        name.append(isUppercase ? byte + 0x20 : byte)
      }
      return String(decoding: name, as: UTF8.self)
    }
  }

  /// The JSON form, `note,address.postalCode`; nil if a path cannot be written in it.
  package var json: String? {
    let text = paths.map(Self.lowerCamelCase).joined(separator: ",")
    let hasUnderscore = text.utf8.contains(UInt8(ascii: "_"))
    return !hasUnderscore && FieldMask(json: text) == self ? text : nil
  }

  private static func lowerCamelCase(_ path: String) -> String {
    var text: [UInt8] = []
    var isWordStart = false
    for byte in path.utf8Bytes {
      let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      if byte == UInt8(ascii: "_") {
        if isWordStart { text.append(byte) }
        isWordStart = true
      } else {
        // The JSON form cannot express a word that begins with a digit.
        if isWordStart, !isLowercase { text.append(UInt8(ascii: "_")) }
        text.append(isWordStart && isLowercase ? byte - 0x20 : byte)
        isWordStart = false
      }
    }
    if isWordStart { text.append(UInt8(ascii: "_")) }
    return String(decoding: text, as: UTF8.self)
  }
}

extension FieldMask: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(json: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    guard let json else {
      throw encoder.invalid(self, expected: FieldMaskCodec.expected)
    }
    var container = encoder.singleValueContainer()
    try container.encode(json)
  }
}

/// `google.protobuf.FieldMask`.
public struct FieldMaskCodec: ProtoCodec {
  public typealias Coded = FieldMask
  static var expected: String { "paths in snake_case without commas" }
  public init() {}
  public static var defaultValue: FieldMask { FieldMask() }

  public static func read(from reader: inout ProtoJSONReader) throws(ProtoJSONError) -> FieldMask {
    FieldMask(json: try reader.string())
  }

  public static func write(_ value: FieldMask, to writer: inout ProtoJSONWriter) {
    if value.json == nil { writer.report(expected, found: value.paths.joined(separator: ",").quotedForPeople) }
    writer.append(string: value.json ?? "")
  }

  public static func plain(_ value: FieldMask) -> PlainValue { .fieldMask(value) }
}

extension ProtoCodec where Self == FieldMaskCodec {
  /// `google.protobuf.FieldMask` as ``FieldMask``.
  public static var fieldMask: Self { Self() }
}
