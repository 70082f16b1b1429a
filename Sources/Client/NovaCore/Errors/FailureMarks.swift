import NovaLibc

/// The markers of a failure in a body with status 200: `"error":` with a value, `"code":` with a value other than 0,
/// `"success":false`.
///
/// Every body is searched, and nearly all contain no marker. Searching is much faster than decoding, and only a body
/// with a marker is decoded a second time.
struct FailureMarks {
  private static let error: StaticString = "\"error\""
  private static let code: StaticString = "\"code\""
  private static let success: StaticString = "\"success\""

  private let descriptor: MessageDescriptor

  /// - Parameter descriptor: the message, whose own `error`, `code` and `success` fields are not markers.
  init(_ descriptor: MessageDescriptor) { self.descriptor = descriptor }

  /// Whether the body contains a marker, at any depth.
  func occur(in body: [UInt8]) -> Bool {
    body.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var place = 0
      while place < bytes.count {
        // 32 positions at once: most bodies have many quotes, but none before these letters.
        if place + 33 <= bytes.count, !Self.mayBeginMark(start + place) {
          place += 32
          continue
        }
        for _ in 0..<32 where place < bytes.count {
          if bytes[place] == UInt8(ascii: "\""), isMark(UnsafeRawBufferPointer(rebasing: bytes[place...])) {
            return true
          }
          place += 1
        }
      }
      return false
    }
  }

  /// Whether one of the next 32 bytes is a quote before the first letter of a name.
  private static func mayBeginMark(_ start: UnsafeRawPointer) -> Bool {
    typealias Bytes = SIMD32<UInt8>
    let (bytes, next) = (start.loadUnaligned(as: Bytes.self), (start + 1).loadUnaligned(as: Bytes.self))
    let isLetter =
      next .== Bytes(repeating: UInt8(ascii: "e")) .| next .== Bytes(repeating: UInt8(ascii: "c"))
      .| next .== Bytes(repeating: UInt8(ascii: "s"))
    let marks = isLetter .& bytes .== Bytes(repeating: UInt8(ascii: "\""))
    // The same as `any`, which the compiler does not inline.
    return unsafeBitCast(marks, to: SIMD4<UInt64>.self) != .zero
  }

  private func isMark(_ rest: UnsafeRawBufferPointer) -> Bool {
    switch rest.count > 1 ? rest[1] : 0 {
    case UInt8(ascii: "e"):
      // Encoders that write default values write an empty error.
      (value(of: Self.error, in: rest).map { $0 != UInt8(ascii: "n") } ?? false) && descriptor.allowsError
    case UInt8(ascii: "c"):
      (value(of: Self.code, in: rest).map { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "n") } ?? false)
        && descriptor.field(named: "code") == nil
    case UInt8(ascii: "s"):
      // Not `true`. Numbers and texts are rare, so they are parsed.
      (value(of: Self.success, in: rest).map { $0 != UInt8(ascii: "t") && $0 != UInt8(ascii: "n") } ?? false)
        && descriptor.field(named: "success") == nil
    default: false
    }
  }

  /// The first byte of the value if `rest` begins with this name and is not a value itself.
  private func value(of name: StaticString, in rest: UnsafeRawBufferPointer) -> UInt8? {
    let length = name.utf8CodeUnitCount
    guard rest.count > length, let start = rest.baseAddress, memcmp(start, name.utf8Start, length) == 0 else {
      return nil
    }
    var rest = rest[length...].drop(while: Self.isSpace)
    guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
    return rest.drop(while: Self.isSpace).first
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }
}
