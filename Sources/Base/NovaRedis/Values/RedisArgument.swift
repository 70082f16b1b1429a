/// One word of a Redis command: text, a number, or any bytes.
///
/// ```swift
/// try await redis.send(["SET", "greeting", "hello", "PX", RedisArgument(60_000)])
/// ```
public struct RedisArgument: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The bytes that are sent.
  public let bytes: [UInt8]

  /// Creates a word from bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a word from text, in UTF-8.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Creates a word from a number, in decimal digits.
  public init(_ number: Int64) { self.init(String(number)) }

  /// Creates a word from a number, in decimal digits.
  public init(_ number: Int) { self.init(String(number)) }

  /// Creates a word from a literal.
  public init(stringLiteral value: String) { self.init(value) }
}
