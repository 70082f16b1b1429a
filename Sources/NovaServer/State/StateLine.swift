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
