import NovaSupport

/// A map's key type: how it stands as a JSON object's key. (`bool` keys are left out: no contract uses them, and the
/// generator refuses them.)
public protocol ProtoMapKey: ProtoCodec where Value: Comparable {
  /// What a key must be, for errors.
  static var expected: String { get }
  /// The key of a text, or nil.
  static func parse(_ text: String) -> Value?
  /// The text of a key.
  static func text(_ key: Value) -> String
  /// The texts of different keys in the keys' order.
  static func sorted(_ texts: [String]) -> [String]
}

extension ProtoMapKey {
  // By their texts, because sorting is compiled again for each type.
  public static func sorted(_ integers: [String]) -> [String] {
    integers.inOrder { left, right in
      let (isLeftNegative, isRightNegative) = (left.hasPrefix("-"), right.hasPrefix("-"))
      if isLeftNegative != isRightNegative { return isLeftNegative }
      let (small, large) = isLeftNegative ? (right, left) : (left, right)
      return (small.utf8.count, small) < (large.utf8.count, large)
    }
  }
}

extension StringCodec: ProtoMapKey {
  public static var expected: String { "a string" }
  public static func parse(_ text: String) -> String? { text }
  public static func text(_ key: String) -> String { key }
  public static func sorted(_ texts: [String]) -> [String] { texts.inOrder() }
}

extension Int32Codec: ProtoMapKey {
  public static var expected: String { "a 32-bit integer as key" }
  public static func parse(_ text: String) -> Int? { integerKey(text, Int32.self).map { Int($0) } }
  public static func text(_ key: Int) -> String { String(key) }
}

extension UInt32Codec: ProtoMapKey {
  public static var expected: String { "an unsigned 32-bit integer as key" }
  public static func parse(_ text: String) -> Int? { integerKey(text, UInt32.self).map { Int($0) } }
  public static func text(_ key: Int) -> String { String(key) }
}

extension Int64Codec: ProtoMapKey {
  public static var expected: String { "a 64-bit integer as key" }
  public static func parse(_ text: String) -> Int64? { integerKey(text, Int64.self) }
  public static func text(_ key: Int64) -> String { String(key) }
}

extension UInt64Codec: ProtoMapKey {
  public static var expected: String { "an unsigned 64-bit integer as key" }
  public static func parse(_ text: String) -> UInt64? { integerKey(text, UInt64.self) }
  public static func text(_ key: UInt64) -> String { String(key) }
}

/// Decimal digits without leading zeros or a plus sign.
private func integerKey<T: FixedWidthInteger>(_ text: String, _ type: T.Type) -> T? {
  guard let value = DecimalNumber(text)?.integer.flatMap({ T(exactly: $0) }), String(value) == text else { return nil }
  return value
}
