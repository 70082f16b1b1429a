/// A value of a parameter. Values are sent apart from the statement, so they need no quoting.
///
/// Integers, floating-point numbers, Booleans, bytes, and arrays have their own types in PostgreSQL. Text has none, so it
/// takes the type that the statement requires, such as `uuid`, `jsonb`, or `timestamptz`. Where a statement accepts any
/// type, write `$1::text`.
public enum PostgreSQLValue: Sendable, Hashable {
  /// SQL's `NULL`.
  case null
  /// Text, without the character NUL, which PostgreSQL cannot store.
  case text(String)
  /// A `bigint`.
  case integer(Int64)
  /// A `double precision`, including infinities and NaN.
  case double(Double)
  /// A `boolean`.
  case boolean(Bool)
  /// A `bytea`.
  case bytes([UInt8])
  /// A `text[]`; nil is `NULL`. For other types, write a cast: `$1::uuid[]`.
  case texts([String?])
  /// A `bigint[]`; nil is `NULL`.
  case integers([Int64?])
  /// A `double precision[]`; nil is `NULL`.
  case doubles([Double?])
}

extension PostgreSQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(nilLiteral: ()) { self = .null }
}
