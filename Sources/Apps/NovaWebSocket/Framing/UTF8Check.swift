/// Validates UTF-8 that arrives in parts, and detects an error at its first byte.
struct UTF8Check: Sendable {
  /// The number of continuation bytes that the character still needs.
  private var missing = 0
  /// The allowed next continuation bytes. For the first one, that excludes overlong forms, surrogates, and characters
  /// beyond U+10FFFF.
  private var allowed: ClosedRange<UInt8> = Self.continuation

  private static let continuation: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the bytes so far do not end inside a character.
  var isComplete: Bool { missing == 0 }

  /// Checks the next bytes; false if they are invalid.
  mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for byte in bytes where missing > 0 || byte >= 0x80 {
      guard take(byte) else { return false }
    }
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard missing == 0 else {
      guard allowed.contains(byte) else { return false }
      missing -= 1
      allowed = Self.continuation
      return true
    }
    switch byte {
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
    case 0xED: (missing, allowed) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
