import Foundation
import NovaCoding
import NovaSupport
import Testing

@Suite struct Base64Tests {
  private func read(_ text: String) -> [UInt8]? {
    accepted(Optionals.self, "{\"bytes_value\":\"\(text)\"}")?.bytesValue
  }

  @Test(
    arguments: [
      ("", []), ("AA==", [0]), ("AA", [0]), ("AAA=", [0, 0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]),
      ("Zm9v", [0x66, 0x6F, 0x6F]),
      ("+/+/", [0xFB, 0xFF, 0xBF]), ("-_-_", [0xFB, 0xFF, 0xBF]), ("+_-/", [0xFB, 0xFF, 0xBF]), ("_w", [0xFF]),
      ("/w==", [0xFF]),
      (#"\/w=\u003d"#, [0xFF]),
      // Unused bits are ignored, as Google's parsers do.
      ("AB", [0]), ("AB==", [0]), ("AAB", [0, 0]), ("AAB=", [0, 0]),
    ] as [(String, [UInt8])])
  func bothAlphabetsAreRead(_ text: String, _ bytes: [UInt8]) { #expect(read(text) == bytes) }

  @Test(arguments: [
    "A", "AAAAA", "=", "==", "====", "A=", "A==", "A===", "AA=", "AA===", "AAA==", "AAAA=", "AAAA====", "A=AA", "=AAA",
    "AA==AA",
    "AA ==", " AA", "AA\\n", "A A A", "AA.A", "AAé", "AA\\u0000", "ＡＡ", "*", "AA%3D%3D",
  ])
  func whatIsNoBase64IsRefused(_ text: String) { #expect(read(text) == nil) }

  @Test func randomBytesAreWrittenAsFoundationWritesThem() throws {
    var random = SeededGenerator(seed: 9)
    for count in 0..<400 {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let text = Data(bytes).base64EncodedString()
      #expect(try Optionals(bytesValue: bytes).json() == "{\"bytes_value\":\"\(text)\"}")
      #expect(read(text) == bytes)
      let url = text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      #expect(read(url) == bytes)
      #expect(read(url.replacingOccurrences(of: "=", with: "")) == bytes)
    }
  }
}
