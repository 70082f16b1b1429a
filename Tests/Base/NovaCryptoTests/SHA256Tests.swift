import NovaCrypto
import NovaSupport
import NovaTestSupport
import Testing

@Suite struct SHA256Tests {
  // FIPS 180-2, appendix B; and the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func knownDigests(message: String, digest: String) throws {
    #expect(Hexadecimal.encode(try SHA256.digest(of: message.utf8)) == digest)
  }

  @Test func piecesOfAnySizeGiveTheDigestOfTheWhole() throws {
    let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let expected = PlainSHA256.digest(of: message)
    for size in [1, 3, 63, 64, 65, 999, 1000, 5000] {
      var hash = try SHA256()
      for start in stride(from: 0, to: message.count, by: size) {
        hash.update(message[start..<min(start + size, message.count)])
      }
      #expect(try hash.finalize() == expected, "\(size)")
    }
  }

  @Test func sequencesWithoutStorageAreTakenToo() throws {
    var hash = try SHA256()
    hash.update([])
    hash.update((UInt8(97)...99).lazy.map { $0 })
    #expect(try hash.finalize() == PlainSHA256.digest(of: Array("abc".utf8)))
  }

  @Test func everyLengthAroundTheBlockAgreesWithThePlainOne() throws {
    for count in 0...200 {
      let message = [UInt8](repeating: 7, count: count)
      #expect(try SHA256.digest(of: message) == PlainSHA256.digest(of: message), "\(count)")
    }
  }
}
