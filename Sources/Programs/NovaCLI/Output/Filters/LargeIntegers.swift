import NovaCore

/// Finds integers in JSON that a double cannot represent, while the JSON passes. jq before 1.7 rounds them.
struct LargeIntegers {
  /// The beginning of a number whose end did not arrive yet.
  private var number: [UInt8] = []
  private var isInText = false
  private var isEscaped = false

  private static let numberBytes = ASCIISet.digits + ASCIISet("+-.eE")
  /// 2^53.
  private static let largestExact = "9007199254740992".utf8Bytes

  /// Returns the JSON with large integers as texts.
  ///
  /// - Parameters:
  ///   - bytes: the next part of the JSON.
  ///   - isLast: whether nothing follows.
  ///   - isText: whether a large integer becomes a text; called for each.
  mutating func replaced(
    in bytes: [UInt8], isLast: Bool = false, isText: (_ integer: String) throws -> Bool
  ) rethrows -> [UInt8] {
    var replaced: [UInt8] = []
    replaced.reserveCapacity(bytes.count)
    for byte in bytes {
      if isInText {
        replaced.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
      } else if Self.numberBytes.contains(byte), !number.isEmpty || byte.isASCIIDigit || byte == UInt8(ascii: "-") {
        number.append(byte)
      } else {
        replaced += try takeNumber(isText)
        replaced.append(byte)
        isInText = byte == UInt8(ascii: "\"")
      }
    }
    return isLast ? replaced + (try takeNumber(isText)) : replaced
  }

  private mutating func takeNumber(_ isText: (String) throws -> Bool) rethrows -> [UInt8] {
    if number.isEmpty { return [] }
    defer { number = [] }
    let integer = String(decoding: number, as: UTF8.self)
    guard Self.isLarge(number) else { return number }
    return try isText(integer) ? Array("\"\(integer)\"".utf8) : number
  }

  private static func isLarge(_ number: [UInt8]) -> Bool {
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number[...]
    guard digits.count >= largestExact.count, digits.allSatisfy(\.isASCIIDigit) else { return false }
    return digits.count > largestExact.count || largestExact.lexicographicallyPrecedes(digits)
  }
}
