import NovaSupport

/// The key type of a map, as the key of a JSON object.
public protocol ProtoMapKey: ProtoCodec {
  /// The expected form of a key, for error messages.
  static var expected: String { get }
  /// Parses a key; nil if the text is not a key.
  static func parse(_ text: String) -> Value?
  /// The text of a key.
  static func text(_ key: Value) -> String
  /// Sorts the texts of different keys by the keys' values.
  static func sorted(_ texts: [String]) -> [String]
  /// Sorts different keys.
  static func inOrder(_ keys: [Value]) -> [Value]
}

extension ProtoMapKey {
  // Sorts texts instead of keys, because `sort` would be compiled again for each type.
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
  public static func inOrder(_ keys: [String]) -> [String] { keys.inOrder() }
}

extension Int32Codec: ProtoMapKey {
  public static var expected: String { "a 32-bit integer as key" }
  public static func parse(_ text: String) -> Int? { integerKey(text, Int32.self).map { Int($0) } }
  public static func text(_ key: Int) -> String { String(key) }
  public static func inOrder(_ keys: [Int]) -> [Int] { keys.sorted() }
}

extension UInt32Codec: ProtoMapKey {
  public static var expected: String { "an unsigned 32-bit integer as key" }
  public static func parse(_ text: String) -> Int? { integerKey(text, UInt32.self).map { Int($0) } }
  public static func text(_ key: Int) -> String { String(key) }
  public static func inOrder(_ keys: [Int]) -> [Int] { keys.sorted() }
}

extension Int64Codec: ProtoMapKey {
  public static var expected: String { "a 64-bit integer as key" }
  public static func parse(_ text: String) -> Int64? { integerKey(text, Int64.self) }
  public static func text(_ key: Int64) -> String { String(key) }
  public static func inOrder(_ keys: [Int64]) -> [Int64] { keys.sorted() }
}

extension UInt64Codec: ProtoMapKey {
  public static var expected: String { "an unsigned 64-bit integer as key" }
  public static func parse(_ text: String) -> UInt64? { integerKey(text, UInt64.self) }
  public static func text(_ key: UInt64) -> String { String(key) }
  public static func inOrder(_ keys: [UInt64]) -> [UInt64] { keys.sorted() }
}

extension BoolCodec: ProtoMapKey {
  public static var expected: String { "true or false as key" }
  public static func parse(_ text: String) -> Bool? { Bool(text) }
  public static func text(_ key: Bool) -> String { String(key) }
  public static func sorted(_ texts: [String]) -> [String] { texts.inOrder() }
  public static func inOrder(_ keys: [Bool]) -> [Bool] { keys.sorted { !$0 && $1 } }
}

extension SInt32Codec: ProtoMapKey {}
extension SInt64Codec: ProtoMapKey {}
extension Fixed32Codec: ProtoMapKey {}
extension Fixed64Codec: ProtoMapKey {}
extension SFixed32Codec: ProtoMapKey {}
extension SFixed64Codec: ProtoMapKey {}

extension ProtoMapKey where Self: DerivedCodec, Base: ProtoMapKey {
  public static var expected: String { Base.expected }
  public static func parse(_ text: String) -> Base.Value? { Base.parse(text) }
  public static func text(_ key: Base.Value) -> String { Base.text(key) }
  public static func sorted(_ texts: [String]) -> [String] { Base.sorted(texts) }
  public static func inOrder(_ keys: [Base.Value]) -> [Base.Value] { Base.inOrder(keys) }
}

/// Parses decimal digits without leading zeros or a plus sign.
private func integerKey<T: FixedWidthInteger>(_ text: String, _ type: T.Type) -> T? {
  guard let value = DecimalNumber(text)?.integer.flatMap({ T(exactly: $0) }), String(value) == text else { return nil }
  return value
}
