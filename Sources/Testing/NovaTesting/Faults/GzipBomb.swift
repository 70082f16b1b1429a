/// Zeros compressed at the maximum ratio of DEFLATE (RFC 1951), 1,032 to 1.
///
/// A match of 258 bytes at distance 1 takes two bits, both 0, when the only other codes are those of the literal 0 and
/// of the end. So the middle of the file is zeros, too.
package enum GzipBomb {
  /// A gzip file (RFC 1952) that inflates to at least `count` bytes, and less than 258 more.
  package static func bytes(inflatingTo count: Int) -> [UInt8] {
    let matches = max(0, (count - 1 + 257) / 258)
    let length = 1 + matches * 258
    var bits = BitWriter()
    bits.write(1, count: 1)  // the last block
    bits.write(2, count: 2)  // with codes of its own
    writeCodes(to: &bits)
    bits.writeCode("10")  // the literal 0
    bits.skip(2 * matches)
    bits.writeCode("11")  // the end
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    return head + bits.bytes + littleEndian(crcOfZeros(length)) + littleEndian(UInt32(truncatingIfNeeded: length))
  }

  /// 286 codes for literals and lengths, of which 0 and 256 have two bits and 285 one; and one bit for distance 1.
  private static func writeCodes(to bits: inout BitWriter) {
    bits.write(286 - 257, count: 5)
    bits.write(0, count: 5)
    bits.write(18 - 4, count: 4)
    // The codes of the code lengths, in the order that the RFC gives: 18 (a run of zeros), 2 and 1 are all we need.
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
      bits.write(symbol == 18 ? 1 : symbol == 1 || symbol == 2 ? 2 : 0, count: 3)
    }
    let (zeros, one, two) = ("0", "10", "11")
    bits.writeCode(two)
    for run in [138, 117] {
      bits.writeCode(zeros)
      bits.write(run - 11, count: 7)
    }
    bits.writeCode(two)
    bits.writeCode(zeros)
    bits.write(28 - 11, count: 7)
    bits.writeCode(one)
    bits.writeCode(one)
  }

  private static func littleEndian(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian, Array.init) }

  // MARK: CRC-32, as arithmetic with polynomials over GF(2), the highest bit being the constant term

  /// The checksum of `count` zeros: the initial value times x^(8 · count).
  private static func crcOfZeros(_ count: Int) -> UInt32 {
    var (power, result) = (UInt32(1) << 23, UInt32.max)
    var rest = count
    while rest > 0 {
      if rest & 1 == 1 { result = product(result, power) }
      power = product(power, power)
      rest >>= 1
    }
    return ~result
  }

  private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var (sum, multiple) = (UInt32(0), right)
    for bit in (0..<32).reversed() {
      if left >> UInt32(bit) & 1 == 1 { sum ^= multiple }
      multiple = multiple >> 1 ^ (multiple & 1 == 1 ? 0xEDB8_8320 : 0)
    }
    return sum
  }
}

/// Writes bits from the lowest of each byte upwards.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func write(_ number: Int, count: Int) {
    for bit in 0..<count { append(number >> bit & 1 == 1) }
  }

  /// Writes a Huffman code, first bit first.
  mutating func writeCode(_ code: String) {
    for bit in code.utf8 { append(bit == UInt8(ascii: "1")) }
  }

  mutating func skip(_ bits: Int) {
    count += bits
    let missing = (count + 7) / 8 - bytes.count
    if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
  }

  private mutating func append(_ isOne: Bool) {
    skip(1)
    if isOne { bytes[(count - 1) / 8] |= 1 << UInt8((count - 1) % 8) }
  }
}
