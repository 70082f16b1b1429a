import NovaCrypto
import NovaSupport
import NovaTestSupport
import Testing

@Suite struct KeyedHashTests {
  // RFC 4231, 4.2 to 4.8, except the truncated one.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      "This is a test using a larger than block-size key and a larger than block-size data. "
        + "The key needs to be hashed before being used by the HMAC algorithm.",
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ])
  func knownCodes(key: [UInt8], message: String, code: String) throws {
    #expect(Hexadecimal.encode(try HMACSHA256.code(for: Array(message.utf8), key: key)) == code)
  }

  @Test(arguments: [
    (
      [UInt8](repeating: 0xaa, count: 20), UInt8(0xdd),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (Array(1...25), 0xcd, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
  ])
  func knownCodesOfFiftyEqualBytes(key: [UInt8], byte: UInt8, code: String) throws {
    #expect(Hexadecimal.encode(try HMACSHA256.code(for: [UInt8](repeating: byte, count: 50), key: key)) == code)
  }

  @Test(arguments: [0, 1, 63, 64, 65, 200])
  func keysOfAnySizeAgreeWithThePlainOne(size: Int) throws {
    let key = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    for message in [[], Array("message".utf8)] {
      #expect(try HMACSHA256.code(for: message, key: key) == PlainSHA256.hmac(of: message, key: key))
    }
  }

  // RFC 7914, 11.
  @Test(arguments: [
    (
      "passwd", "salt", 1,
      "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
    ),
    (
      "Password", "NaCl", 80_000,
      "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
    ),
  ])
  func knownKeys(password: String, salt: String, iterations: Int, key: String) throws {
    let computed = try PBKDF2SHA256.key(
      password: Array(password.utf8), salt: Array(salt.utf8), iterations: iterations, byteCount: 64)
    #expect(Hexadecimal.encode(computed) == key)
  }

  @Test func noIterationsIsAnError() {
    #expect(throws: CryptoError.failed("a PBKDF2 key")) {
      try PBKDF2SHA256.key(password: [1], salt: [2], iterations: 0, byteCount: 32)
    }
  }
}
