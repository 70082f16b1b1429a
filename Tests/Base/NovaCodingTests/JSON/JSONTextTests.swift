import NovaSupport
import Testing

@testable import NovaCoding

/// Scanning eight bytes at a time finds the same as scanning one by one.
@Suite struct JSONTextTests {
  /// Bytes next to the special ones, and bytes whose differences from them are special.
  private static let bytes: [UInt8] = [
    0, 1, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x61, 0x7F, 0x80, 0x9F, 0xA0, 0xA2, 0xDC, 0xFF,
  ]

  @Test(arguments: 0..<40) func endsAreThoseOfSingleBytes(_ count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    for share in [0, 1, 4, 16] {
      for _ in 0..<50 {
        let text = (0..<count).map { _ in
          Int.random(in: 0..<16, using: &random) < share
            ? Self.bytes.randomElement(using: &random) ?? 0 : UInt8.random(in: 0x61...0x7A, using: &random)
        }
        check(text)
      }
    }
  }

  private func check(_ text: [UInt8]) {
    let isEscaped = { (byte: UInt8) in byte < 0x20 || byte == 0x22 || byte == 0x5C }
    text.withUnsafeBufferPointer { bytes in
      for start in 0...text.count {
        let plain = text[start...].firstIndex { isEscaped($0) || $0 >= 0x80 } ?? text.count
        let unescaped = text[start...].firstIndex(where: isEscaped) ?? text.count
        #expect(JSONText.endOfPlainASCII(in: bytes, from: start, to: text.count) == plain, "\(text) from \(start)")
        #expect(JSONText.endOfUnescaped(in: bytes, from: start, to: text.count) == unescaped, "\(text) from \(start)")
      }
    }
  }
}
