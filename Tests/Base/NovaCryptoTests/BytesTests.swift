import NovaCoding
import NovaCrypto
import NovaSupport
import Testing

@Suite struct BytesTests {
  @Test func equalityInConstantTime() {
    let bytes: [UInt8] = [1, 2, 3]
    #expect(bytes.equalsInConstantTime([1, 2, 3]))
    #expect([UInt8]().equalsInConstantTime([]))
    for other: [UInt8] in [[], [1, 2], [1, 2, 3, 4], [0, 2, 3], [1, 2, 131]] {
      #expect(!bytes.equalsInConstantTime(other), "\(other)")
    }
  }

  @Test func randomBytesDiffer() {
    let random = (0..<10).map { _ in [UInt8].random(count: 32) }
    #expect(random.allSatisfy { $0.count == 32 })
    #expect(Set(random).count == 10)
    #expect([UInt8].random(count: 0).isEmpty)
  }

  @Test func hexadecimalDigits() {
    #expect(Hexadecimal.encode([0, 0x0f, 0xa5, 0xff]) == "000fa5ff")
    #expect(Hexadecimal.decode("000FA5ff") == [0, 0x0f, 0xa5, 0xff])
    #expect(Hexadecimal.decode("") == [])
    for text in ["0", "000", "0g", " 00", "é0"] { #expect(Hexadecimal.decode(text) == nil, "\(text)") }
  }

  @Test func base64ForURLs() {
    #expect(Base64.encodeForURL([0xfb, 0xff, 0xfe]) == "-__-")
    #expect(Base64.encodeForURL([0]) == "AA")
    #expect(Base64.decode(Base64.encodeForURL([0xfb, 0xff])) == [0xfb, 0xff])
  }
}
