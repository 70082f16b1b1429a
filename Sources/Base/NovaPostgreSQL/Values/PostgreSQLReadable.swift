import NovaSupport

/// A value of a row as PostgreSQL wrote it.
public struct PostgreSQLCell: Sendable, PostgreSQLReadable {
  /// The column.
  public let column: PostgreSQLColumn
  /// The value in PostgreSQL's text format; nil for `NULL`.
  public let bytes: ArraySlice<UInt8>?

  public static func read(_ cell: PostgreSQLCell) throws -> PostgreSQLCell { cell }
  public static func readArray(_ cell: PostgreSQLCell) throws -> [PostgreSQLCell] { try cell.elements() }
}

/// A type that values of rows can be read as.
public protocol PostgreSQLReadable: Sendable {
  /// Reads a value.
  ///
  /// - Throws: ``PostgreSQLError`` `invalidArgument` if it is not of this type.
  static func read(_ cell: PostgreSQLCell) throws -> Self

  /// Reads an array of values.
  ///
  /// - Throws: ``PostgreSQLError`` `invalidArgument` if it is not an array of this type.
  static func readArray(_ cell: PostgreSQLCell) throws -> [Self]
}

extension PostgreSQLReadable {
  public static func readArray(_ cell: PostgreSQLCell) throws -> [Self] { try cell.elements().map(read) }
}

extension PostgreSQLCell {
  /// Throws that the value cannot be read.
  func mismatch(_ wanted: String) -> PostgreSQLError {
    let reason = bytes == nil ? "it is NULL" : "its type (OID \(column.type)) or value does not fit"
    return .invalidArgument("the column \(column.name.quoted) cannot be read as \(wanted): \(reason)")
  }

  func text(as wanted: String) throws -> String {
    guard let bytes, let text = String(validating: bytes, as: UTF8.self) else { throw mismatch(wanted) }
    return text
  }
}

/// Any type's text. A value that is not UTF-8, from a database in another encoding, can be read as `[UInt8]`.
extension String: PostgreSQLReadable {
  public static func read(_ cell: PostgreSQLCell) throws -> String { try cell.text(as: "text in UTF-8") }
}

extension FixedWidthInteger where Self: PostgreSQLReadable {
  public static func read(_ cell: PostgreSQLCell) throws -> Self {
    let text = try cell.text(as: "\(Self.self)")
    guard let value = Self(text) else { throw cell.mismatch("\(Self.self)") }
    return value
  }
}

extension Int: PostgreSQLReadable {}
extension Int64: PostgreSQLReadable {}
extension Int32: PostgreSQLReadable {}
extension UInt64: PostgreSQLReadable {}

/// For `double precision`, `real`, integers, and `numeric`, which is rounded.
extension Double: PostgreSQLReadable {
  public static func read(_ cell: PostgreSQLCell) throws -> Double {
    let text = try cell.text(as: "Double")
    switch text {
    case "NaN": return .nan
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default:
      guard let value = Double(text) else { throw cell.mismatch("Double") }
      return value
    }
  }
}

extension Bool: PostgreSQLReadable {
  public static func read(_ cell: PostgreSQLCell) throws -> Bool {
    switch try cell.text(as: "Bool") {
    case "t", "true": return true
    case "f", "false": return false
    default: throw cell.mismatch("Bool")
    }
  }
}

/// As an array, the bytes of a `bytea`, or those of another type's text.
extension UInt8: PostgreSQLReadable {
  public static func readArray(_ cell: PostgreSQLCell) throws -> [UInt8] {
    guard let bytes = cell.bytes else { throw cell.mismatch("bytes") }
    guard cell.column.type == PostgreSQLType.bytes.rawValue else { return Array(bytes) }
    guard let value = PostgreSQLText.decodeBytes(bytes) else { throw cell.mismatch("bytes") }
    return value
  }
}

extension Optional: PostgreSQLReadable where Wrapped: PostgreSQLReadable {
  /// Nil for `NULL`.
  public static func read(_ cell: PostgreSQLCell) throws -> Wrapped? {
    cell.bytes == nil ? nil : try Wrapped.read(cell)
  }
}

/// For arrays of one dimension.
extension Array: PostgreSQLReadable where Element: PostgreSQLReadable {
  public static func read(_ cell: PostgreSQLCell) throws -> [Element] { try Element.readArray(cell) }
}
