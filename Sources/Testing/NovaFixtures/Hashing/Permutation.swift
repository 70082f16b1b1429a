/// A computed permutation of the numbers below a count, in both directions. It is a Feistel network over as many bits
/// as the count needs, with cycle walking for values outside the range.
struct Permutation: Sendable {
  let count: Int
  private let keys: InlineKeys
  private let rightBits: UInt64
  private let leftMask: UInt64
  private let rightMask: UInt64

  private typealias InlineKeys = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// - Parameters:
  ///   - count: the number of elements.
  ///   - key: returns random bits for a round.
  init(count: Int, key: (_ round: Int) -> UInt64) {
    self.count = count
    keys = (key(0), key(1), key(2), key(3), key(4), key(5))
    let bits = UInt64(max(2, UInt64.bitWidth - UInt64(max(1, count) - 1).leadingZeroBitCount))
    let leftBits = bits / 2
    rightBits = bits - leftBits
    leftMask = 1 << leftBits - 1
    rightMask = 1 << rightBits - 1
  }

  /// Returns the position of a number.
  @inline(__always)
  func callAsFunction(_ number: Int) -> Int {
    var value = UInt64(number)
    repeat { value = forward(value) } while value >= count
    return Int(value)
  }

  /// Returns the number at a position.
  @inline(__always)
  func inverse(_ place: Int) -> Int {
    var value = UInt64(place)
    repeat { value = backward(value) } while value >= count
    return Int(value)
  }

  @inline(__always)
  private func forward(_ value: UInt64) -> UInt64 {
    var (left, right) = (value &>> rightBits, value & rightMask)
    left ^= Self.mix(right &+ keys.0) & leftMask
    right ^= Self.mix(left &+ keys.1) & rightMask
    left ^= Self.mix(right &+ keys.2) & leftMask
    right ^= Self.mix(left &+ keys.3) & rightMask
    left ^= Self.mix(right &+ keys.4) & leftMask
    right ^= Self.mix(left &+ keys.5) & rightMask
    return left &<< rightBits | right
  }

  @inline(__always)
  private func backward(_ value: UInt64) -> UInt64 {
    var (left, right) = (value &>> rightBits, value & rightMask)
    right ^= Self.mix(left &+ keys.5) & rightMask
    left ^= Self.mix(right &+ keys.4) & leftMask
    right ^= Self.mix(left &+ keys.3) & rightMask
    left ^= Self.mix(right &+ keys.2) & leftMask
    right ^= Self.mix(left &+ keys.1) & rightMask
    left ^= Self.mix(right &+ keys.0) & leftMask
    return left &<< rightBits | right
  }

  /// The finalizer of MurmurHash3.
  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value &>> 33) &* 0xff51_afd7_ed55_8ccd
    value = (value ^ value &>> 33) &* 0xc4ce_b9fe_1a85_ec53
    return value ^ value &>> 33
  }
}
