/// A reply of a Redis server.
///
/// A reply of the whole command that is an error is thrown as a ``RedisError`` instead.
public enum RedisReply: Sendable, Hashable, ExpressibleByStringLiteral {
  /// No value.
  case null
  /// A string of any kind: a status such as `OK`, a value, or text with a format.
  case bytes([UInt8])
  /// A number, from -2⁶³ to 2⁶³ - 1.
  case integer(Int64)
  /// A floating-point number (RESP3).
  case double(Double)
  /// A truth value (RESP3).
  case boolean(Bool)
  /// A list, or a set (RESP3).
  case array([RedisReply])
  /// Keys and values in the server's order (RESP3).
  case map([Entry])
  /// An error inside of an array or a map, such as of one command of a transaction.
  case error(String)

  /// A key and its value.
  public struct Entry: Sendable, Hashable {
    /// The key.
    public var key: RedisReply
    /// The value.
    public var value: RedisReply

    /// Creates an entry.
    public init(key: RedisReply, value: RedisReply) { (self.key, self.value) = (key, value) }
  }

  /// Creates a string from a literal, for comparisons.
  public init(stringLiteral value: String) { self = .bytes(Array(value.utf8)) }

  /// Whether the reply has no value.
  public var isNull: Bool { self == .null }

  /// The string's bytes; nil for other replies.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  /// The string as text, with U+FFFD for bytes that are not UTF-8; nil for other replies.
  public var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  /// The number, or the number that a string consists of; nil for other replies.
  public var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .bytes(let bytes): Int64(String(decoding: bytes, as: UTF8.self))
    case .boolean(let value): value ? 1 : 0
    default: nil
    }
  }

  /// The elements of an array, or the keys and values of a map in turn, as servers with RESP2 return them; nil for
  /// other replies.
  public var array: [RedisReply]? {
    switch self {
    case .array(let elements): elements
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    default: nil
    }
  }

  /// The value of a map's key, also of a map that a server with RESP2 returns as an array; nil if absent.
  public subscript(key: String) -> RedisReply? {
    let name = RedisReply.bytes(Array(key.utf8))
    switch self {
    case .map(let entries): return entries.first { $0.key == name }?.value
    case .array(let elements):
      let place = stride(from: 0, to: elements.count - 1, by: 2).first { elements[$0] == name }
      return place.map { elements[$0 + 1] }
    default: return nil
    }
  }
}
