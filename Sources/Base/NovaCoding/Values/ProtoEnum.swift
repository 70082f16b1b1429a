/// An open enum of the contract: a value that this version does not know survives a round trip, whether it was sent as
/// a number or as a name.
public protocol ProtoEnum: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible
where RawValue == Int32 {
  /// The known names in order of declaration.
  static var names: [(name: String, number: Int32)] { get }

  /// The value with number 0.
  init()
  /// The value with this number, known or not.
  init(rawValue: Int32)
  /// The value with this name, known or not.
  init(name: String)

  /// The number; 0 for a value that was received as an unknown name.
  var rawValue: Int32 { get }
  /// The name, if a name was received that this version does not know.
  var unknownName: String? { get }
}

extension ProtoEnum {
  /// The name; nil for an unknown number.
  public var name: String? { unknownName ?? Self.names.first { $0.number == rawValue }?.name }

  /// Whether this version knows the value.
  public var isKnown: Bool { unknownName == nil && name != nil }

  public var description: String { name ?? String(rawValue) }

  // The standard library's implementations for `RawRepresentable` would compare numbers only. Every unknown name would
  // then equal the value with number 0, and be left out as the default.

  public static func == (left: Self, right: Self) -> Bool {
    left.rawValue == right.rawValue && left.unknownName == right.unknownName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
    hasher.combine(unknownName)
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let name = try? container.decode(String.self) {
      self.init(name: name)
    } else {
      self.init(rawValue: try container.decode(Int32.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let name { try container.encode(name) } else { try container.encode(rawValue) }
  }
}
