import NovaSupport

/// Header fields whose values are lists (RFC 9110, 5.6.1).
package enum FieldList {
  /// The elements of a list, which may be spread over several fields, trimmed and without empty ones. Commas inside
  /// quoted strings do not separate.
  package static func elements(_ values: [String]) -> [String] { parts(values).filter { !$0.isEmpty } }

  /// The elements, including empty ones.
  static func parts(_ values: [String]) -> [String] {
    values.flatMap { split($0).map { String(decoding: $0, as: UTF8.self).trimmed } }
  }

  /// The elements of a field.
  package static func elements(_ name: String, in headers: HTTPHeaders) -> [String] {
    elements(headers.values(for: name))
  }

  /// Whether every quoted string in the value is closed.
  package static func isBalanced(_ value: String) -> Bool {
    var scan = QuoteScan()
    for byte in value.utf8 { _ = scan.isOutside(byte) }
    return !scan.isQuoted
  }

  /// Splits a value at each comma outside quoted strings.
  private static func split(_ value: String) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var scan = QuoteScan()
    for byte in value.utf8 {
      if scan.isOutside(byte), byte == UInt8(ascii: ",") {
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    return parts
  }
}

/// Tracks quoted strings while scanning a value.
private struct QuoteScan {
  private(set) var isQuoted = false
  private var isEscaped = false

  /// Whether the next byte is outside quoted strings.
  mutating func isOutside(_ byte: UInt8) -> Bool {
    if isEscaped {
      isEscaped = false
    } else if isQuoted, byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    }
    return !isQuoted
  }
}

extension String {
  /// The content of a quoted string, or the text itself.
  package var unquoted: String {
    guard utf8.count >= 2, hasPrefix("\""), hasSuffix("\"") else { return self }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in utf8.dropFirst().dropLast() {
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      if !isEscaped { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
