import NovaSupport

/// The types that parameters declare, by their identifiers in `pg_type`.
enum PostgreSQLType: UInt32 {
  /// The server decides.
  case unspecified = 0
  case boolean = 16
  case bytes = 17
  case integer = 20
  case double = 701
  case texts = 1009
  case integers = 1016
  case doubles = 1022
}

/// PostgreSQL's text format of bytes and arrays.
enum PostgreSQLText {
  /// Decodes a `bytea`, in the hex format or the older escape format; nil if it is invalid.
  static func decodeBytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "x")]) { return decodeHex(text.dropFirst(2)) }
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "\\") {
        rest.removeFirst()
        bytes.append(byte)
      } else {
        let digits = rest.prefix(3)
        guard digits.count == 3, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) else {
          return nil
        }
        rest.removeFirst(3)
        bytes.append(value)
      }
    }
    return bytes
  }

  private static func decodeHex(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var index = digits.startIndex
    while index < digits.endIndex {
      guard let high = digits[index].hexadecimalValue, let low = digits[index + 1].hexadecimalValue else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return bytes
  }

  /// Writes an array of one dimension: `{"a","b\"c",NULL}`.
  static func array(_ elements: some Sequence<String?>) -> String {
    var text = [UInt8(ascii: "{")]
    for element in elements {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      guard let element else {
        text += "NULL".utf8
        continue
      }
      text.append(UInt8(ascii: "\""))
      for byte in element.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
        text.append(byte)
      }
      text.append(UInt8(ascii: "\""))
    }
    text.append(UInt8(ascii: "}"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes a number as PostgreSQL reads it.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return "\(value)"
  }
}

extension PostgreSQLCell {
  /// The elements of an array of one dimension.
  func elements() throws -> [PostgreSQLCell] {
    guard let bytes, let values = Self.split(bytes) else { throw mismatch("an array of one dimension") }
    let element = PostgreSQLColumn(name: column.name, type: Self.elementTypes[column.type] ?? 25)
    return values.map { PostgreSQLCell(column: element, bytes: $0.map { $0[...] }) }
  }

  /// `bytea[]` to `bytea`. All other types are read by their text.
  private static let elementTypes: [UInt32: UInt32] = [1001: 17]

  /// Splits `{a,"b,c",NULL}`, which can begin with its bounds, `[2:4]=`; nil if it is something else.
  private static func split(_ text: ArraySlice<UInt8>) -> [[UInt8]?]? {
    var rest = text
    if rest.first == UInt8(ascii: "["), let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      rest = rest[(equals + 1)...]
    }
    guard rest.popFirst() == UInt8(ascii: "{"), rest.popLast() == UInt8(ascii: "}") else { return nil }
    var values: [[UInt8]?] = []
    while !rest.isEmpty {
      guard let value = takeElement(&rest) else { return nil }
      values.append(value)
      guard let comma = rest.popFirst() else { break }
      guard comma == UInt8(ascii: ","), !rest.isEmpty else { return nil }
    }
    return values
  }

  /// Takes an element up to its comma. The outer nil is for invalid text, the inner one for NULL.
  private static func takeElement(_ rest: inout ArraySlice<UInt8>) -> [UInt8]?? {
    var value: [UInt8] = []
    let isQuoted = rest.first == UInt8(ascii: "\"")
    if isQuoted { rest.removeFirst() }
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "\\"):
        rest.removeFirst()
        guard let escaped = rest.popFirst() else { return nil }
        value.append(escaped)
      case UInt8(ascii: "\"") where isQuoted:
        rest.removeFirst()
        return .some(value)
      case UInt8(ascii: ",") where !isQuoted:
        return .some(Self.isNull(value) ? nil : value)
      case UInt8(ascii: "{") where !isQuoted:
        return nil
      default:
        rest.removeFirst()
        value.append(byte)
      }
    }
    return isQuoted ? nil : .some(Self.isNull(value) ? nil : value)
  }

  private static func isNull(_ value: [UInt8]) -> Bool { value.elementsEqual("NULL".utf8) }
}
