/// A line of a state file: a checksum in eight digits, a space, JSON, and the line's end.
///
/// The checksum tells a line that was written in part from one that is whole. CRC-32, as in gzip.
enum StateLine {
  static func make(_ json: [UInt8]) -> [UInt8] {
    var line = hexadecimal(checksum(json))
    line.reserveCapacity(json.count + 10)
    line.append(UInt8(ascii: " "))
    line += json
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// What a line without its end says; nil when it is not whole.
  static func content(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " ") else { return nil }
    let json = Array(line.dropFirst(9))
    return Array(line.prefix(8)) == hexadecimal(checksum(json)) ? json : nil
  }

  /// Whether this can be the beginning of a line that was written in part: eight digits, a space and the beginning of a
  /// JSON object. An object that is complete without a valid checksum was damaged later.
  static func isBeginning(_ bytes: ArraySlice<UInt8>) -> Bool {
    let (sum, rest) = (bytes.prefix(8), bytes.dropFirst(8))
    guard sum.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
      rest.prefix(1).allSatisfy({ $0 == UInt8(ascii: " ") })
    else { return false }
    let json = rest.dropFirst()
    guard json.prefix(1).allSatisfy({ $0 == UInt8(ascii: "{") }) else { return false }
    var (depth, isString, isEscaped) = (0, false, false)
    for byte in json {
      guard byte >= 0x20, byte != 0x7f else { return false }
      if isEscaped {
        isEscaped = false
      } else if isString {
        isEscaped = byte == UInt8(ascii: "\\")
        isString = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
        if depth == 0 { return false }
      }
    }
    return true
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in (sum >> 8) ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  private static func hexadecimal(_ value: UInt32) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return (0..<8).map { digits[Int(value >> UInt32(28 - 4 * $0) & 15)] }
  }
}
