/// SHA-256 and HMAC written out from FIPS 180-4 and RFC 2104, to hold libcrypto's against: slow, and only for tests.
package enum PlainSHA256 {
  /// The digest of `message`.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += withUnsafeBytes(of: UInt64(message.count * 8).bigEndian, Array.init)
    var hash: [UInt32] = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    for start in stride(from: 0, to: padded.count, by: 64) { compress(&hash, padded[start..<start + 64]) }
    return hash.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
  }

  /// The HMAC of `message` under `key`.
  package static func hmac(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? digest(of: key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    return digest(of: block.map { $0 ^ 0x5c } + digest(of: block.map { $0 ^ 0x36 } + message))
  }

  private static let primes: [Int] = Array(
    (2...).lazy.filter { number in !(2..<number).contains { number % $0 == 0 } }.prefix(64))
  private static let constants: [UInt32] = primes.map { fraction(cubeRoot(Double($0))) }

  /// The first 32 bits behind the point.
  private static func fraction(_ number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 4_294_967_296)
  }

  private static func cubeRoot(_ number: Double) -> Double {
    var root = number
    for _ in 0..<100 { root -= (root * root * root - number) / (3 * root * root) }
    return root
  }

  private static func compress(_ hash: inout [UInt32], _ block: ArraySlice<UInt8>) {
    let schedule = schedule(of: block)
    var state = hash
    for round in 0..<64 {
      let (a, b, c, e, f, g) = (state[0], state[1], state[2], state[4], state[5], state[6])
      let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let choice = (e & f) ^ (~e & g)
      let first = state[7] &+ sum1 &+ choice &+ constants[round] &+ schedule[round]
      let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      state = [first &+ sum0 &+ majority, a, b, c, state[3] &+ first, e, f, g]
    }
    for index in 0..<8 { hash[index] &+= state[index] }
  }

  private static func schedule(of block: ArraySlice<UInt8>) -> [UInt32] {
    let bytes = Array(block)
    var words = stride(from: 0, to: 64, by: 4).map { start in
      bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let sigma0 = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
      let sigma1 = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
      words.append(words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1)
    }
    return words
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
